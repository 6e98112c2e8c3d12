// Kernel collatz: 32 threads a block, 0 bytes of shared memory. Compile with -fmad=false.
//   input      const unsigned int*  input
//   float_     unsigned int         scalar
//   steps      unsigned int*        output
//   input_len  unsigned int         the number of elements of input

extern "C" __global__ void __launch_bounds__(32) collatz(
    const unsigned int* __restrict__ input,
    unsigned int float_,
    unsigned int* __restrict__ steps,
    unsigned int input_len) {
    __builtin_assume(threadIdx.x < 32);
    const unsigned int thread = threadIdx.x;
    for (unsigned int i = thread; i < input_len; i += 32) {
        unsigned int pair[2];
        unsigned int steps_2 = float_;
        pair[0] = input[i];
        for (;;) {
            const unsigned int t = pair[0];
            if (!(t > 1)) {
                break;
            }
            pair[0] = (t & 1) == 1 ? t * 3 + 1 : t / 2;
            const unsigned int t_2 = steps_2;
            steps_2 = t_2 + 1;
            if (t_2 >= 1000) {
                break;
            }
        }
        const unsigned int t = steps_2;
        steps[i] = t;
    }
}

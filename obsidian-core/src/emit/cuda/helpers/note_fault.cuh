// Notes that a check has failed, unless one before it in the text has.
__device__ __forceinline__ void note_fault(unsigned int check, unsigned long long* fault) {
    atomicMin(fault, (unsigned long long)check << 48);
}

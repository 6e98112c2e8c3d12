fn cpu(call: &mut ::obsidian_rt::generated::Call<'_>) {
    use ::obsidian_rt::generated as rt;
    let n0_input: u32 = call.length(0usize);
    let a0_input: &[i32] = call.input::<i32>(0usize);
    let v0_factor: i32 = call.scalar::<i32>(1usize);
    let n1_output: u32 = call.length(2usize);
    let mut a1_output = call.output::<i32>(2usize);
    call.blocks(rt::ops::div(n0_input, 256u32), (rt::chunks(&mut a1_output, 256u32), ()), |v1_b: u32, (a1_output, ())| {
        let a1_output = &mut a1_output[..256usize];
        let v0_factor: i32 = v0_factor;
        let w1: &[i32] = &a0_input[(v1_b as usize).wrapping_mul(256usize)..][..256usize];
        let w2: &mut [i32] = &mut a1_output[0usize..][..256usize];
        for v2_i in 0u32..256u32 {
            w2[v2_i as usize] = w1[v2_i as usize].wrapping_mul(v0_factor).wrapping_add(1i32);
        }
    });
}

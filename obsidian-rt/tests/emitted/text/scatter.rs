fn cpu(call: &mut ::obsidian_rt::generated::Call<'_>) {
    use ::obsidian_rt::generated as rt;
    let n0_to: u32 = call.length(0usize);
    let a0_to: &[u32] = call.input::<u32>(0usize);
    let n1_input: u32 = call.length(1usize);
    let a1_input: &[i32] = call.input::<i32>(1usize);
    let n2_output: u32 = call.length(2usize);
    let a2_output = call.cells::<i32>(2usize);
    let n3_left: u32 = call.length(3usize);
    let mut a3_left = call.output::<i32>(3usize);
    call.blocks(rt::ops::div(n1_input, 8u32), (rt::chunks(&mut a3_left, 8u32), ()), |v0_b: u32, (a3_left, ())| {
        let a3_left = &mut a3_left[..8usize];
        let w1: &[u32] = &a0_to[(v0_b as usize).wrapping_mul(8usize)..][..8usize];
        let w2: &[i32] = &a1_input[(v0_b as usize).wrapping_mul(8usize)..][..8usize];
        let w3: &mut [i32] = &mut a3_left[0usize..][..8usize];
        for v1_i in 0u32..8u32 {
            a2_output.store(w1[v1_i as usize] as usize, w2[v1_i as usize]);
            let t4: u32 = v0_b.wrapping_mul(8u32).wrapping_add(v1_i);
            let t5: i32 = if (t4 == 0u32) {
                (-1i32)
            } else {
                a1_input[(v0_b as usize).wrapping_mul(8usize).wrapping_add(v1_i as usize).wrapping_sub(1usize)]
            };
            w3[v1_i as usize] = t5;
        }
    });
}

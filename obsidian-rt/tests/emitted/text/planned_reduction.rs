fn cpu(call: &mut ::obsidian_rt::generated::Call<'_>) {
    use ::obsidian_rt::generated as rt;
    let n0_input: u32 = call.length(0usize);
    let a0_input: &[i32] = call.input::<i32>(0usize);
    let n1_output: u32 = call.length(1usize);
    let mut a1_output = call.output::<i32>(1usize);
    call.blocks(rt::ops::div(n0_input, 64u32), (rt::chunks(&mut a1_output, 1u32), ()), |v0_b: u32, (a1_output, ())| {
        let a1_output = &mut a1_output[..1usize];
        let v1_base: u32 = v0_b.wrapping_mul(64u32);
        let mut a2_stage: [i32; 32] = [0i32; 32];
        let w1: &[i32] = &a0_input[(v0_b as usize).wrapping_mul(64usize)..][..64usize];
        for v2_i in 0u32..32u32 {
            a2_stage[v2_i as usize] = w1[v2_i as usize].wrapping_add(w1[(v2_i as usize).wrapping_add(32usize)]);
        }
        let mut a3_stage: [i32; 16] = [0i32; 16];
        for v3_i in 0u32..16u32 {
            a3_stage[v3_i as usize] = a2_stage[v3_i as usize].wrapping_add(a2_stage[(v3_i as usize).wrapping_add(16usize)]);
        }
        let mut a4_stage: [i32; 8] = [0i32; 8];
        for v4_i in 0u32..8u32 {
            a4_stage[v4_i as usize] = a3_stage[v4_i as usize].wrapping_add(a3_stage[(v4_i as usize).wrapping_add(8usize)]);
        }
        let mut a5_stage: [i32; 4] = [0i32; 4];
        for v5_i in 0u32..4u32 {
            a5_stage[v5_i as usize] = a4_stage[v5_i as usize].wrapping_add(a4_stage[(v5_i as usize).wrapping_add(4usize)]);
        }
        let mut a6_stage: [i32; 2] = [0i32; 2];
        for v6_i in 0u32..2u32 {
            a6_stage[v6_i as usize] = a5_stage[v6_i as usize].wrapping_add(a5_stage[(v6_i as usize).wrapping_add(2usize)]);
        }
        let mut a7_stage: [i32; 1] = [0i32; 1];
        for v7_i in 0u32..1u32 {
            a7_stage[v7_i as usize] = a6_stage[v7_i as usize].wrapping_add(a6_stage[(v7_i as usize).wrapping_add(1usize)]);
        }
        for v8_i in 0u32..1u32 {
            a1_output[v8_i as usize] = a7_stage[v8_i as usize];
        }
    });
}

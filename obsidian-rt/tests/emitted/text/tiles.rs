fn cpu(call: &mut ::obsidian_rt::generated::Call<'_>) {
    use ::obsidian_rt::generated as rt;
    let n0_left: u32 = call.length(0usize);
    let a0_left: &[f32] = call.input::<f32>(0usize);
    let n1_right: u32 = call.length(1usize);
    let a1_right: &[f32] = call.input::<f32>(1usize);
    let n2_sums: u32 = call.length(2usize);
    let a2_sums = call.cells::<f32>(2usize);
    call.blocks(rt::ops::div(n0_left, 256u32), (), |v0_b: u32, ()| {
        let w1: &[f32] = &a0_left[(v0_b as usize).wrapping_mul(256usize)..][..256usize];
        let w2: &[f32] = &a1_right[(v0_b as usize).wrapping_mul(256usize)..][..256usize];
        let w3: rt::Cells<'_, f32> = a2_sums.window((v0_b as usize).wrapping_mul(256usize), 256usize);
        'l4: for v3 in 0u32..16u32 {
            for v4 in 0u32..16u32 {
                let v5: u32 = v3.wrapping_mul(16u32).wrapping_add(v4);
                let v2_old: f32 = w3.load((v3 as usize).wrapping_mul(16usize).wrapping_add(v4 as usize));
                let t5: f32 = w1[(v3 as usize).wrapping_mul(16usize).wrapping_add(6usize)].mul_add(w2[(v4 as usize).wrapping_add(96usize)], ((w1[(v3 as usize).wrapping_mul(16usize).wrapping_add(3usize)].mul_add(w2[(v4 as usize).wrapping_add(48usize)], (((w1[(v3 as usize).wrapping_mul(16usize)] * w2[v4 as usize]) + (w1[(v3 as usize).wrapping_mul(16usize).wrapping_add(1usize)] * w2[(v4 as usize).wrapping_add(16usize)])) + (w1[(v3 as usize).wrapping_mul(16usize).wrapping_add(2usize)] * w2[(v4 as usize).wrapping_add(32usize)]))) + (w1[(v3 as usize).wrapping_mul(16usize).wrapping_add(4usize)] * w2[(v4 as usize).wrapping_add(64usize)])) + (w1[(v3 as usize).wrapping_mul(16usize).wrapping_add(5usize)] * w2[(v4 as usize).wrapping_add(80usize)])));
                let t6: f32 = w1[(v3 as usize).wrapping_mul(16usize).wrapping_add(12usize)].mul_add(w2[(v4 as usize).wrapping_add(192usize)], ((w1[(v3 as usize).wrapping_mul(16usize).wrapping_add(9usize)].mul_add(w2[(v4 as usize).wrapping_add(144usize)], ((t5 + (w1[(v3 as usize).wrapping_mul(16usize).wrapping_add(7usize)] * w2[(v4 as usize).wrapping_add(112usize)])) + (w1[(v3 as usize).wrapping_mul(16usize).wrapping_add(8usize)] * w2[(v4 as usize).wrapping_add(128usize)]))) + (w1[(v3 as usize).wrapping_mul(16usize).wrapping_add(10usize)] * w2[(v4 as usize).wrapping_add(160usize)])) + (w1[(v3 as usize).wrapping_mul(16usize).wrapping_add(11usize)] * w2[(v4 as usize).wrapping_add(176usize)])));
                w3.store((v3 as usize).wrapping_mul(16usize).wrapping_add(v4 as usize), (v2_old + w1[(v3 as usize).wrapping_mul(16usize).wrapping_add(15usize)].mul_add(w2[(v4 as usize).wrapping_add(240usize)], ((t6 + (w1[(v3 as usize).wrapping_mul(16usize).wrapping_add(13usize)] * w2[(v4 as usize).wrapping_add(208usize)])) + (w1[(v3 as usize).wrapping_mul(16usize).wrapping_add(14usize)] * w2[(v4 as usize).wrapping_add(224usize)])))));
            }
        }
    });
}

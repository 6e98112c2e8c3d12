fn cpu(call: &mut ::obsidian_rt::generated::Call<'_>) {
    use ::obsidian_rt::generated as rt;
    let n0_input: u32 = call.length(0usize);
    let a0_input: &[u32] = call.input::<u32>(0usize);
    let n1_bins: u32 = call.length(1usize);
    let a1_bins = call.gather::<u32>(1usize, 0u32, |old: u32, own: u32| old.wrapping_add(own));
    let n2_steps: u32 = call.length(2usize);
    let mut a2_steps = call.output::<u32>(2usize);
    let b1: u32 = rt::ops::div(n0_input, 32u32);
    call.blocks(b1, (rt::gathered(&a1_bins, b1), (rt::chunks(&mut a2_steps, 1u32), ())), |v0_b: u32, (a1_bins, (a2_steps, ()))| {
        let mut a1_bins = a1_bins;
        let a2_steps = &mut a2_steps[..1usize];
        let mut a3_counts: [u32; 16] = [0u32; 16];
        for v3_j in 0u32..16u32 {
            a3_counts[v3_j as usize] = 0u32;
        }
        let v17: u32 = v0_b.wrapping_mul(32u32);
        let w2: &[u32] = &a0_input[(v0_b as usize).wrapping_mul(32usize)..][..32usize];
        for v1_w in 0u32..4u32 {
            let v18: u32 = v1_w.wrapping_mul(8u32);
            for v2_i in 0u32..8u32 {
                let t3: u32 = 1u32;
                rt::update(&mut a3_counts[rt::ops::rem(w2[(v1_w as usize).wrapping_mul(8usize).wrapping_add(v2_i as usize)], 16u32) as usize], |old: u32| old.wrapping_add(t3));
            }
        }
        for v4_k in 0u32..16u32 {
            let v5_seen: u32 = a3_counts[v4_k as usize];
            if (0u32 < v5_seen) {
                let t4: u32 = v5_seen;
                a1_bins.update(v4_k as usize, |old: u32| old.wrapping_add(t4));
            }
        }
        for v7_t in 0u32..1u32 {
            let mut v8_sum: u32 = 0u32;
            let mut v9_n: u32 = 0u32;
            'l5: loop {
                let v10_sum_now: u32 = v8_sum;
                let v11_n_now: u32 = v9_n;
                if !((v10_sum_now < 100u32) & (v11_n_now < 32u32)) { break 'l5; }
                v8_sum = v10_sum_now.wrapping_add(a0_input[(v0_b as usize).wrapping_mul(32usize).wrapping_add(rt::ops::min(v11_n_now, 31u32) as usize)]);
                v9_n = v11_n_now.wrapping_add(1u32);
            }
            let v12_last: u32 = v9_n;
            let mut v13_again: u32 = 0u32;
            'l6: for v15_m in 0u32..32u32 {
                let v14_again_now: u32 = v13_again;
                if (v14_again_now >= 100u32) {
                    break 'l6;
                }
                v13_again = v14_again_now.wrapping_add(a0_input[(v0_b as usize).wrapping_mul(32usize).wrapping_add(v15_m as usize)]);
            }
            let v16_total: u32 = v13_again;
            a2_steps[v7_t as usize] = (v16_total.wrapping_shl(16u32) | v12_last);
        }
    });
}

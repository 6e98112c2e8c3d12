fn cpu(call: &mut ::obsidian_rt::generated::Call<'_>) {
    use ::obsidian_rt::generated as rt;
    let n0_x: u32 = call.length(0usize);
    let a0_x: &[u32] = call.input::<u32>(0usize);
    let n1_y: u32 = call.length(1usize);
    let a1_y: &[f32] = call.input::<f32>(1usize);
    let n2_sums: u32 = call.length(2usize);
    let mut a2_sums = call.output::<u32>(2usize);
    let n3_least: u32 = call.length(3usize);
    let mut a3_least = call.output::<f32>(3usize);
    let n4_reversed: u32 = call.length(4usize);
    let mut a4_reversed = call.output::<u32>(4usize);
    let n5_long: u32 = call.length(5usize);
    let mut a5_long = call.output::<i16>(5usize);
    let n6_product: u32 = call.length(6usize);
    let mut a6_product = call.output::<u32>(6usize);
    let n7_greatest: u32 = call.length(7usize);
    let mut a7_greatest = call.output::<f32>(7usize);
    let n8_all: u32 = call.length(8usize);
    let mut a8_all = call.output::<bool>(8usize);
    let n9_words: u32 = call.length(9usize);
    let mut a9_words = call.output::<u64>(9usize);
    call.blocks(rt::ops::div(n0_x, 100u32), (rt::chunks(&mut a2_sums, 100u32), (rt::chunks(&mut a3_least, 100u32), (rt::chunks(&mut a4_reversed, 100u32), (rt::chunks(&mut a5_long, 100u32), (rt::chunks(&mut a6_product, 1u32), (rt::chunks(&mut a7_greatest, 1u32), (rt::chunks(&mut a8_all, 10u32), (rt::chunks(&mut a9_words, 10u32), ())))))))), |v0_b: u32, (a2_sums, (a3_least, (a4_reversed, (a5_long, (a6_product, (a7_greatest, (a8_all, (a9_words, ()))))))))| {
        let a2_sums = &mut a2_sums[..100usize];
        let a3_least = &mut a3_least[..100usize];
        let a4_reversed = &mut a4_reversed[..100usize];
        let a5_long = &mut a5_long[..100usize];
        let a6_product = &mut a6_product[..1usize];
        let a7_greatest = &mut a7_greatest[..1usize];
        let a8_all = &mut a8_all[..10usize];
        let a9_words = &mut a9_words[..10usize];
        let v49: u32 = v0_b.wrapping_mul(100u32);
        let w1: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        let w2: &mut [u32] = &mut a2_sums[0usize..][..100usize];
        for v57 in 0u32..1u32 {
            let mut v56: u32 = 0u32;
            'l3: for v1_i in 0u32..100u32 {
                let v55: u32 = w1[v1_i as usize];
                let v2_l: u32 = v56;
                let v3_r: u32 = v55;
                v56 = v3_r.wrapping_add(v2_l);
                let v5_v: u32 = v56;
                w2[v1_i as usize] = v5_v.wrapping_mul(3u32);
            }
        }
        let v6_first: f32 = a1_y[(v0_b as usize).wrapping_mul(100usize)];
        let v58: f32 = (v6_first + 1.0f32);
        let w4: &[f32] = &a1_y[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        let w5: &mut [f32] = &mut a3_least[0usize..][..100usize];
        for v61 in 0u32..1u32 {
            let mut v60: f32 = v58;
            'l6: for v7_i1 in 0u32..100u32 {
                let v59: f32 = w4[v7_i1 as usize];
                let v11: f32 = v60;
                let v8_l1: f32 = v60;
                let v9_r1: f32 = v59;
                v60 = rt::ops::min(v8_l1, v9_r1);
                w5[v7_i1 as usize] = v11;
            }
        }
        let mut a10_own: [u32; 100] = [0u32; 100];
        let w7: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        a10_own[0usize..][..100usize].copy_from_slice(&w7[0usize..][..100usize]);
        let mut a11_inclusive_scan: [u32; 100] = [0u32; 100];
        for v64 in 0u32..1u32 {
            let mut v63: u32 = 0u32;
            'l8: for v13_i2 in 0u32..100u32 {
                let v62: u32 = a10_own[0usize.wrapping_sub(v13_i2 as usize).wrapping_add(99usize)];
                let v14_l2: u32 = v63;
                let v15_r2: u32 = v62;
                v63 = rt::ops::max(v14_l2, v15_r2);
                let v17: u32 = v63;
                a11_inclusive_scan[v13_i2 as usize] = v17;
            }
        }
        a10_own[0usize..][..100usize].copy_from_slice(&a11_inclusive_scan[0usize..][..100usize]);
        let w9: &mut [u32] = &mut a4_reversed[0usize..][..100usize];
        w9[0usize..][..100usize].copy_from_slice(&a10_own[0usize..][..100usize]);
        let mut a12_exclusive_scan: [i16; 100] = [0i16; 100];
        let w10: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        for v19_i3 in 0u32..100u32 {
            let v20_n: u32 = w10[v19_i3 as usize];
            let v21_m: u32 = (v20_n.wrapping_mul(v20_n).wrapping_add(17u32) ^ v20_n.wrapping_shr(3u32)).wrapping_mul(5u32).wrapping_add(rt::ops::rem(v20_n, 13u32).wrapping_mul(rt::ops::div(v20_n, 3u32)));
            let v22_k: u32 = (v21_m.wrapping_mul(v21_m).wrapping_add(71u32) ^ v21_m.wrapping_shr(5u32)).wrapping_mul(9u32).wrapping_add(rt::ops::rem(v21_m, 11u32).wrapping_mul(rt::ops::div(v21_m, 7u32)));
            let v65: i16 = (v21_m.wrapping_add(v22_k).wrapping_mul((v20_n | 1u32)).wrapping_sub(((v22_k ^ v20_n) & 1023u32)) as i16);
            a12_exclusive_scan[v19_i3 as usize] = v65;
        }
        let w11: &mut [i16] = &mut a5_long[0usize..][..100usize];
        for v68 in 0u32..1u32 {
            let mut v67: i16 = (-7i16);
            'l12: for v19_i3 in 0u32..100u32 {
                let v66: i16 = a12_exclusive_scan[v19_i3 as usize];
                let v26: i16 = v67;
                let v23_l3: i16 = v67;
                let v24_r3: i16 = v66;
                v67 = v23_l3.wrapping_add(v24_r3);
                w11[v19_i3 as usize] = v26;
            }
        }
        let w13: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        for v30_j4 in 0u32..1u32 {
            let mut v69: u32 = 1u32;
            'l14: for v27_i4 in 0u32..100u32 {
                let v70: u32 = (w13[v27_i4 as usize] | 1u32);
                let v28_l4: u32 = v69;
                let v29_r4: u32 = v70;
                v69 = v28_l4.wrapping_mul(v29_r4);
            }
            let v31: u32 = v69;
            a6_product[v30_j4 as usize] = v31;
        }
        let mut a13_reduce: [f32; 100] = [0.0f32; 100];
        let w15: &[f32] = &a1_y[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        a13_reduce[0usize..][..100usize].copy_from_slice(&w15[0usize..][..100usize]);
        let mut a14_reduce: [f32; 50] = [0.0f32; 50];
        for v71 in 0u32..50u32 {
            let v33_l5: f32 = a13_reduce[(v71 as usize).wrapping_mul(2usize)];
            let v34_r5: f32 = a13_reduce[(v71 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a14_reduce[v71 as usize] = rt::ops::max(v33_l5, v34_r5);
        }
        let mut a15_reduce: [f32; 25] = [0.0f32; 25];
        for v72 in 0u32..25u32 {
            let v33_l5: f32 = a14_reduce[(v72 as usize).wrapping_mul(2usize)];
            let v34_r5: f32 = a14_reduce[(v72 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a15_reduce[v72 as usize] = rt::ops::max(v33_l5, v34_r5);
        }
        let mut a16_reduce: [f32; 13] = [0.0f32; 13];
        for v73 in 0u32..12u32 {
            let v33_l5: f32 = a15_reduce[(v73 as usize).wrapping_mul(2usize)];
            let v34_r5: f32 = a15_reduce[(v73 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a16_reduce[v73 as usize] = rt::ops::max(v33_l5, v34_r5);
        }
        for v74 in 0u32..1u32 {
            let v75: f32 = a15_reduce[24usize];
            a16_reduce[12usize] = v75;
        }
        let mut a17_reduce: [f32; 7] = [0.0f32; 7];
        for v76 in 0u32..6u32 {
            let v33_l5: f32 = a16_reduce[(v76 as usize).wrapping_mul(2usize)];
            let v34_r5: f32 = a16_reduce[(v76 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a17_reduce[v76 as usize] = rt::ops::max(v33_l5, v34_r5);
        }
        for v77 in 0u32..1u32 {
            let v78: f32 = a16_reduce[12usize];
            a17_reduce[6usize] = v78;
        }
        let mut a18_reduce: [f32; 4] = [0.0f32; 4];
        for v79 in 0u32..3u32 {
            let v33_l5: f32 = a17_reduce[(v79 as usize).wrapping_mul(2usize)];
            let v34_r5: f32 = a17_reduce[(v79 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a18_reduce[v79 as usize] = rt::ops::max(v33_l5, v34_r5);
        }
        for v80 in 0u32..1u32 {
            let v81: f32 = a17_reduce[6usize];
            a18_reduce[3usize] = v81;
        }
        let mut a19_reduce: [f32; 2] = [0.0f32; 2];
        for v82 in 0u32..2u32 {
            let v33_l5: f32 = a18_reduce[(v82 as usize).wrapping_mul(2usize)];
            let v34_r5: f32 = a18_reduce[(v82 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a19_reduce[v82 as usize] = rt::ops::max(v33_l5, v34_r5);
        }
        let mut a20_reduce: [f32; 1] = [0.0f32; 1];
        for v83 in 0u32..1u32 {
            let v33_l5: f32 = a19_reduce[(v83 as usize).wrapping_mul(2usize)];
            let v34_r5: f32 = a19_reduce[(v83 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a20_reduce[v83 as usize] = rt::ops::max(v33_l5, v34_r5);
        }
        for v35_j5 in 0u32..1u32 {
            let v36: f32 = a20_reduce[v35_j5 as usize];
            a7_greatest[v35_j5 as usize] = v36;
        }
        let v50: u32 = v0_b.wrapping_mul(10u32);
        let w16: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        let w17: &mut [bool] = &mut a8_all[0usize..][..10usize];
        for v37_w in 0u32..10u32 {
            let v51: u32 = v49.wrapping_add(v37_w.wrapping_mul(10u32));
            let v52: u32 = v50.wrapping_add(v37_w);
            for v41_j6 in 0u32..1u32 {
                let mut v84: bool = true;
                {
                    let v38_i6: u32 = 0u32;
                    let v85: bool = ((w16[(v37_w as usize).wrapping_mul(10usize)] & 7u32) != 0u32);
                    let v39_l6: bool = v84;
                    let v40_r6: bool = v85;
                    v84 = (v39_l6 & v40_r6);
                }
                {
                    let v38_i6: u32 = 1u32;
                    let v85: bool = ((w16[(v37_w as usize).wrapping_mul(10usize).wrapping_add(1usize)] & 7u32) != 0u32);
                    let v39_l6: bool = v84;
                    let v40_r6: bool = v85;
                    v84 = (v39_l6 & v40_r6);
                }
                {
                    let v38_i6: u32 = 2u32;
                    let v85: bool = ((w16[(v37_w as usize).wrapping_mul(10usize).wrapping_add(2usize)] & 7u32) != 0u32);
                    let v39_l6: bool = v84;
                    let v40_r6: bool = v85;
                    v84 = (v39_l6 & v40_r6);
                }
                {
                    let v38_i6: u32 = 3u32;
                    let v85: bool = ((w16[(v37_w as usize).wrapping_mul(10usize).wrapping_add(3usize)] & 7u32) != 0u32);
                    let v39_l6: bool = v84;
                    let v40_r6: bool = v85;
                    v84 = (v39_l6 & v40_r6);
                }
                {
                    let v38_i6: u32 = 4u32;
                    let v85: bool = ((w16[(v37_w as usize).wrapping_mul(10usize).wrapping_add(4usize)] & 7u32) != 0u32);
                    let v39_l6: bool = v84;
                    let v40_r6: bool = v85;
                    v84 = (v39_l6 & v40_r6);
                }
                {
                    let v38_i6: u32 = 5u32;
                    let v85: bool = ((w16[(v37_w as usize).wrapping_mul(10usize).wrapping_add(5usize)] & 7u32) != 0u32);
                    let v39_l6: bool = v84;
                    let v40_r6: bool = v85;
                    v84 = (v39_l6 & v40_r6);
                }
                {
                    let v38_i6: u32 = 6u32;
                    let v85: bool = ((w16[(v37_w as usize).wrapping_mul(10usize).wrapping_add(6usize)] & 7u32) != 0u32);
                    let v39_l6: bool = v84;
                    let v40_r6: bool = v85;
                    v84 = (v39_l6 & v40_r6);
                }
                {
                    let v38_i6: u32 = 7u32;
                    let v85: bool = ((w16[(v37_w as usize).wrapping_mul(10usize).wrapping_add(7usize)] & 7u32) != 0u32);
                    let v39_l6: bool = v84;
                    let v40_r6: bool = v85;
                    v84 = (v39_l6 & v40_r6);
                }
                {
                    let v38_i6: u32 = 8u32;
                    let v85: bool = ((w16[(v37_w as usize).wrapping_mul(10usize).wrapping_add(8usize)] & 7u32) != 0u32);
                    let v39_l6: bool = v84;
                    let v40_r6: bool = v85;
                    v84 = (v39_l6 & v40_r6);
                }
                {
                    let v38_i6: u32 = 9u32;
                    let v85: bool = ((w16[(v37_w as usize).wrapping_mul(10usize).wrapping_add(9usize)] & 7u32) != 0u32);
                    let v39_l6: bool = v84;
                    let v40_r6: bool = v85;
                    v84 = (v39_l6 & v40_r6);
                }
                let v42: bool = v84;
                w17[(v37_w as usize).wrapping_add(v41_j6 as usize)] = v42;
            }
        }
        let w18: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        let w19: &mut [u64] = &mut a9_words[0usize..][..10usize];
        for v43_t in 0u32..10u32 {
            let v53: u32 = v49.wrapping_add(v43_t.wrapping_mul(10u32));
            let v54: u32 = v50.wrapping_add(v43_t);
            for v47_j7 in 0u32..1u32 {
                let mut v86: u64 = 0u64;
                {
                    let v44_i7: u32 = 0u32;
                    let v87: u64 = (w18[(v43_t as usize).wrapping_mul(10usize)] as u64);
                    let v45_l7: u64 = v86;
                    let v46_r7: u64 = v87;
                    v86 = (v45_l7 ^ v46_r7);
                }
                {
                    let v44_i7: u32 = 1u32;
                    let v87: u64 = (w18[(v43_t as usize).wrapping_mul(10usize).wrapping_add(1usize)] as u64);
                    let v45_l7: u64 = v86;
                    let v46_r7: u64 = v87;
                    v86 = (v45_l7 ^ v46_r7);
                }
                {
                    let v44_i7: u32 = 2u32;
                    let v87: u64 = (w18[(v43_t as usize).wrapping_mul(10usize).wrapping_add(2usize)] as u64);
                    let v45_l7: u64 = v86;
                    let v46_r7: u64 = v87;
                    v86 = (v45_l7 ^ v46_r7);
                }
                {
                    let v44_i7: u32 = 3u32;
                    let v87: u64 = (w18[(v43_t as usize).wrapping_mul(10usize).wrapping_add(3usize)] as u64);
                    let v45_l7: u64 = v86;
                    let v46_r7: u64 = v87;
                    v86 = (v45_l7 ^ v46_r7);
                }
                {
                    let v44_i7: u32 = 4u32;
                    let v87: u64 = (w18[(v43_t as usize).wrapping_mul(10usize).wrapping_add(4usize)] as u64);
                    let v45_l7: u64 = v86;
                    let v46_r7: u64 = v87;
                    v86 = (v45_l7 ^ v46_r7);
                }
                {
                    let v44_i7: u32 = 5u32;
                    let v87: u64 = (w18[(v43_t as usize).wrapping_mul(10usize).wrapping_add(5usize)] as u64);
                    let v45_l7: u64 = v86;
                    let v46_r7: u64 = v87;
                    v86 = (v45_l7 ^ v46_r7);
                }
                {
                    let v44_i7: u32 = 6u32;
                    let v87: u64 = (w18[(v43_t as usize).wrapping_mul(10usize).wrapping_add(6usize)] as u64);
                    let v45_l7: u64 = v86;
                    let v46_r7: u64 = v87;
                    v86 = (v45_l7 ^ v46_r7);
                }
                {
                    let v44_i7: u32 = 7u32;
                    let v87: u64 = (w18[(v43_t as usize).wrapping_mul(10usize).wrapping_add(7usize)] as u64);
                    let v45_l7: u64 = v86;
                    let v46_r7: u64 = v87;
                    v86 = (v45_l7 ^ v46_r7);
                }
                {
                    let v44_i7: u32 = 8u32;
                    let v87: u64 = (w18[(v43_t as usize).wrapping_mul(10usize).wrapping_add(8usize)] as u64);
                    let v45_l7: u64 = v86;
                    let v46_r7: u64 = v87;
                    v86 = (v45_l7 ^ v46_r7);
                }
                {
                    let v44_i7: u32 = 9u32;
                    let v87: u64 = (w18[(v43_t as usize).wrapping_mul(10usize).wrapping_add(9usize)] as u64);
                    let v45_l7: u64 = v86;
                    let v46_r7: u64 = v87;
                    v86 = (v45_l7 ^ v46_r7);
                }
                let v48: u64 = v86;
                w19[(v43_t as usize).wrapping_add(v47_j7 as usize)] = v48;
            }
        }
    });
}

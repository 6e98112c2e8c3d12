fn cpu(call: &mut ::obsidian_rt::generated::Call<'_>) {
    use ::obsidian_rt::generated as rt;
    let n0_x: u32 = call.length(0usize);
    let a0_x: &[u32] = call.input::<u32>(0usize);
    let n1_total: u32 = call.length(1usize);
    let mut a1_total = call.output::<u32>(1usize);
    let n2_before: u32 = call.length(2usize);
    let mut a2_before = call.output::<u32>(2usize);
    let n3_sorted: u32 = call.length(3usize);
    let mut a3_sorted = call.output::<u32>(3usize);
    let n4_rows: u32 = call.length(4usize);
    let mut a4_rows = call.output::<u32>(4usize);
    call.blocks(rt::ops::div(n0_x, 100u32), (rt::chunks(&mut a1_total, 1u32), (rt::chunks(&mut a2_before, 100u32), (rt::chunks(&mut a3_sorted, 100u32), (rt::chunks(&mut a4_rows, 10u32), ())))), |v0_b: u32, (a1_total, (a2_before, (a3_sorted, (a4_rows, ()))))| {
        let a1_total = &mut a1_total[..1usize];
        let a2_before = &mut a2_before[..100usize];
        let a3_sorted = &mut a3_sorted[..100usize];
        let a4_rows = &mut a4_rows[..10usize];
        let v30: u32 = v0_b.wrapping_mul(100u32);
        let mut a7_inclusive_scan: [u32; 100] = [0u32; 100];
        let w1: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        a7_inclusive_scan[0usize..][..100usize].copy_from_slice(&w1[0usize..][..100usize]);
        for v35 in 0u32..50u32 {
            let v2_l: u32 = a7_inclusive_scan[(v35 as usize).wrapping_mul(2usize)];
            let v3_r: u32 = a7_inclusive_scan[(v35 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a7_inclusive_scan[(v35 as usize).wrapping_mul(2usize).wrapping_add(1usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
        }
        for v36 in 0u32..50u32 {
            let v2_l: u32 = a7_inclusive_scan[(rt::ops::div(v36, 2u32) as usize).wrapping_mul(4usize).wrapping_add(1usize)];
            let v3_r: u32 = a7_inclusive_scan[(rt::ops::div(v36, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v36, 2u32) as usize).wrapping_add(2usize)];
            a7_inclusive_scan[(rt::ops::div(v36, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v36, 2u32) as usize).wrapping_add(2usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
        }
        'l2: for v91 in 0u32..12u32 {
            for v92 in 0u32..4u32 {
                let v2_l: u32 = a7_inclusive_scan[(v91 as usize).wrapping_mul(8usize).wrapping_add(3usize)];
                let v3_r: u32 = a7_inclusive_scan[(v91 as usize).wrapping_mul(8usize).wrapping_add(v92 as usize).wrapping_add(4usize)];
                a7_inclusive_scan[(v91 as usize).wrapping_mul(8usize).wrapping_add(v92 as usize).wrapping_add(4usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
            }
        }
        'l3: for v94 in 0u32..6u32 {
            for v95 in 0u32..8u32 {
                let v2_l: u32 = a7_inclusive_scan[(v94 as usize).wrapping_mul(16usize).wrapping_add(7usize)];
                let v3_r: u32 = a7_inclusive_scan[(v94 as usize).wrapping_mul(16usize).wrapping_add(v95 as usize).wrapping_add(8usize)];
                a7_inclusive_scan[(v94 as usize).wrapping_mul(16usize).wrapping_add(v95 as usize).wrapping_add(8usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
            }
        }
        'l4: for v97 in 0u32..3u32 {
            for v98 in 0u32..16u32 {
                let v2_l: u32 = a7_inclusive_scan[(v97 as usize).wrapping_mul(32usize).wrapping_add(15usize)];
                let v3_r: u32 = a7_inclusive_scan[(v97 as usize).wrapping_mul(32usize).wrapping_add(v98 as usize).wrapping_add(16usize)];
                a7_inclusive_scan[(v97 as usize).wrapping_mul(32usize).wrapping_add(v98 as usize).wrapping_add(16usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
            }
        }
        for v40 in 0u32..36u32 {
            let v2_l: u32 = a7_inclusive_scan[(rt::ops::div(v40, 32u32) as usize).wrapping_mul(64usize).wrapping_add(31usize)];
            let v3_r: u32 = a7_inclusive_scan[(rt::ops::div(v40, 32u32) as usize).wrapping_mul(64usize).wrapping_add(rt::ops::rem(v40, 32u32) as usize).wrapping_add(32usize)];
            a7_inclusive_scan[(rt::ops::div(v40, 32u32) as usize).wrapping_mul(64usize).wrapping_add(rt::ops::rem(v40, 32u32) as usize).wrapping_add(32usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
        }
        for v41 in 0u32..36u32 {
            let v2_l: u32 = a7_inclusive_scan[(rt::ops::div(v41, 64u32) as usize).wrapping_mul(128usize).wrapping_add(63usize)];
            let v3_r: u32 = a7_inclusive_scan[(rt::ops::div(v41, 64u32) as usize).wrapping_mul(128usize).wrapping_add(rt::ops::rem(v41, 64u32) as usize).wrapping_add(64usize)];
            a7_inclusive_scan[(rt::ops::div(v41, 64u32) as usize).wrapping_mul(128usize).wrapping_add(rt::ops::rem(v41, 64u32) as usize).wrapping_add(64usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
        }
        let mut a8_reduce: [u32; 100] = [0u32; 100];
        a8_reduce[0usize..][..100usize].copy_from_slice(&a7_inclusive_scan[0usize..][..100usize]);
        let mut a9_reduce: [u32; 50] = [0u32; 50];
        for v42 in 0u32..50u32 {
            let v7_l1: u32 = a8_reduce[(v42 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a8_reduce[(v42 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a9_reduce[v42 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        let mut a10_reduce: [u32; 25] = [0u32; 25];
        for v43 in 0u32..25u32 {
            let v7_l1: u32 = a9_reduce[(v43 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a9_reduce[(v43 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a10_reduce[v43 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        let mut a11_reduce: [u32; 13] = [0u32; 13];
        for v44 in 0u32..12u32 {
            let v7_l1: u32 = a10_reduce[(v44 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a10_reduce[(v44 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a11_reduce[v44 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        for v45 in 0u32..1u32 {
            let v46: u32 = a10_reduce[24usize];
            a11_reduce[12usize] = v46;
        }
        let mut a12_reduce: [u32; 7] = [0u32; 7];
        for v47 in 0u32..6u32 {
            let v7_l1: u32 = a11_reduce[(v47 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a11_reduce[(v47 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a12_reduce[v47 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        for v48 in 0u32..1u32 {
            let v49: u32 = a11_reduce[12usize];
            a12_reduce[6usize] = v49;
        }
        let mut a13_reduce: [u32; 4] = [0u32; 4];
        for v50 in 0u32..3u32 {
            let v7_l1: u32 = a12_reduce[(v50 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a12_reduce[(v50 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a13_reduce[v50 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        for v51 in 0u32..1u32 {
            let v52: u32 = a12_reduce[6usize];
            a13_reduce[3usize] = v52;
        }
        let mut a14_reduce: [u32; 2] = [0u32; 2];
        for v53 in 0u32..2u32 {
            let v7_l1: u32 = a13_reduce[(v53 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a13_reduce[(v53 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a14_reduce[v53 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        let mut a15_reduce: [u32; 1] = [0u32; 1];
        for v54 in 0u32..1u32 {
            let v7_l1: u32 = a14_reduce[(v54 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a14_reduce[(v54 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a15_reduce[v54 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        for v10_j1 in 0u32..1u32 {
            let v11: u32 = a15_reduce[v10_j1 as usize];
            a1_total[v10_j1 as usize] = v11;
        }
        for v55 in 0u32..50u32 {
            let v13_l2: u32 = a7_inclusive_scan[(v55 as usize).wrapping_mul(2usize)];
            let v14_r2: u32 = a7_inclusive_scan[(v55 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a7_inclusive_scan[(v55 as usize).wrapping_mul(2usize).wrapping_add(1usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        for v56 in 0u32..50u32 {
            let v13_l2: u32 = a7_inclusive_scan[(rt::ops::div(v56, 2u32) as usize).wrapping_mul(4usize).wrapping_add(1usize)];
            let v14_r2: u32 = a7_inclusive_scan[(rt::ops::div(v56, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v56, 2u32) as usize).wrapping_add(2usize)];
            a7_inclusive_scan[(rt::ops::div(v56, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v56, 2u32) as usize).wrapping_add(2usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        'l5: for v100 in 0u32..12u32 {
            for v101 in 0u32..4u32 {
                let v13_l2: u32 = a7_inclusive_scan[(v100 as usize).wrapping_mul(8usize).wrapping_add(3usize)];
                let v14_r2: u32 = a7_inclusive_scan[(v100 as usize).wrapping_mul(8usize).wrapping_add(v101 as usize).wrapping_add(4usize)];
                a7_inclusive_scan[(v100 as usize).wrapping_mul(8usize).wrapping_add(v101 as usize).wrapping_add(4usize)] = v13_l2.wrapping_sub(v14_r2);
            }
        }
        'l6: for v103 in 0u32..6u32 {
            for v104 in 0u32..8u32 {
                let v13_l2: u32 = a7_inclusive_scan[(v103 as usize).wrapping_mul(16usize).wrapping_add(7usize)];
                let v14_r2: u32 = a7_inclusive_scan[(v103 as usize).wrapping_mul(16usize).wrapping_add(v104 as usize).wrapping_add(8usize)];
                a7_inclusive_scan[(v103 as usize).wrapping_mul(16usize).wrapping_add(v104 as usize).wrapping_add(8usize)] = v13_l2.wrapping_sub(v14_r2);
            }
        }
        'l7: for v106 in 0u32..3u32 {
            for v107 in 0u32..16u32 {
                let v13_l2: u32 = a7_inclusive_scan[(v106 as usize).wrapping_mul(32usize).wrapping_add(15usize)];
                let v14_r2: u32 = a7_inclusive_scan[(v106 as usize).wrapping_mul(32usize).wrapping_add(v107 as usize).wrapping_add(16usize)];
                a7_inclusive_scan[(v106 as usize).wrapping_mul(32usize).wrapping_add(v107 as usize).wrapping_add(16usize)] = v13_l2.wrapping_sub(v14_r2);
            }
        }
        for v60 in 0u32..36u32 {
            let v13_l2: u32 = a7_inclusive_scan[(rt::ops::div(v60, 32u32) as usize).wrapping_mul(64usize).wrapping_add(31usize)];
            let v14_r2: u32 = a7_inclusive_scan[(rt::ops::div(v60, 32u32) as usize).wrapping_mul(64usize).wrapping_add(rt::ops::rem(v60, 32u32) as usize).wrapping_add(32usize)];
            a7_inclusive_scan[(rt::ops::div(v60, 32u32) as usize).wrapping_mul(64usize).wrapping_add(rt::ops::rem(v60, 32u32) as usize).wrapping_add(32usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        for v61 in 0u32..36u32 {
            let v13_l2: u32 = a7_inclusive_scan[(rt::ops::div(v61, 64u32) as usize).wrapping_mul(128usize).wrapping_add(63usize)];
            let v14_r2: u32 = a7_inclusive_scan[(rt::ops::div(v61, 64u32) as usize).wrapping_mul(128usize).wrapping_add(rt::ops::rem(v61, 64u32) as usize).wrapping_add(64usize)];
            a7_inclusive_scan[(rt::ops::div(v61, 64u32) as usize).wrapping_mul(128usize).wrapping_add(rt::ops::rem(v61, 64u32) as usize).wrapping_add(64usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        let w8: &mut [u32] = &mut a2_before[0usize..][..100usize];
        for v15_j2 in 0u32..100u32 {
            let mut v62: u32 = v0_b;
            if (0u32 < v15_j2) {
                let v13_l2: u32 = v0_b;
                let v14_r2: u32 = a7_inclusive_scan[(v15_j2 as usize).wrapping_sub(1usize)];
                v62 = v13_l2.wrapping_sub(v14_r2);
            }
            let v16: u32 = v62;
            w8[v15_j2 as usize] = v16;
        }
        let w9: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        let w10: &mut [u32] = &mut a3_sorted[0usize..][..100usize];
        for v17_w in 0u32..10u32 {
            let mut a6_own: [u32; 10] = [0u32; 10];
            let v31: u32 = v30.wrapping_add(v17_w.wrapping_mul(10u32));
            a6_own[0usize..][..10usize].copy_from_slice(&w9[(v17_w as usize).wrapping_mul(10usize)..][..10usize]);
            let mut a17_sort: [u32; 10] = [0u32; 10];
            for v19_i3 in 0u32..10u32 {
                a17_sort[v19_i3 as usize] = a6_own[(v19_i3 ^ 1u32) as usize];
            }
            for v63 in 0u32..2u32 {
                if ((v63 & 8u32) == 0u32) {
                    let v20_l3: u32 = a17_sort[(v63 as usize).wrapping_add(8usize)];
                    let v21_r3: u32 = a17_sort[v63 as usize];
                    let v64: bool = (v20_l3 < v21_r3);
                    a17_sort[v63 as usize] = (if v64 { v20_l3 } else { v21_r3 });
                    a17_sort[(v63 as usize).wrapping_add(8usize)] = (if v64 { v21_r3 } else { v20_l3 });
                }
            }
            for v65 in 0u32..6u32 {
                if ((v65 & 4u32) == 0u32) {
                    let v20_l3: u32 = a17_sort[(v65 as usize).wrapping_add(4usize)];
                    let v21_r3: u32 = a17_sort[v65 as usize];
                    let v66: bool = (v20_l3 < v21_r3);
                    a17_sort[v65 as usize] = (if v66 { v20_l3 } else { v21_r3 });
                    a17_sort[(v65 as usize).wrapping_add(4usize)] = (if v66 { v21_r3 } else { v20_l3 });
                }
            }
            for v67 in 0u32..6u32 {
                if ((v67 & 4u32) == 4u32) {
                    let v20_l3: u32 = a17_sort[(v67 as usize).wrapping_add(4usize)];
                    let v21_r3: u32 = a17_sort[v67 as usize];
                    let v68: bool = (v20_l3 < v21_r3);
                    a17_sort[v67 as usize] = (if v68 { v20_l3 } else { v21_r3 });
                    a17_sort[(v67 as usize).wrapping_add(4usize)] = (if v68 { v21_r3 } else { v20_l3 });
                }
            }
            for v69 in 0u32..8u32 {
                if ((v69 & 2u32) == 0u32) {
                    let v20_l3: u32 = a17_sort[(v69 as usize).wrapping_add(2usize)];
                    let v21_r3: u32 = a17_sort[v69 as usize];
                    let v70: bool = (v20_l3 < v21_r3);
                    a17_sort[v69 as usize] = (if v70 { v20_l3 } else { v21_r3 });
                    a17_sort[(v69 as usize).wrapping_add(2usize)] = (if v70 { v21_r3 } else { v20_l3 });
                }
            }
            for v71 in 0u32..4u32 {
                if ((v71 & 2u32) == 2u32) {
                    let v20_l3: u32 = a17_sort[(v71 as usize).wrapping_add(6usize)];
                    let v21_r3: u32 = a17_sort[v71 as usize];
                    let v72: bool = (v20_l3 < v21_r3);
                    a17_sort[v71 as usize] = (if v72 { v20_l3 } else { v21_r3 });
                    a17_sort[(v71 as usize).wrapping_add(6usize)] = (if v72 { v21_r3 } else { v20_l3 });
                }
            }
            for v73 in 0u32..8u32 {
                if ((v73 & 2u32) == 2u32) {
                    let v20_l3: u32 = a17_sort[(v73 as usize).wrapping_add(2usize)];
                    let v21_r3: u32 = a17_sort[v73 as usize];
                    let v74: bool = (v20_l3 < v21_r3);
                    a17_sort[v73 as usize] = (if v74 { v20_l3 } else { v21_r3 });
                    a17_sort[(v73 as usize).wrapping_add(2usize)] = (if v74 { v21_r3 } else { v20_l3 });
                }
            }
            for v75 in 0u32..9u32 {
                if ((v75 & 1u32) == 0u32) {
                    let v20_l3: u32 = a17_sort[(v75 as usize).wrapping_add(1usize)];
                    let v21_r3: u32 = a17_sort[v75 as usize];
                    let v76: bool = (v20_l3 < v21_r3);
                    a17_sort[v75 as usize] = (if v76 { v20_l3 } else { v21_r3 });
                    a17_sort[(v75 as usize).wrapping_add(1usize)] = (if v76 { v21_r3 } else { v20_l3 });
                }
            }
            for v77 in 0u32..3u32 {
                if ((v77 & 1u32) == 1u32) {
                    let v20_l3: u32 = a17_sort[(v77 as usize).wrapping_add(7usize)];
                    let v21_r3: u32 = a17_sort[v77 as usize];
                    let v78: bool = (v20_l3 < v21_r3);
                    a17_sort[v77 as usize] = (if v78 { v20_l3 } else { v21_r3 });
                    a17_sort[(v77 as usize).wrapping_add(7usize)] = (if v78 { v21_r3 } else { v20_l3 });
                }
            }
            for v79 in 0u32..7u32 {
                if ((v79 & 1u32) == 1u32) {
                    let v20_l3: u32 = a17_sort[(v79 as usize).wrapping_add(3usize)];
                    let v21_r3: u32 = a17_sort[v79 as usize];
                    let v80: bool = (v20_l3 < v21_r3);
                    a17_sort[v79 as usize] = (if v80 { v20_l3 } else { v21_r3 });
                    a17_sort[(v79 as usize).wrapping_add(3usize)] = (if v80 { v21_r3 } else { v20_l3 });
                }
            }
            for v81 in 0u32..9u32 {
                if ((v81 & 1u32) == 1u32) {
                    let v20_l3: u32 = a17_sort[(v81 as usize).wrapping_add(1usize)];
                    let v21_r3: u32 = a17_sort[v81 as usize];
                    let v82: bool = (v20_l3 < v21_r3);
                    a17_sort[v81 as usize] = (if v82 { v20_l3 } else { v21_r3 });
                    a17_sort[(v81 as usize).wrapping_add(1usize)] = (if v82 { v21_r3 } else { v20_l3 });
                }
            }
            w10[(v17_w as usize).wrapping_mul(10usize)..][..10usize].copy_from_slice(&a17_sort[0usize..][..10usize]);
        }
        let v32: u32 = v0_b.wrapping_mul(10u32);
        let w11: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        let w12: &mut [u32] = &mut a4_rows[0usize..][..10usize];
        for v24_t in 0u32..10u32 {
            let v33: u32 = v30.wrapping_add(v24_t.wrapping_mul(10u32));
            let v34: u32 = v32.wrapping_add(v24_t);
            let mut a18_reduce: [u32; 10] = [0u32; 10];
            a18_reduce[0usize..][..10usize].copy_from_slice(&w11[(v24_t as usize).wrapping_mul(10usize)..][..10usize]);
            let mut a19_reduce: [u32; 5] = [0u32; 5];
            for v83 in 0u32..5u32 {
                let v26_l4: u32 = a18_reduce[(v83 as usize).wrapping_mul(2usize)];
                let v27_r4: u32 = a18_reduce[(v83 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
                a19_reduce[v83 as usize] = v26_l4.wrapping_sub(v27_r4);
            }
            let mut a20_reduce: [u32; 3] = [0u32; 3];
            for v84 in 0u32..2u32 {
                let v26_l4: u32 = a19_reduce[(v84 as usize).wrapping_mul(2usize)];
                let v27_r4: u32 = a19_reduce[(v84 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
                a20_reduce[v84 as usize] = v26_l4.wrapping_sub(v27_r4);
            }
            for v85 in 0u32..1u32 {
                let v86: u32 = a19_reduce[4usize];
                a20_reduce[2usize] = v86;
            }
            let mut a21_reduce: [u32; 2] = [0u32; 2];
            for v87 in 0u32..1u32 {
                let v26_l4: u32 = a20_reduce[(v87 as usize).wrapping_mul(2usize)];
                let v27_r4: u32 = a20_reduce[(v87 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
                a21_reduce[v87 as usize] = v26_l4.wrapping_sub(v27_r4);
            }
            for v88 in 0u32..1u32 {
                let v89: u32 = a20_reduce[2usize];
                a21_reduce[1usize] = v89;
            }
            let mut a22_reduce: [u32; 1] = [0u32; 1];
            for v90 in 0u32..1u32 {
                let v26_l4: u32 = a21_reduce[(v90 as usize).wrapping_mul(2usize)];
                let v27_r4: u32 = a21_reduce[(v90 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
                a22_reduce[v90 as usize] = v26_l4.wrapping_sub(v27_r4);
            }
            for v28_j4 in 0u32..1u32 {
                let v29: u32 = a22_reduce[v28_j4 as usize];
                w12[(v24_t as usize).wrapping_add(v28_j4 as usize)] = v29;
            }
        }
    });
}

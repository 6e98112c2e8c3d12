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
        'l2: for v81 in 0u32..12u32 {
            for v82 in 0u32..4u32 {
                let v2_l: u32 = a7_inclusive_scan[(v81 as usize).wrapping_mul(8usize).wrapping_add(3usize)];
                let v3_r: u32 = a7_inclusive_scan[(v81 as usize).wrapping_mul(8usize).wrapping_add(v82 as usize).wrapping_add(4usize)];
                a7_inclusive_scan[(v81 as usize).wrapping_mul(8usize).wrapping_add(v82 as usize).wrapping_add(4usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
            }
        }
        'l3: for v84 in 0u32..6u32 {
            for v85 in 0u32..8u32 {
                let v2_l: u32 = a7_inclusive_scan[(v84 as usize).wrapping_mul(16usize).wrapping_add(7usize)];
                let v3_r: u32 = a7_inclusive_scan[(v84 as usize).wrapping_mul(16usize).wrapping_add(v85 as usize).wrapping_add(8usize)];
                a7_inclusive_scan[(v84 as usize).wrapping_mul(16usize).wrapping_add(v85 as usize).wrapping_add(8usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
            }
        }
        'l4: for v87 in 0u32..3u32 {
            for v88 in 0u32..16u32 {
                let v2_l: u32 = a7_inclusive_scan[(v87 as usize).wrapping_mul(32usize).wrapping_add(15usize)];
                let v3_r: u32 = a7_inclusive_scan[(v87 as usize).wrapping_mul(32usize).wrapping_add(v88 as usize).wrapping_add(16usize)];
                a7_inclusive_scan[(v87 as usize).wrapping_mul(32usize).wrapping_add(v88 as usize).wrapping_add(16usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
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
        for v42 in 0u32..50u32 {
            let v7_l1: u32 = a8_reduce[(v42 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a8_reduce[(v42 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a8_reduce[(v42 as usize).wrapping_mul(2usize)] = v9_product.wrapping_sub(v8_r1);
        }
        for v43 in 0u32..25u32 {
            let v7_l1: u32 = a8_reduce[(v43 as usize).wrapping_mul(4usize)];
            let v8_r1: u32 = a8_reduce[(v43 as usize).wrapping_mul(4usize).wrapping_add(2usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a8_reduce[(v43 as usize).wrapping_mul(4usize)] = v9_product.wrapping_sub(v8_r1);
        }
        for v44 in 0u32..12u32 {
            let v7_l1: u32 = a8_reduce[(v44 as usize).wrapping_mul(8usize)];
            let v8_r1: u32 = a8_reduce[(v44 as usize).wrapping_mul(8usize).wrapping_add(4usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a8_reduce[(v44 as usize).wrapping_mul(8usize)] = v9_product.wrapping_sub(v8_r1);
        }
        for v45 in 0u32..6u32 {
            let v7_l1: u32 = a8_reduce[(v45 as usize).wrapping_mul(16usize)];
            let v8_r1: u32 = a8_reduce[(v45 as usize).wrapping_mul(16usize).wrapping_add(8usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a8_reduce[(v45 as usize).wrapping_mul(16usize)] = v9_product.wrapping_sub(v8_r1);
        }
        for v46 in 0u32..3u32 {
            let v7_l1: u32 = a8_reduce[(v46 as usize).wrapping_mul(32usize)];
            let v8_r1: u32 = a8_reduce[(v46 as usize).wrapping_mul(32usize).wrapping_add(16usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a8_reduce[(v46 as usize).wrapping_mul(32usize)] = v9_product.wrapping_sub(v8_r1);
        }
        for v47 in 0u32..2u32 {
            let v7_l1: u32 = a8_reduce[(v47 as usize).wrapping_mul(64usize)];
            let v8_r1: u32 = a8_reduce[(v47 as usize).wrapping_mul(64usize).wrapping_add(32usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a8_reduce[(v47 as usize).wrapping_mul(64usize)] = v9_product.wrapping_sub(v8_r1);
        }
        for v48 in 0u32..1u32 {
            let v7_l1: u32 = a8_reduce[(v48 as usize).wrapping_mul(128usize)];
            let v8_r1: u32 = a8_reduce[(v48 as usize).wrapping_mul(128usize).wrapping_add(64usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a8_reduce[(v48 as usize).wrapping_mul(128usize)] = v9_product.wrapping_sub(v8_r1);
        }
        for v10_j1 in 0u32..1u32 {
            let v11: u32 = a8_reduce[v10_j1 as usize];
            a1_total[v10_j1 as usize] = v11;
        }
        for v49 in 0u32..50u32 {
            let v13_l2: u32 = a7_inclusive_scan[(v49 as usize).wrapping_mul(2usize)];
            let v14_r2: u32 = a7_inclusive_scan[(v49 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a7_inclusive_scan[(v49 as usize).wrapping_mul(2usize).wrapping_add(1usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        for v50 in 0u32..50u32 {
            let v13_l2: u32 = a7_inclusive_scan[(rt::ops::div(v50, 2u32) as usize).wrapping_mul(4usize).wrapping_add(1usize)];
            let v14_r2: u32 = a7_inclusive_scan[(rt::ops::div(v50, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v50, 2u32) as usize).wrapping_add(2usize)];
            a7_inclusive_scan[(rt::ops::div(v50, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v50, 2u32) as usize).wrapping_add(2usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        'l5: for v90 in 0u32..12u32 {
            for v91 in 0u32..4u32 {
                let v13_l2: u32 = a7_inclusive_scan[(v90 as usize).wrapping_mul(8usize).wrapping_add(3usize)];
                let v14_r2: u32 = a7_inclusive_scan[(v90 as usize).wrapping_mul(8usize).wrapping_add(v91 as usize).wrapping_add(4usize)];
                a7_inclusive_scan[(v90 as usize).wrapping_mul(8usize).wrapping_add(v91 as usize).wrapping_add(4usize)] = v13_l2.wrapping_sub(v14_r2);
            }
        }
        'l6: for v93 in 0u32..6u32 {
            for v94 in 0u32..8u32 {
                let v13_l2: u32 = a7_inclusive_scan[(v93 as usize).wrapping_mul(16usize).wrapping_add(7usize)];
                let v14_r2: u32 = a7_inclusive_scan[(v93 as usize).wrapping_mul(16usize).wrapping_add(v94 as usize).wrapping_add(8usize)];
                a7_inclusive_scan[(v93 as usize).wrapping_mul(16usize).wrapping_add(v94 as usize).wrapping_add(8usize)] = v13_l2.wrapping_sub(v14_r2);
            }
        }
        'l7: for v96 in 0u32..3u32 {
            for v97 in 0u32..16u32 {
                let v13_l2: u32 = a7_inclusive_scan[(v96 as usize).wrapping_mul(32usize).wrapping_add(15usize)];
                let v14_r2: u32 = a7_inclusive_scan[(v96 as usize).wrapping_mul(32usize).wrapping_add(v97 as usize).wrapping_add(16usize)];
                a7_inclusive_scan[(v96 as usize).wrapping_mul(32usize).wrapping_add(v97 as usize).wrapping_add(16usize)] = v13_l2.wrapping_sub(v14_r2);
            }
        }
        for v54 in 0u32..36u32 {
            let v13_l2: u32 = a7_inclusive_scan[(rt::ops::div(v54, 32u32) as usize).wrapping_mul(64usize).wrapping_add(31usize)];
            let v14_r2: u32 = a7_inclusive_scan[(rt::ops::div(v54, 32u32) as usize).wrapping_mul(64usize).wrapping_add(rt::ops::rem(v54, 32u32) as usize).wrapping_add(32usize)];
            a7_inclusive_scan[(rt::ops::div(v54, 32u32) as usize).wrapping_mul(64usize).wrapping_add(rt::ops::rem(v54, 32u32) as usize).wrapping_add(32usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        for v55 in 0u32..36u32 {
            let v13_l2: u32 = a7_inclusive_scan[(rt::ops::div(v55, 64u32) as usize).wrapping_mul(128usize).wrapping_add(63usize)];
            let v14_r2: u32 = a7_inclusive_scan[(rt::ops::div(v55, 64u32) as usize).wrapping_mul(128usize).wrapping_add(rt::ops::rem(v55, 64u32) as usize).wrapping_add(64usize)];
            a7_inclusive_scan[(rt::ops::div(v55, 64u32) as usize).wrapping_mul(128usize).wrapping_add(rt::ops::rem(v55, 64u32) as usize).wrapping_add(64usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        let w8: &mut [u32] = &mut a2_before[0usize..][..100usize];
        for v15_j2 in 0u32..100u32 {
            let mut v56: u32 = v0_b;
            if (0u32 < v15_j2) {
                let v13_l2: u32 = v0_b;
                let v14_r2: u32 = a7_inclusive_scan[(v15_j2 as usize).wrapping_sub(1usize)];
                v56 = v13_l2.wrapping_sub(v14_r2);
            }
            let v16: u32 = v56;
            w8[v15_j2 as usize] = v16;
        }
        let w9: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        let w10: &mut [u32] = &mut a3_sorted[0usize..][..100usize];
        for v17_w in 0u32..10u32 {
            let mut a6_own: [u32; 10] = [0u32; 10];
            let v31: u32 = v30.wrapping_add(v17_w.wrapping_mul(10u32));
            a6_own[0usize..][..10usize].copy_from_slice(&w9[(v17_w as usize).wrapping_mul(10usize)..][..10usize]);
            let mut a10_sort: [u32; 10] = [0u32; 10];
            for v19_i3 in 0u32..10u32 {
                a10_sort[v19_i3 as usize] = a6_own[(v19_i3 ^ 1u32) as usize];
            }
            for v57 in 0u32..2u32 {
                if ((v57 & 8u32) == 0u32) {
                    let v20_l3: u32 = a10_sort[(v57 as usize).wrapping_add(8usize)];
                    let v21_r3: u32 = a10_sort[v57 as usize];
                    let v58: bool = (v20_l3 < v21_r3);
                    a10_sort[v57 as usize] = (if v58 { v20_l3 } else { v21_r3 });
                    a10_sort[(v57 as usize).wrapping_add(8usize)] = (if v58 { v21_r3 } else { v20_l3 });
                }
            }
            for v59 in 0u32..6u32 {
                if ((v59 & 4u32) == 0u32) {
                    let v20_l3: u32 = a10_sort[(v59 as usize).wrapping_add(4usize)];
                    let v21_r3: u32 = a10_sort[v59 as usize];
                    let v60: bool = (v20_l3 < v21_r3);
                    a10_sort[v59 as usize] = (if v60 { v20_l3 } else { v21_r3 });
                    a10_sort[(v59 as usize).wrapping_add(4usize)] = (if v60 { v21_r3 } else { v20_l3 });
                }
            }
            for v61 in 0u32..6u32 {
                if ((v61 & 4u32) == 4u32) {
                    let v20_l3: u32 = a10_sort[(v61 as usize).wrapping_add(4usize)];
                    let v21_r3: u32 = a10_sort[v61 as usize];
                    let v62: bool = (v20_l3 < v21_r3);
                    a10_sort[v61 as usize] = (if v62 { v20_l3 } else { v21_r3 });
                    a10_sort[(v61 as usize).wrapping_add(4usize)] = (if v62 { v21_r3 } else { v20_l3 });
                }
            }
            for v63 in 0u32..8u32 {
                if ((v63 & 2u32) == 0u32) {
                    let v20_l3: u32 = a10_sort[(v63 as usize).wrapping_add(2usize)];
                    let v21_r3: u32 = a10_sort[v63 as usize];
                    let v64: bool = (v20_l3 < v21_r3);
                    a10_sort[v63 as usize] = (if v64 { v20_l3 } else { v21_r3 });
                    a10_sort[(v63 as usize).wrapping_add(2usize)] = (if v64 { v21_r3 } else { v20_l3 });
                }
            }
            for v65 in 0u32..4u32 {
                if ((v65 & 2u32) == 2u32) {
                    let v20_l3: u32 = a10_sort[(v65 as usize).wrapping_add(6usize)];
                    let v21_r3: u32 = a10_sort[v65 as usize];
                    let v66: bool = (v20_l3 < v21_r3);
                    a10_sort[v65 as usize] = (if v66 { v20_l3 } else { v21_r3 });
                    a10_sort[(v65 as usize).wrapping_add(6usize)] = (if v66 { v21_r3 } else { v20_l3 });
                }
            }
            for v67 in 0u32..8u32 {
                if ((v67 & 2u32) == 2u32) {
                    let v20_l3: u32 = a10_sort[(v67 as usize).wrapping_add(2usize)];
                    let v21_r3: u32 = a10_sort[v67 as usize];
                    let v68: bool = (v20_l3 < v21_r3);
                    a10_sort[v67 as usize] = (if v68 { v20_l3 } else { v21_r3 });
                    a10_sort[(v67 as usize).wrapping_add(2usize)] = (if v68 { v21_r3 } else { v20_l3 });
                }
            }
            for v69 in 0u32..9u32 {
                if ((v69 & 1u32) == 0u32) {
                    let v20_l3: u32 = a10_sort[(v69 as usize).wrapping_add(1usize)];
                    let v21_r3: u32 = a10_sort[v69 as usize];
                    let v70: bool = (v20_l3 < v21_r3);
                    a10_sort[v69 as usize] = (if v70 { v20_l3 } else { v21_r3 });
                    a10_sort[(v69 as usize).wrapping_add(1usize)] = (if v70 { v21_r3 } else { v20_l3 });
                }
            }
            for v71 in 0u32..3u32 {
                if ((v71 & 1u32) == 1u32) {
                    let v20_l3: u32 = a10_sort[(v71 as usize).wrapping_add(7usize)];
                    let v21_r3: u32 = a10_sort[v71 as usize];
                    let v72: bool = (v20_l3 < v21_r3);
                    a10_sort[v71 as usize] = (if v72 { v20_l3 } else { v21_r3 });
                    a10_sort[(v71 as usize).wrapping_add(7usize)] = (if v72 { v21_r3 } else { v20_l3 });
                }
            }
            for v73 in 0u32..7u32 {
                if ((v73 & 1u32) == 1u32) {
                    let v20_l3: u32 = a10_sort[(v73 as usize).wrapping_add(3usize)];
                    let v21_r3: u32 = a10_sort[v73 as usize];
                    let v74: bool = (v20_l3 < v21_r3);
                    a10_sort[v73 as usize] = (if v74 { v20_l3 } else { v21_r3 });
                    a10_sort[(v73 as usize).wrapping_add(3usize)] = (if v74 { v21_r3 } else { v20_l3 });
                }
            }
            for v75 in 0u32..9u32 {
                if ((v75 & 1u32) == 1u32) {
                    let v20_l3: u32 = a10_sort[(v75 as usize).wrapping_add(1usize)];
                    let v21_r3: u32 = a10_sort[v75 as usize];
                    let v76: bool = (v20_l3 < v21_r3);
                    a10_sort[v75 as usize] = (if v76 { v20_l3 } else { v21_r3 });
                    a10_sort[(v75 as usize).wrapping_add(1usize)] = (if v76 { v21_r3 } else { v20_l3 });
                }
            }
            w10[(v17_w as usize).wrapping_mul(10usize)..][..10usize].copy_from_slice(&a10_sort[0usize..][..10usize]);
        }
        let v32: u32 = v0_b.wrapping_mul(10u32);
        let w11: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        let w12: &mut [u32] = &mut a4_rows[0usize..][..10usize];
        for v24_t in 0u32..10u32 {
            let v33: u32 = v30.wrapping_add(v24_t.wrapping_mul(10u32));
            let v34: u32 = v32.wrapping_add(v24_t);
            let mut a11_reduce: [u32; 10] = [0u32; 10];
            a11_reduce[0usize..][..10usize].copy_from_slice(&w11[(v24_t as usize).wrapping_mul(10usize)..][..10usize]);
            for v77 in 0u32..5u32 {
                let v26_l4: u32 = a11_reduce[(v77 as usize).wrapping_mul(2usize)];
                let v27_r4: u32 = a11_reduce[(v77 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
                a11_reduce[(v77 as usize).wrapping_mul(2usize)] = v26_l4.wrapping_sub(v27_r4);
            }
            for v78 in 0u32..2u32 {
                let v26_l4: u32 = a11_reduce[(v78 as usize).wrapping_mul(4usize)];
                let v27_r4: u32 = a11_reduce[(v78 as usize).wrapping_mul(4usize).wrapping_add(2usize)];
                a11_reduce[(v78 as usize).wrapping_mul(4usize)] = v26_l4.wrapping_sub(v27_r4);
            }
            for v79 in 0u32..1u32 {
                let v26_l4: u32 = a11_reduce[(v79 as usize).wrapping_mul(8usize)];
                let v27_r4: u32 = a11_reduce[(v79 as usize).wrapping_mul(8usize).wrapping_add(4usize)];
                a11_reduce[(v79 as usize).wrapping_mul(8usize)] = v26_l4.wrapping_sub(v27_r4);
            }
            for v80 in 0u32..1u32 {
                let v26_l4: u32 = a11_reduce[(v80 as usize).wrapping_mul(16usize)];
                let v27_r4: u32 = a11_reduce[(v80 as usize).wrapping_mul(16usize).wrapping_add(8usize)];
                a11_reduce[(v80 as usize).wrapping_mul(16usize)] = v26_l4.wrapping_sub(v27_r4);
            }
            for v28_j4 in 0u32..1u32 {
                let v29: u32 = a11_reduce[v28_j4 as usize];
                w12[(v24_t as usize).wrapping_add(v28_j4 as usize)] = v29;
            }
        }
    });
}

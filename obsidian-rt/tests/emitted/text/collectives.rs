fn cpu(call: &mut ::obsidian_rt::generated::Call<'_>) {
    use ::obsidian_rt::generated as rt;
    let n0_x: u32 = call.length(0usize);
    let a0_x: &[u32] = call.input::<u32>(0usize);
    let n1_total: u32 = call.length(1usize);
    let a1_total = call.cells::<u32>(1usize);
    let n2_before: u32 = call.length(2usize);
    let a2_before = call.cells::<u32>(2usize);
    let n3_sorted: u32 = call.length(3usize);
    let a3_sorted = call.cells::<u32>(3usize);
    let n4_rows: u32 = call.length(4usize);
    let a4_rows = call.cells::<u32>(4usize);
    call.blocks(rt::ops::div(n0_x, 100u32), (), |v0_b: u32, ()| {
        let mut a7_inclusive_scan: [u32; 100] = [0u32; 100];
        let w1: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        a7_inclusive_scan[0usize..][..100usize].copy_from_slice(&w1[0usize..][..100usize]);
        for v30 in 0u32..50u32 {
            let v2_l: u32 = a7_inclusive_scan[(v30 as usize).wrapping_mul(2usize)];
            let v3_r: u32 = a7_inclusive_scan[(v30 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a7_inclusive_scan[(v30 as usize).wrapping_mul(2usize).wrapping_add(1usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
        }
        for v31 in 0u32..50u32 {
            let v2_l: u32 = a7_inclusive_scan[(rt::ops::div(v31, 2u32) as usize).wrapping_mul(4usize).wrapping_add(1usize)];
            let v3_r: u32 = a7_inclusive_scan[(rt::ops::div(v31, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v31, 2u32) as usize).wrapping_add(2usize)];
            a7_inclusive_scan[(rt::ops::div(v31, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v31, 2u32) as usize).wrapping_add(2usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
        }
        'l2: for v86 in 0u32..12u32 {
            for v87 in 0u32..4u32 {
                let v2_l: u32 = a7_inclusive_scan[(v86 as usize).wrapping_mul(8usize).wrapping_add(3usize)];
                let v3_r: u32 = a7_inclusive_scan[(v86 as usize).wrapping_mul(8usize).wrapping_add(v87 as usize).wrapping_add(4usize)];
                a7_inclusive_scan[(v86 as usize).wrapping_mul(8usize).wrapping_add(v87 as usize).wrapping_add(4usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
            }
        }
        'l3: for v89 in 0u32..6u32 {
            for v90 in 0u32..8u32 {
                let v2_l: u32 = a7_inclusive_scan[(v89 as usize).wrapping_mul(16usize).wrapping_add(7usize)];
                let v3_r: u32 = a7_inclusive_scan[(v89 as usize).wrapping_mul(16usize).wrapping_add(v90 as usize).wrapping_add(8usize)];
                a7_inclusive_scan[(v89 as usize).wrapping_mul(16usize).wrapping_add(v90 as usize).wrapping_add(8usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
            }
        }
        'l4: for v92 in 0u32..3u32 {
            for v93 in 0u32..16u32 {
                let v2_l: u32 = a7_inclusive_scan[(v92 as usize).wrapping_mul(32usize).wrapping_add(15usize)];
                let v3_r: u32 = a7_inclusive_scan[(v92 as usize).wrapping_mul(32usize).wrapping_add(v93 as usize).wrapping_add(16usize)];
                a7_inclusive_scan[(v92 as usize).wrapping_mul(32usize).wrapping_add(v93 as usize).wrapping_add(16usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
            }
        }
        for v35 in 0u32..36u32 {
            let v2_l: u32 = a7_inclusive_scan[(rt::ops::div(v35, 32u32) as usize).wrapping_mul(64usize).wrapping_add(31usize)];
            let v3_r: u32 = a7_inclusive_scan[(rt::ops::div(v35, 32u32) as usize).wrapping_mul(64usize).wrapping_add(rt::ops::rem(v35, 32u32) as usize).wrapping_add(32usize)];
            a7_inclusive_scan[(rt::ops::div(v35, 32u32) as usize).wrapping_mul(64usize).wrapping_add(rt::ops::rem(v35, 32u32) as usize).wrapping_add(32usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
        }
        for v36 in 0u32..36u32 {
            let v2_l: u32 = a7_inclusive_scan[(rt::ops::div(v36, 64u32) as usize).wrapping_mul(128usize).wrapping_add(63usize)];
            let v3_r: u32 = a7_inclusive_scan[(rt::ops::div(v36, 64u32) as usize).wrapping_mul(128usize).wrapping_add(rt::ops::rem(v36, 64u32) as usize).wrapping_add(64usize)];
            a7_inclusive_scan[(rt::ops::div(v36, 64u32) as usize).wrapping_mul(128usize).wrapping_add(rt::ops::rem(v36, 64u32) as usize).wrapping_add(64usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
        }
        let mut a8_reduce: [u32; 100] = [0u32; 100];
        a8_reduce[0usize..][..100usize].copy_from_slice(&a7_inclusive_scan[0usize..][..100usize]);
        let mut a9_reduce: [u32; 50] = [0u32; 50];
        for v37 in 0u32..50u32 {
            let v7_l1: u32 = a8_reduce[(v37 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a8_reduce[(v37 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a9_reduce[v37 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        let mut a10_reduce: [u32; 25] = [0u32; 25];
        for v38 in 0u32..25u32 {
            let v7_l1: u32 = a9_reduce[(v38 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a9_reduce[(v38 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a10_reduce[v38 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        let mut a11_reduce: [u32; 13] = [0u32; 13];
        for v39 in 0u32..12u32 {
            let v7_l1: u32 = a10_reduce[(v39 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a10_reduce[(v39 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a11_reduce[v39 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        for v40 in 0u32..1u32 {
            let v41: u32 = a10_reduce[24usize];
            a11_reduce[12usize] = v41;
        }
        let mut a12_reduce: [u32; 7] = [0u32; 7];
        for v42 in 0u32..6u32 {
            let v7_l1: u32 = a11_reduce[(v42 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a11_reduce[(v42 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a12_reduce[v42 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        for v43 in 0u32..1u32 {
            let v44: u32 = a11_reduce[12usize];
            a12_reduce[6usize] = v44;
        }
        let mut a13_reduce: [u32; 4] = [0u32; 4];
        for v45 in 0u32..3u32 {
            let v7_l1: u32 = a12_reduce[(v45 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a12_reduce[(v45 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a13_reduce[v45 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        for v46 in 0u32..1u32 {
            let v47: u32 = a12_reduce[6usize];
            a13_reduce[3usize] = v47;
        }
        let mut a14_reduce: [u32; 2] = [0u32; 2];
        for v48 in 0u32..2u32 {
            let v7_l1: u32 = a13_reduce[(v48 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a13_reduce[(v48 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a14_reduce[v48 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        let mut a15_reduce: [u32; 1] = [0u32; 1];
        for v49 in 0u32..1u32 {
            let v7_l1: u32 = a14_reduce[(v49 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a14_reduce[(v49 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a15_reduce[v49 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        for v10_j1 in 0u32..1u32 {
            let v11: u32 = a15_reduce[v10_j1 as usize];
            a1_total.store((v0_b as usize).wrapping_add(v10_j1 as usize), v11);
        }
        for v50 in 0u32..50u32 {
            let v13_l2: u32 = a7_inclusive_scan[(v50 as usize).wrapping_mul(2usize)];
            let v14_r2: u32 = a7_inclusive_scan[(v50 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a7_inclusive_scan[(v50 as usize).wrapping_mul(2usize).wrapping_add(1usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        for v51 in 0u32..50u32 {
            let v13_l2: u32 = a7_inclusive_scan[(rt::ops::div(v51, 2u32) as usize).wrapping_mul(4usize).wrapping_add(1usize)];
            let v14_r2: u32 = a7_inclusive_scan[(rt::ops::div(v51, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v51, 2u32) as usize).wrapping_add(2usize)];
            a7_inclusive_scan[(rt::ops::div(v51, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v51, 2u32) as usize).wrapping_add(2usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        'l5: for v95 in 0u32..12u32 {
            for v96 in 0u32..4u32 {
                let v13_l2: u32 = a7_inclusive_scan[(v95 as usize).wrapping_mul(8usize).wrapping_add(3usize)];
                let v14_r2: u32 = a7_inclusive_scan[(v95 as usize).wrapping_mul(8usize).wrapping_add(v96 as usize).wrapping_add(4usize)];
                a7_inclusive_scan[(v95 as usize).wrapping_mul(8usize).wrapping_add(v96 as usize).wrapping_add(4usize)] = v13_l2.wrapping_sub(v14_r2);
            }
        }
        'l6: for v98 in 0u32..6u32 {
            for v99 in 0u32..8u32 {
                let v13_l2: u32 = a7_inclusive_scan[(v98 as usize).wrapping_mul(16usize).wrapping_add(7usize)];
                let v14_r2: u32 = a7_inclusive_scan[(v98 as usize).wrapping_mul(16usize).wrapping_add(v99 as usize).wrapping_add(8usize)];
                a7_inclusive_scan[(v98 as usize).wrapping_mul(16usize).wrapping_add(v99 as usize).wrapping_add(8usize)] = v13_l2.wrapping_sub(v14_r2);
            }
        }
        'l7: for v101 in 0u32..3u32 {
            for v102 in 0u32..16u32 {
                let v13_l2: u32 = a7_inclusive_scan[(v101 as usize).wrapping_mul(32usize).wrapping_add(15usize)];
                let v14_r2: u32 = a7_inclusive_scan[(v101 as usize).wrapping_mul(32usize).wrapping_add(v102 as usize).wrapping_add(16usize)];
                a7_inclusive_scan[(v101 as usize).wrapping_mul(32usize).wrapping_add(v102 as usize).wrapping_add(16usize)] = v13_l2.wrapping_sub(v14_r2);
            }
        }
        for v55 in 0u32..36u32 {
            let v13_l2: u32 = a7_inclusive_scan[(rt::ops::div(v55, 32u32) as usize).wrapping_mul(64usize).wrapping_add(31usize)];
            let v14_r2: u32 = a7_inclusive_scan[(rt::ops::div(v55, 32u32) as usize).wrapping_mul(64usize).wrapping_add(rt::ops::rem(v55, 32u32) as usize).wrapping_add(32usize)];
            a7_inclusive_scan[(rt::ops::div(v55, 32u32) as usize).wrapping_mul(64usize).wrapping_add(rt::ops::rem(v55, 32u32) as usize).wrapping_add(32usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        for v56 in 0u32..36u32 {
            let v13_l2: u32 = a7_inclusive_scan[(rt::ops::div(v56, 64u32) as usize).wrapping_mul(128usize).wrapping_add(63usize)];
            let v14_r2: u32 = a7_inclusive_scan[(rt::ops::div(v56, 64u32) as usize).wrapping_mul(128usize).wrapping_add(rt::ops::rem(v56, 64u32) as usize).wrapping_add(64usize)];
            a7_inclusive_scan[(rt::ops::div(v56, 64u32) as usize).wrapping_mul(128usize).wrapping_add(rt::ops::rem(v56, 64u32) as usize).wrapping_add(64usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        let w8: rt::Cells<'_, u32> = a2_before.window((v0_b as usize).wrapping_mul(100usize), 100usize);
        for v15_j2 in 0u32..100u32 {
            let mut v57: u32 = v0_b;
            if (0u32 < v15_j2) {
                let v13_l2: u32 = v0_b;
                let v14_r2: u32 = a7_inclusive_scan[(v15_j2 as usize).wrapping_sub(1usize)];
                v57 = v13_l2.wrapping_sub(v14_r2);
            }
            let v16: u32 = v57;
            w8.store(v15_j2 as usize, v16);
        }
        let w9: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        let w10: rt::Cells<'_, u32> = a3_sorted.window((v0_b as usize).wrapping_mul(100usize), 100usize);
        for v17_w in 0u32..10u32 {
            let mut a6_own: [u32; 10] = [0u32; 10];
            a6_own[0usize..][..10usize].copy_from_slice(&w9[(v17_w as usize).wrapping_mul(10usize)..][..10usize]);
            let mut a17_sort: [u32; 10] = [0u32; 10];
            for v19_i3 in 0u32..10u32 {
                a17_sort[v19_i3 as usize] = a6_own[(v19_i3 ^ 1u32) as usize];
            }
            for v58 in 0u32..2u32 {
                if ((v58 & 8u32) == 0u32) {
                    let v20_l3: u32 = a17_sort[(v58 as usize).wrapping_add(8usize)];
                    let v21_r3: u32 = a17_sort[v58 as usize];
                    let v59: bool = (v20_l3 < v21_r3);
                    a17_sort[v58 as usize] = (if v59 { v20_l3 } else { v21_r3 });
                    a17_sort[(v58 as usize).wrapping_add(8usize)] = (if v59 { v21_r3 } else { v20_l3 });
                }
            }
            for v60 in 0u32..6u32 {
                if ((v60 & 4u32) == 0u32) {
                    let v20_l3: u32 = a17_sort[(v60 as usize).wrapping_add(4usize)];
                    let v21_r3: u32 = a17_sort[v60 as usize];
                    let v61: bool = (v20_l3 < v21_r3);
                    a17_sort[v60 as usize] = (if v61 { v20_l3 } else { v21_r3 });
                    a17_sort[(v60 as usize).wrapping_add(4usize)] = (if v61 { v21_r3 } else { v20_l3 });
                }
            }
            for v62 in 0u32..6u32 {
                if ((v62 & 4u32) == 4u32) {
                    let v20_l3: u32 = a17_sort[(v62 as usize).wrapping_add(4usize)];
                    let v21_r3: u32 = a17_sort[v62 as usize];
                    let v63: bool = (v20_l3 < v21_r3);
                    a17_sort[v62 as usize] = (if v63 { v20_l3 } else { v21_r3 });
                    a17_sort[(v62 as usize).wrapping_add(4usize)] = (if v63 { v21_r3 } else { v20_l3 });
                }
            }
            for v64 in 0u32..8u32 {
                if ((v64 & 2u32) == 0u32) {
                    let v20_l3: u32 = a17_sort[(v64 as usize).wrapping_add(2usize)];
                    let v21_r3: u32 = a17_sort[v64 as usize];
                    let v65: bool = (v20_l3 < v21_r3);
                    a17_sort[v64 as usize] = (if v65 { v20_l3 } else { v21_r3 });
                    a17_sort[(v64 as usize).wrapping_add(2usize)] = (if v65 { v21_r3 } else { v20_l3 });
                }
            }
            for v66 in 0u32..4u32 {
                if ((v66 & 2u32) == 2u32) {
                    let v20_l3: u32 = a17_sort[(v66 as usize).wrapping_add(6usize)];
                    let v21_r3: u32 = a17_sort[v66 as usize];
                    let v67: bool = (v20_l3 < v21_r3);
                    a17_sort[v66 as usize] = (if v67 { v20_l3 } else { v21_r3 });
                    a17_sort[(v66 as usize).wrapping_add(6usize)] = (if v67 { v21_r3 } else { v20_l3 });
                }
            }
            for v68 in 0u32..8u32 {
                if ((v68 & 2u32) == 2u32) {
                    let v20_l3: u32 = a17_sort[(v68 as usize).wrapping_add(2usize)];
                    let v21_r3: u32 = a17_sort[v68 as usize];
                    let v69: bool = (v20_l3 < v21_r3);
                    a17_sort[v68 as usize] = (if v69 { v20_l3 } else { v21_r3 });
                    a17_sort[(v68 as usize).wrapping_add(2usize)] = (if v69 { v21_r3 } else { v20_l3 });
                }
            }
            for v70 in 0u32..9u32 {
                if ((v70 & 1u32) == 0u32) {
                    let v20_l3: u32 = a17_sort[(v70 as usize).wrapping_add(1usize)];
                    let v21_r3: u32 = a17_sort[v70 as usize];
                    let v71: bool = (v20_l3 < v21_r3);
                    a17_sort[v70 as usize] = (if v71 { v20_l3 } else { v21_r3 });
                    a17_sort[(v70 as usize).wrapping_add(1usize)] = (if v71 { v21_r3 } else { v20_l3 });
                }
            }
            for v72 in 0u32..3u32 {
                if ((v72 & 1u32) == 1u32) {
                    let v20_l3: u32 = a17_sort[(v72 as usize).wrapping_add(7usize)];
                    let v21_r3: u32 = a17_sort[v72 as usize];
                    let v73: bool = (v20_l3 < v21_r3);
                    a17_sort[v72 as usize] = (if v73 { v20_l3 } else { v21_r3 });
                    a17_sort[(v72 as usize).wrapping_add(7usize)] = (if v73 { v21_r3 } else { v20_l3 });
                }
            }
            for v74 in 0u32..7u32 {
                if ((v74 & 1u32) == 1u32) {
                    let v20_l3: u32 = a17_sort[(v74 as usize).wrapping_add(3usize)];
                    let v21_r3: u32 = a17_sort[v74 as usize];
                    let v75: bool = (v20_l3 < v21_r3);
                    a17_sort[v74 as usize] = (if v75 { v20_l3 } else { v21_r3 });
                    a17_sort[(v74 as usize).wrapping_add(3usize)] = (if v75 { v21_r3 } else { v20_l3 });
                }
            }
            for v76 in 0u32..9u32 {
                if ((v76 & 1u32) == 1u32) {
                    let v20_l3: u32 = a17_sort[(v76 as usize).wrapping_add(1usize)];
                    let v21_r3: u32 = a17_sort[v76 as usize];
                    let v77: bool = (v20_l3 < v21_r3);
                    a17_sort[v76 as usize] = (if v77 { v20_l3 } else { v21_r3 });
                    a17_sort[(v76 as usize).wrapping_add(1usize)] = (if v77 { v21_r3 } else { v20_l3 });
                }
            }
            for v22_j3 in 0u32..10u32 {
                let v23: u32 = a17_sort[v22_j3 as usize];
                w10.store((v17_w as usize).wrapping_mul(10usize).wrapping_add(v22_j3 as usize), v23);
            }
        }
        let w11: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        let w12: rt::Cells<'_, u32> = a4_rows.window((v0_b as usize).wrapping_mul(10usize), 10usize);
        for v24_t in 0u32..10u32 {
            let mut a18_reduce: [u32; 10] = [0u32; 10];
            a18_reduce[0usize..][..10usize].copy_from_slice(&w11[(v24_t as usize).wrapping_mul(10usize)..][..10usize]);
            let mut a19_reduce: [u32; 5] = [0u32; 5];
            for v78 in 0u32..5u32 {
                let v26_l4: u32 = a18_reduce[(v78 as usize).wrapping_mul(2usize)];
                let v27_r4: u32 = a18_reduce[(v78 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
                a19_reduce[v78 as usize] = v26_l4.wrapping_sub(v27_r4);
            }
            let mut a20_reduce: [u32; 3] = [0u32; 3];
            for v79 in 0u32..2u32 {
                let v26_l4: u32 = a19_reduce[(v79 as usize).wrapping_mul(2usize)];
                let v27_r4: u32 = a19_reduce[(v79 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
                a20_reduce[v79 as usize] = v26_l4.wrapping_sub(v27_r4);
            }
            for v80 in 0u32..1u32 {
                let v81: u32 = a19_reduce[4usize];
                a20_reduce[2usize] = v81;
            }
            let mut a21_reduce: [u32; 2] = [0u32; 2];
            for v82 in 0u32..1u32 {
                let v26_l4: u32 = a20_reduce[(v82 as usize).wrapping_mul(2usize)];
                let v27_r4: u32 = a20_reduce[(v82 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
                a21_reduce[v82 as usize] = v26_l4.wrapping_sub(v27_r4);
            }
            for v83 in 0u32..1u32 {
                let v84: u32 = a20_reduce[2usize];
                a21_reduce[1usize] = v84;
            }
            let mut a22_reduce: [u32; 1] = [0u32; 1];
            for v85 in 0u32..1u32 {
                let v26_l4: u32 = a21_reduce[(v85 as usize).wrapping_mul(2usize)];
                let v27_r4: u32 = a21_reduce[(v85 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
                a22_reduce[v85 as usize] = v26_l4.wrapping_sub(v27_r4);
            }
            for v28_j4 in 0u32..1u32 {
                let v29: u32 = a22_reduce[v28_j4 as usize];
                w12.store((v24_t as usize).wrapping_add(v28_j4 as usize), v29);
            }
        }
    });
}

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
        let mut a5_prefixes: [u32; 100] = [0u32; 100];
        let mut a7_inclusive_scan: [u32; 100] = [0u32; 100];
        let w1: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        for v1_i in 0u32..100u32 {
            let v31: u32 = w1[v1_i as usize];
            a7_inclusive_scan[v1_i as usize] = v31;
        }
        for v32 in 0u32..50u32 {
            let v2_l: u32 = a7_inclusive_scan[(v32 as usize).wrapping_mul(2usize)];
            let v3_r: u32 = a7_inclusive_scan[(v32 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a7_inclusive_scan[(v32 as usize).wrapping_mul(2usize).wrapping_add(1usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
        }
        for v33 in 0u32..50u32 {
            let v2_l: u32 = a7_inclusive_scan[(rt::ops::div(v33, 2u32) as usize).wrapping_mul(4usize).wrapping_add(1usize)];
            let v3_r: u32 = a7_inclusive_scan[(rt::ops::div(v33, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v33, 2u32) as usize).wrapping_add(2usize)];
            a7_inclusive_scan[(rt::ops::div(v33, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v33, 2u32) as usize).wrapping_add(2usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
        }
        'l2: for v140 in 0u32..12u32 {
            for v141 in 0u32..4u32 {
                let v2_l: u32 = a7_inclusive_scan[(v140 as usize).wrapping_mul(8usize).wrapping_add(3usize)];
                let v3_r: u32 = a7_inclusive_scan[(v140 as usize).wrapping_mul(8usize).wrapping_add(v141 as usize).wrapping_add(4usize)];
                a7_inclusive_scan[(v140 as usize).wrapping_mul(8usize).wrapping_add(v141 as usize).wrapping_add(4usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
            }
        }
        'l3: for v143 in 0u32..6u32 {
            for v144 in 0u32..8u32 {
                let v2_l: u32 = a7_inclusive_scan[(v143 as usize).wrapping_mul(16usize).wrapping_add(7usize)];
                let v3_r: u32 = a7_inclusive_scan[(v143 as usize).wrapping_mul(16usize).wrapping_add(v144 as usize).wrapping_add(8usize)];
                a7_inclusive_scan[(v143 as usize).wrapping_mul(16usize).wrapping_add(v144 as usize).wrapping_add(8usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
            }
        }
        'l4: for v146 in 0u32..3u32 {
            for v147 in 0u32..16u32 {
                let v2_l: u32 = a7_inclusive_scan[(v146 as usize).wrapping_mul(32usize).wrapping_add(15usize)];
                let v3_r: u32 = a7_inclusive_scan[(v146 as usize).wrapping_mul(32usize).wrapping_add(v147 as usize).wrapping_add(16usize)];
                a7_inclusive_scan[(v146 as usize).wrapping_mul(32usize).wrapping_add(v147 as usize).wrapping_add(16usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
            }
        }
        let mut a8_inclusive_scan: [u32; 3] = [0u32; 3];
        for v37 in 0u32..3u32 {
            let mut v38: u32 = 0u32;
            {
                let v39: u32 = 0u32;
                let v40: u32 = v38;
                let v42: u32 = a7_inclusive_scan[(v37 as usize).wrapping_mul(32usize).wrapping_add(31usize)];
                let mut v41: u32 = v42;
                if (0u32 < v39) {
                    let v43: u32 = a7_inclusive_scan[(v37 as usize).wrapping_mul(32usize).wrapping_add(31usize)];
                    let v44: u32 = v40.wrapping_mul(31u32).wrapping_add(v43);
                    v41 = v44;
                }
                let v45: u32 = v41;
                v38 = v45;
            }
            let v46: u32 = v38;
            a8_inclusive_scan[v37 as usize] = v46;
        }
        for v47 in 0u32..1u32 {
            let v2_l: u32 = a8_inclusive_scan[(v47 as usize).wrapping_mul(2usize)];
            let v3_r: u32 = a8_inclusive_scan[(v47 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a8_inclusive_scan[(v47 as usize).wrapping_mul(2usize).wrapping_add(1usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
        }
        for v48 in 0u32..1u32 {
            let v2_l: u32 = a8_inclusive_scan[(rt::ops::div(v48, 2u32) as usize).wrapping_mul(4usize).wrapping_add(1usize)];
            let v3_r: u32 = a8_inclusive_scan[(rt::ops::div(v48, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v48, 2u32) as usize).wrapping_add(2usize)];
            a8_inclusive_scan[(rt::ops::div(v48, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v48, 2u32) as usize).wrapping_add(2usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
        }
        let mut a9_inclusive_scan: [u32; 4] = [0u32; 4];
        for v49 in 0u32..4u32 {
            let mut v50: u32 = 0u32;
            if (0u32 < v49) {
                let v51: u32 = a8_inclusive_scan[(v49 as usize).wrapping_sub(1usize)];
                v50 = v51;
            }
            {
                let v52: u32 = 0u32;
                if (v49.wrapping_add(v52) < 4u32) {
                    let v53: u32 = v50;
                    a9_inclusive_scan[v49 as usize] = v53;
                    if (v49.wrapping_add(v52) < 3u32) {
                        let v55: u32 = a7_inclusive_scan[(v49 as usize).wrapping_mul(32usize).wrapping_add(31usize)];
                        let mut v54: u32 = v55;
                        if (0u32 < v49.wrapping_add(v52)) {
                            let v56: u32 = a7_inclusive_scan[(v49 as usize).wrapping_mul(32usize).wrapping_add(31usize)];
                            let v57: u32 = v53.wrapping_mul(31u32).wrapping_add(v56);
                            v54 = v57;
                        }
                        let v58: u32 = v54;
                        v50 = v58;
                    }
                }
            }
        }
        for v59 in 0u32..100u32 {
            let v60: u32 = a9_inclusive_scan[rt::ops::div(v59, 32u32) as usize];
            let v62: u32 = a7_inclusive_scan[v59 as usize];
            let mut v61: u32 = v62;
            if (31u32 < v59) {
                let v63: u32 = a7_inclusive_scan[v59 as usize];
                let v64: u32 = v60.wrapping_mul(31u32).wrapping_add(v63);
                v61 = v64;
            }
            let v65: u32 = v61;
            let v5_v: u32 = v65;
            a5_prefixes[v59 as usize] = v5_v;
        }
        let mut a10_reduce: [u32; 100] = [0u32; 100];
        a10_reduce[0usize..][..100usize].copy_from_slice(&a5_prefixes[0usize..][..100usize]);
        let mut a11_reduce: [u32; 50] = [0u32; 50];
        for v66 in 0u32..50u32 {
            let v7_l1: u32 = a10_reduce[(v66 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a10_reduce[(v66 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a11_reduce[v66 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        let mut a12_reduce: [u32; 25] = [0u32; 25];
        for v67 in 0u32..25u32 {
            let v7_l1: u32 = a11_reduce[(v67 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a11_reduce[(v67 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a12_reduce[v67 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        let mut a13_reduce: [u32; 13] = [0u32; 13];
        for v68 in 0u32..12u32 {
            let v7_l1: u32 = a12_reduce[(v68 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a12_reduce[(v68 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a13_reduce[v68 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        for v69 in 0u32..1u32 {
            let v70: u32 = a12_reduce[24usize];
            a13_reduce[12usize] = v70;
        }
        let mut a14_reduce: [u32; 7] = [0u32; 7];
        for v71 in 0u32..6u32 {
            let v7_l1: u32 = a13_reduce[(v71 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a13_reduce[(v71 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a14_reduce[v71 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        for v72 in 0u32..1u32 {
            let v73: u32 = a13_reduce[12usize];
            a14_reduce[6usize] = v73;
        }
        let mut a15_reduce: [u32; 4] = [0u32; 4];
        for v74 in 0u32..3u32 {
            let v7_l1: u32 = a14_reduce[(v74 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a14_reduce[(v74 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a15_reduce[v74 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        for v75 in 0u32..1u32 {
            let v76: u32 = a14_reduce[6usize];
            a15_reduce[3usize] = v76;
        }
        let mut a16_reduce: [u32; 2] = [0u32; 2];
        for v77 in 0u32..2u32 {
            let v7_l1: u32 = a15_reduce[(v77 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a15_reduce[(v77 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a16_reduce[v77 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        let mut a17_reduce: [u32; 1] = [0u32; 1];
        for v78 in 0u32..1u32 {
            let v7_l1: u32 = a16_reduce[(v78 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a16_reduce[(v78 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a17_reduce[v78 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        for v10_j1 in 0u32..1u32 {
            let v11: u32 = a17_reduce[v10_j1 as usize];
            a1_total.store((v0_b as usize).wrapping_add(v10_j1 as usize), v11);
        }
        let mut a18_exclusive_scan: [u32; 100] = [0u32; 100];
        for v12_i2 in 0u32..100u32 {
            let v80: u32 = a5_prefixes[v12_i2 as usize];
            a18_exclusive_scan[v12_i2 as usize] = v80;
        }
        for v81 in 0u32..50u32 {
            let v13_l2: u32 = a18_exclusive_scan[(v81 as usize).wrapping_mul(2usize)];
            let v14_r2: u32 = a18_exclusive_scan[(v81 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a18_exclusive_scan[(v81 as usize).wrapping_mul(2usize).wrapping_add(1usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        for v82 in 0u32..50u32 {
            let v13_l2: u32 = a18_exclusive_scan[(rt::ops::div(v82, 2u32) as usize).wrapping_mul(4usize).wrapping_add(1usize)];
            let v14_r2: u32 = a18_exclusive_scan[(rt::ops::div(v82, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v82, 2u32) as usize).wrapping_add(2usize)];
            a18_exclusive_scan[(rt::ops::div(v82, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v82, 2u32) as usize).wrapping_add(2usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        'l5: for v149 in 0u32..12u32 {
            for v150 in 0u32..4u32 {
                let v13_l2: u32 = a18_exclusive_scan[(v149 as usize).wrapping_mul(8usize).wrapping_add(3usize)];
                let v14_r2: u32 = a18_exclusive_scan[(v149 as usize).wrapping_mul(8usize).wrapping_add(v150 as usize).wrapping_add(4usize)];
                a18_exclusive_scan[(v149 as usize).wrapping_mul(8usize).wrapping_add(v150 as usize).wrapping_add(4usize)] = v13_l2.wrapping_sub(v14_r2);
            }
        }
        'l6: for v152 in 0u32..6u32 {
            for v153 in 0u32..8u32 {
                let v13_l2: u32 = a18_exclusive_scan[(v152 as usize).wrapping_mul(16usize).wrapping_add(7usize)];
                let v14_r2: u32 = a18_exclusive_scan[(v152 as usize).wrapping_mul(16usize).wrapping_add(v153 as usize).wrapping_add(8usize)];
                a18_exclusive_scan[(v152 as usize).wrapping_mul(16usize).wrapping_add(v153 as usize).wrapping_add(8usize)] = v13_l2.wrapping_sub(v14_r2);
            }
        }
        'l7: for v155 in 0u32..3u32 {
            for v156 in 0u32..16u32 {
                let v13_l2: u32 = a18_exclusive_scan[(v155 as usize).wrapping_mul(32usize).wrapping_add(15usize)];
                let v14_r2: u32 = a18_exclusive_scan[(v155 as usize).wrapping_mul(32usize).wrapping_add(v156 as usize).wrapping_add(16usize)];
                a18_exclusive_scan[(v155 as usize).wrapping_mul(32usize).wrapping_add(v156 as usize).wrapping_add(16usize)] = v13_l2.wrapping_sub(v14_r2);
            }
        }
        let mut a19_exclusive_scan: [u32; 3] = [0u32; 3];
        for v86 in 0u32..3u32 {
            let mut v87: u32 = 0u32;
            {
                let v88: u32 = 0u32;
                let v89: u32 = v87;
                let v91: u32 = a18_exclusive_scan[(v86 as usize).wrapping_mul(32usize).wrapping_add(31usize)];
                let mut v90: u32 = v91;
                if (0u32 < v88) {
                    let v92: u32 = a18_exclusive_scan[(v86 as usize).wrapping_mul(32usize).wrapping_add(31usize)];
                    let v93: u32 = v89.wrapping_sub(v92);
                    v90 = v93;
                }
                let v94: u32 = v90;
                v87 = v94;
            }
            let v95: u32 = v87;
            a19_exclusive_scan[v86 as usize] = v95;
        }
        for v96 in 0u32..1u32 {
            let v13_l2: u32 = a19_exclusive_scan[(v96 as usize).wrapping_mul(2usize)];
            let v14_r2: u32 = a19_exclusive_scan[(v96 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a19_exclusive_scan[(v96 as usize).wrapping_mul(2usize).wrapping_add(1usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        for v97 in 0u32..1u32 {
            let v13_l2: u32 = a19_exclusive_scan[(rt::ops::div(v97, 2u32) as usize).wrapping_mul(4usize).wrapping_add(1usize)];
            let v14_r2: u32 = a19_exclusive_scan[(rt::ops::div(v97, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v97, 2u32) as usize).wrapping_add(2usize)];
            a19_exclusive_scan[(rt::ops::div(v97, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v97, 2u32) as usize).wrapping_add(2usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        let mut a20_exclusive_scan: [u32; 4] = [0u32; 4];
        for v98 in 0u32..4u32 {
            let mut v99: u32 = v0_b;
            if (0u32 < v98) {
                let v100: u32 = a19_exclusive_scan[(v98 as usize).wrapping_sub(1usize)];
                let v101: u32 = v0_b.wrapping_sub(v100);
                v99 = v101;
            }
            {
                let v102: u32 = 0u32;
                if (v98.wrapping_add(v102) < 4u32) {
                    let v103: u32 = v99;
                    a20_exclusive_scan[v98 as usize] = v103;
                    if (v98.wrapping_add(v102) < 3u32) {
                        let v104: u32 = a18_exclusive_scan[(v98 as usize).wrapping_mul(32usize).wrapping_add(31usize)];
                        let v105: u32 = v103.wrapping_sub(v104);
                        v99 = v105;
                    }
                }
            }
        }
        let w8: rt::Cells<'_, u32> = a2_before.window((v0_b as usize).wrapping_mul(100usize), 100usize);
        for v106 in 0u32..100u32 {
            let v107: u32 = a20_exclusive_scan[rt::ops::div(v106, 32u32) as usize];
            let mut v108: u32 = v107;
            if ((v106 & 31u32) != 0u32) {
                let v109: u32 = a18_exclusive_scan[(v106 as usize).wrapping_sub(1usize)];
                let v110: u32 = v107.wrapping_sub(v109);
                v108 = v110;
            }
            let v111: u32 = v108;
            let v16: u32 = v111;
            w8.store(v106 as usize, v16);
        }
        let w9: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        let w10: rt::Cells<'_, u32> = a3_sorted.window((v0_b as usize).wrapping_mul(100usize), 100usize);
        for v17_w in 0u32..10u32 {
            let mut a6_own: [u32; 10] = [0u32; 10];
            a6_own[0usize..][..10usize].copy_from_slice(&w9[(v17_w as usize).wrapping_mul(10usize)..][..10usize]);
            let mut a21_sort: [u32; 10] = [0u32; 10];
            for v19_i3 in 0u32..10u32 {
                a21_sort[v19_i3 as usize] = a6_own[(v19_i3 ^ 1u32) as usize];
            }
            for v112 in 0u32..2u32 {
                if ((v112 & 8u32) == 0u32) {
                    let v20_l3: u32 = a21_sort[(v112 as usize).wrapping_add(8usize)];
                    let v21_r3: u32 = a21_sort[v112 as usize];
                    let v113: bool = (v20_l3 < v21_r3);
                    a21_sort[v112 as usize] = (if v113 { v20_l3 } else { v21_r3 });
                    a21_sort[(v112 as usize).wrapping_add(8usize)] = (if v113 { v21_r3 } else { v20_l3 });
                }
            }
            for v114 in 0u32..6u32 {
                if ((v114 & 4u32) == 0u32) {
                    let v20_l3: u32 = a21_sort[(v114 as usize).wrapping_add(4usize)];
                    let v21_r3: u32 = a21_sort[v114 as usize];
                    let v115: bool = (v20_l3 < v21_r3);
                    a21_sort[v114 as usize] = (if v115 { v20_l3 } else { v21_r3 });
                    a21_sort[(v114 as usize).wrapping_add(4usize)] = (if v115 { v21_r3 } else { v20_l3 });
                }
            }
            for v116 in 0u32..6u32 {
                if ((v116 & 4u32) == 4u32) {
                    let v20_l3: u32 = a21_sort[(v116 as usize).wrapping_add(4usize)];
                    let v21_r3: u32 = a21_sort[v116 as usize];
                    let v117: bool = (v20_l3 < v21_r3);
                    a21_sort[v116 as usize] = (if v117 { v20_l3 } else { v21_r3 });
                    a21_sort[(v116 as usize).wrapping_add(4usize)] = (if v117 { v21_r3 } else { v20_l3 });
                }
            }
            for v118 in 0u32..8u32 {
                if ((v118 & 2u32) == 0u32) {
                    let v20_l3: u32 = a21_sort[(v118 as usize).wrapping_add(2usize)];
                    let v21_r3: u32 = a21_sort[v118 as usize];
                    let v119: bool = (v20_l3 < v21_r3);
                    a21_sort[v118 as usize] = (if v119 { v20_l3 } else { v21_r3 });
                    a21_sort[(v118 as usize).wrapping_add(2usize)] = (if v119 { v21_r3 } else { v20_l3 });
                }
            }
            for v120 in 0u32..4u32 {
                if ((v120 & 2u32) == 2u32) {
                    let v20_l3: u32 = a21_sort[(v120 as usize).wrapping_add(6usize)];
                    let v21_r3: u32 = a21_sort[v120 as usize];
                    let v121: bool = (v20_l3 < v21_r3);
                    a21_sort[v120 as usize] = (if v121 { v20_l3 } else { v21_r3 });
                    a21_sort[(v120 as usize).wrapping_add(6usize)] = (if v121 { v21_r3 } else { v20_l3 });
                }
            }
            for v122 in 0u32..8u32 {
                if ((v122 & 2u32) == 2u32) {
                    let v20_l3: u32 = a21_sort[(v122 as usize).wrapping_add(2usize)];
                    let v21_r3: u32 = a21_sort[v122 as usize];
                    let v123: bool = (v20_l3 < v21_r3);
                    a21_sort[v122 as usize] = (if v123 { v20_l3 } else { v21_r3 });
                    a21_sort[(v122 as usize).wrapping_add(2usize)] = (if v123 { v21_r3 } else { v20_l3 });
                }
            }
            for v124 in 0u32..9u32 {
                if ((v124 & 1u32) == 0u32) {
                    let v20_l3: u32 = a21_sort[(v124 as usize).wrapping_add(1usize)];
                    let v21_r3: u32 = a21_sort[v124 as usize];
                    let v125: bool = (v20_l3 < v21_r3);
                    a21_sort[v124 as usize] = (if v125 { v20_l3 } else { v21_r3 });
                    a21_sort[(v124 as usize).wrapping_add(1usize)] = (if v125 { v21_r3 } else { v20_l3 });
                }
            }
            for v126 in 0u32..3u32 {
                if ((v126 & 1u32) == 1u32) {
                    let v20_l3: u32 = a21_sort[(v126 as usize).wrapping_add(7usize)];
                    let v21_r3: u32 = a21_sort[v126 as usize];
                    let v127: bool = (v20_l3 < v21_r3);
                    a21_sort[v126 as usize] = (if v127 { v20_l3 } else { v21_r3 });
                    a21_sort[(v126 as usize).wrapping_add(7usize)] = (if v127 { v21_r3 } else { v20_l3 });
                }
            }
            for v128 in 0u32..7u32 {
                if ((v128 & 1u32) == 1u32) {
                    let v20_l3: u32 = a21_sort[(v128 as usize).wrapping_add(3usize)];
                    let v21_r3: u32 = a21_sort[v128 as usize];
                    let v129: bool = (v20_l3 < v21_r3);
                    a21_sort[v128 as usize] = (if v129 { v20_l3 } else { v21_r3 });
                    a21_sort[(v128 as usize).wrapping_add(3usize)] = (if v129 { v21_r3 } else { v20_l3 });
                }
            }
            for v130 in 0u32..9u32 {
                if ((v130 & 1u32) == 1u32) {
                    let v20_l3: u32 = a21_sort[(v130 as usize).wrapping_add(1usize)];
                    let v21_r3: u32 = a21_sort[v130 as usize];
                    let v131: bool = (v20_l3 < v21_r3);
                    a21_sort[v130 as usize] = (if v131 { v20_l3 } else { v21_r3 });
                    a21_sort[(v130 as usize).wrapping_add(1usize)] = (if v131 { v21_r3 } else { v20_l3 });
                }
            }
            for v22_j3 in 0u32..10u32 {
                let v23: u32 = a21_sort[v22_j3 as usize];
                w10.store((v17_w as usize).wrapping_mul(10usize).wrapping_add(v22_j3 as usize), v23);
            }
        }
        let w11: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        let w12: rt::Cells<'_, u32> = a4_rows.window((v0_b as usize).wrapping_mul(10usize), 10usize);
        for v24_t in 0u32..10u32 {
            let mut a22_reduce: [u32; 10] = [0u32; 10];
            a22_reduce[0usize..][..10usize].copy_from_slice(&w11[(v24_t as usize).wrapping_mul(10usize)..][..10usize]);
            let mut a23_reduce: [u32; 5] = [0u32; 5];
            for v132 in 0u32..5u32 {
                let v26_l4: u32 = a22_reduce[(v132 as usize).wrapping_mul(2usize)];
                let v27_r4: u32 = a22_reduce[(v132 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
                a23_reduce[v132 as usize] = v26_l4.wrapping_sub(v27_r4);
            }
            let mut a24_reduce: [u32; 3] = [0u32; 3];
            for v133 in 0u32..2u32 {
                let v26_l4: u32 = a23_reduce[(v133 as usize).wrapping_mul(2usize)];
                let v27_r4: u32 = a23_reduce[(v133 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
                a24_reduce[v133 as usize] = v26_l4.wrapping_sub(v27_r4);
            }
            for v134 in 0u32..1u32 {
                let v135: u32 = a23_reduce[4usize];
                a24_reduce[2usize] = v135;
            }
            let mut a25_reduce: [u32; 2] = [0u32; 2];
            for v136 in 0u32..1u32 {
                let v26_l4: u32 = a24_reduce[(v136 as usize).wrapping_mul(2usize)];
                let v27_r4: u32 = a24_reduce[(v136 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
                a25_reduce[v136 as usize] = v26_l4.wrapping_sub(v27_r4);
            }
            for v137 in 0u32..1u32 {
                let v138: u32 = a24_reduce[2usize];
                a25_reduce[1usize] = v138;
            }
            let mut a26_reduce: [u32; 1] = [0u32; 1];
            for v139 in 0u32..1u32 {
                let v26_l4: u32 = a25_reduce[(v139 as usize).wrapping_mul(2usize)];
                let v27_r4: u32 = a25_reduce[(v139 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
                a26_reduce[v139 as usize] = v26_l4.wrapping_sub(v27_r4);
            }
            for v28_j4 in 0u32..1u32 {
                let v29: u32 = a26_reduce[v28_j4 as usize];
                w12.store((v24_t as usize).wrapping_add(v28_j4 as usize), v29);
            }
        }
    });
}

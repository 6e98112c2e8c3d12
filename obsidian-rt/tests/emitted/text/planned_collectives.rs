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
        let mut a5_prefixes: [u32; 100] = [0u32; 100];
        let v30: u32 = v0_b.wrapping_mul(100u32);
        let mut a7_inclusive_scan: [u32; 100] = [0u32; 100];
        let w1: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        for v1_i in 0u32..100u32 {
            let v36: u32 = w1[v1_i as usize];
            a7_inclusive_scan[v1_i as usize] = v36;
        }
        for v37 in 0u32..50u32 {
            let v2_l: u32 = a7_inclusive_scan[(v37 as usize).wrapping_mul(2usize)];
            let v3_r: u32 = a7_inclusive_scan[(v37 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a7_inclusive_scan[(v37 as usize).wrapping_mul(2usize).wrapping_add(1usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
        }
        for v38 in 0u32..50u32 {
            let v2_l: u32 = a7_inclusive_scan[(rt::ops::div(v38, 2u32) as usize).wrapping_mul(4usize).wrapping_add(1usize)];
            let v3_r: u32 = a7_inclusive_scan[(rt::ops::div(v38, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v38, 2u32) as usize).wrapping_add(2usize)];
            a7_inclusive_scan[(rt::ops::div(v38, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v38, 2u32) as usize).wrapping_add(2usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
        }
        'l2: for v145 in 0u32..12u32 {
            for v146 in 0u32..4u32 {
                let v2_l: u32 = a7_inclusive_scan[(v145 as usize).wrapping_mul(8usize).wrapping_add(3usize)];
                let v3_r: u32 = a7_inclusive_scan[(v145 as usize).wrapping_mul(8usize).wrapping_add(v146 as usize).wrapping_add(4usize)];
                a7_inclusive_scan[(v145 as usize).wrapping_mul(8usize).wrapping_add(v146 as usize).wrapping_add(4usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
            }
        }
        'l3: for v148 in 0u32..6u32 {
            for v149 in 0u32..8u32 {
                let v2_l: u32 = a7_inclusive_scan[(v148 as usize).wrapping_mul(16usize).wrapping_add(7usize)];
                let v3_r: u32 = a7_inclusive_scan[(v148 as usize).wrapping_mul(16usize).wrapping_add(v149 as usize).wrapping_add(8usize)];
                a7_inclusive_scan[(v148 as usize).wrapping_mul(16usize).wrapping_add(v149 as usize).wrapping_add(8usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
            }
        }
        'l4: for v151 in 0u32..3u32 {
            for v152 in 0u32..16u32 {
                let v2_l: u32 = a7_inclusive_scan[(v151 as usize).wrapping_mul(32usize).wrapping_add(15usize)];
                let v3_r: u32 = a7_inclusive_scan[(v151 as usize).wrapping_mul(32usize).wrapping_add(v152 as usize).wrapping_add(16usize)];
                a7_inclusive_scan[(v151 as usize).wrapping_mul(32usize).wrapping_add(v152 as usize).wrapping_add(16usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
            }
        }
        let mut a8_inclusive_scan: [u32; 3] = [0u32; 3];
        for v42 in 0u32..3u32 {
            let mut v43: u32 = 0u32;
            {
                let v44: u32 = 0u32;
                let v45: u32 = v43;
                let v47: u32 = a7_inclusive_scan[(v42 as usize).wrapping_mul(32usize).wrapping_add(31usize)];
                let mut v46: u32 = v47;
                if (0u32 < v44) {
                    let v48: u32 = a7_inclusive_scan[(v42 as usize).wrapping_mul(32usize).wrapping_add(31usize)];
                    let v49: u32 = v45.wrapping_mul(31u32).wrapping_add(v48);
                    v46 = v49;
                }
                let v50: u32 = v46;
                v43 = v50;
            }
            let v51: u32 = v43;
            a8_inclusive_scan[v42 as usize] = v51;
        }
        for v52 in 0u32..1u32 {
            let v2_l: u32 = a8_inclusive_scan[(v52 as usize).wrapping_mul(2usize)];
            let v3_r: u32 = a8_inclusive_scan[(v52 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a8_inclusive_scan[(v52 as usize).wrapping_mul(2usize).wrapping_add(1usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
        }
        for v53 in 0u32..1u32 {
            let v2_l: u32 = a8_inclusive_scan[(rt::ops::div(v53, 2u32) as usize).wrapping_mul(4usize).wrapping_add(1usize)];
            let v3_r: u32 = a8_inclusive_scan[(rt::ops::div(v53, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v53, 2u32) as usize).wrapping_add(2usize)];
            a8_inclusive_scan[(rt::ops::div(v53, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v53, 2u32) as usize).wrapping_add(2usize)] = v2_l.wrapping_mul(31u32).wrapping_add(v3_r);
        }
        let mut a9_inclusive_scan: [u32; 4] = [0u32; 4];
        for v54 in 0u32..4u32 {
            let mut v55: u32 = 0u32;
            if (0u32 < v54) {
                let v56: u32 = a8_inclusive_scan[(v54 as usize).wrapping_sub(1usize)];
                v55 = v56;
            }
            {
                let v57: u32 = 0u32;
                if (v54.wrapping_add(v57) < 4u32) {
                    let v58: u32 = v55;
                    a9_inclusive_scan[v54 as usize] = v58;
                    if (v54.wrapping_add(v57) < 3u32) {
                        let v60: u32 = a7_inclusive_scan[(v54 as usize).wrapping_mul(32usize).wrapping_add(31usize)];
                        let mut v59: u32 = v60;
                        if (0u32 < v54.wrapping_add(v57)) {
                            let v61: u32 = a7_inclusive_scan[(v54 as usize).wrapping_mul(32usize).wrapping_add(31usize)];
                            let v62: u32 = v58.wrapping_mul(31u32).wrapping_add(v61);
                            v59 = v62;
                        }
                        let v63: u32 = v59;
                        v55 = v63;
                    }
                }
            }
        }
        for v64 in 0u32..100u32 {
            let v65: u32 = a9_inclusive_scan[rt::ops::div(v64, 32u32) as usize];
            let v67: u32 = a7_inclusive_scan[v64 as usize];
            let mut v66: u32 = v67;
            if (31u32 < v64) {
                let v68: u32 = a7_inclusive_scan[v64 as usize];
                let v69: u32 = v65.wrapping_mul(31u32).wrapping_add(v68);
                v66 = v69;
            }
            let v70: u32 = v66;
            let v5_v: u32 = v70;
            a5_prefixes[v64 as usize] = v5_v;
        }
        let mut a10_reduce: [u32; 100] = [0u32; 100];
        a10_reduce[0usize..][..100usize].copy_from_slice(&a5_prefixes[0usize..][..100usize]);
        let mut a11_reduce: [u32; 50] = [0u32; 50];
        for v71 in 0u32..50u32 {
            let v7_l1: u32 = a10_reduce[(v71 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a10_reduce[(v71 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a11_reduce[v71 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        let mut a12_reduce: [u32; 25] = [0u32; 25];
        for v72 in 0u32..25u32 {
            let v7_l1: u32 = a11_reduce[(v72 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a11_reduce[(v72 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a12_reduce[v72 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        let mut a13_reduce: [u32; 13] = [0u32; 13];
        for v73 in 0u32..12u32 {
            let v7_l1: u32 = a12_reduce[(v73 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a12_reduce[(v73 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a13_reduce[v73 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        for v74 in 0u32..1u32 {
            let v75: u32 = a12_reduce[24usize];
            a13_reduce[12usize] = v75;
        }
        let mut a14_reduce: [u32; 7] = [0u32; 7];
        for v76 in 0u32..6u32 {
            let v7_l1: u32 = a13_reduce[(v76 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a13_reduce[(v76 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a14_reduce[v76 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        for v77 in 0u32..1u32 {
            let v78: u32 = a13_reduce[12usize];
            a14_reduce[6usize] = v78;
        }
        let mut a15_reduce: [u32; 4] = [0u32; 4];
        for v79 in 0u32..3u32 {
            let v7_l1: u32 = a14_reduce[(v79 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a14_reduce[(v79 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a15_reduce[v79 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        for v80 in 0u32..1u32 {
            let v81: u32 = a14_reduce[6usize];
            a15_reduce[3usize] = v81;
        }
        let mut a16_reduce: [u32; 2] = [0u32; 2];
        for v82 in 0u32..2u32 {
            let v7_l1: u32 = a15_reduce[(v82 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a15_reduce[(v82 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a16_reduce[v82 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        let mut a17_reduce: [u32; 1] = [0u32; 1];
        for v83 in 0u32..1u32 {
            let v7_l1: u32 = a16_reduce[(v83 as usize).wrapping_mul(2usize)];
            let v8_r1: u32 = a16_reduce[(v83 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            let v9_product: u32 = v7_l1.wrapping_mul(31u32);
            a17_reduce[v83 as usize] = v9_product.wrapping_sub(v8_r1);
        }
        for v10_j1 in 0u32..1u32 {
            let v11: u32 = a17_reduce[v10_j1 as usize];
            a1_total[v10_j1 as usize] = v11;
        }
        let mut a18_exclusive_scan: [u32; 100] = [0u32; 100];
        for v12_i2 in 0u32..100u32 {
            let v85: u32 = a5_prefixes[v12_i2 as usize];
            a18_exclusive_scan[v12_i2 as usize] = v85;
        }
        for v86 in 0u32..50u32 {
            let v13_l2: u32 = a18_exclusive_scan[(v86 as usize).wrapping_mul(2usize)];
            let v14_r2: u32 = a18_exclusive_scan[(v86 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a18_exclusive_scan[(v86 as usize).wrapping_mul(2usize).wrapping_add(1usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        for v87 in 0u32..50u32 {
            let v13_l2: u32 = a18_exclusive_scan[(rt::ops::div(v87, 2u32) as usize).wrapping_mul(4usize).wrapping_add(1usize)];
            let v14_r2: u32 = a18_exclusive_scan[(rt::ops::div(v87, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v87, 2u32) as usize).wrapping_add(2usize)];
            a18_exclusive_scan[(rt::ops::div(v87, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v87, 2u32) as usize).wrapping_add(2usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        'l5: for v154 in 0u32..12u32 {
            for v155 in 0u32..4u32 {
                let v13_l2: u32 = a18_exclusive_scan[(v154 as usize).wrapping_mul(8usize).wrapping_add(3usize)];
                let v14_r2: u32 = a18_exclusive_scan[(v154 as usize).wrapping_mul(8usize).wrapping_add(v155 as usize).wrapping_add(4usize)];
                a18_exclusive_scan[(v154 as usize).wrapping_mul(8usize).wrapping_add(v155 as usize).wrapping_add(4usize)] = v13_l2.wrapping_sub(v14_r2);
            }
        }
        'l6: for v157 in 0u32..6u32 {
            for v158 in 0u32..8u32 {
                let v13_l2: u32 = a18_exclusive_scan[(v157 as usize).wrapping_mul(16usize).wrapping_add(7usize)];
                let v14_r2: u32 = a18_exclusive_scan[(v157 as usize).wrapping_mul(16usize).wrapping_add(v158 as usize).wrapping_add(8usize)];
                a18_exclusive_scan[(v157 as usize).wrapping_mul(16usize).wrapping_add(v158 as usize).wrapping_add(8usize)] = v13_l2.wrapping_sub(v14_r2);
            }
        }
        'l7: for v160 in 0u32..3u32 {
            for v161 in 0u32..16u32 {
                let v13_l2: u32 = a18_exclusive_scan[(v160 as usize).wrapping_mul(32usize).wrapping_add(15usize)];
                let v14_r2: u32 = a18_exclusive_scan[(v160 as usize).wrapping_mul(32usize).wrapping_add(v161 as usize).wrapping_add(16usize)];
                a18_exclusive_scan[(v160 as usize).wrapping_mul(32usize).wrapping_add(v161 as usize).wrapping_add(16usize)] = v13_l2.wrapping_sub(v14_r2);
            }
        }
        let mut a19_exclusive_scan: [u32; 3] = [0u32; 3];
        for v91 in 0u32..3u32 {
            let mut v92: u32 = 0u32;
            {
                let v93: u32 = 0u32;
                let v94: u32 = v92;
                let v96: u32 = a18_exclusive_scan[(v91 as usize).wrapping_mul(32usize).wrapping_add(31usize)];
                let mut v95: u32 = v96;
                if (0u32 < v93) {
                    let v97: u32 = a18_exclusive_scan[(v91 as usize).wrapping_mul(32usize).wrapping_add(31usize)];
                    let v98: u32 = v94.wrapping_sub(v97);
                    v95 = v98;
                }
                let v99: u32 = v95;
                v92 = v99;
            }
            let v100: u32 = v92;
            a19_exclusive_scan[v91 as usize] = v100;
        }
        for v101 in 0u32..1u32 {
            let v13_l2: u32 = a19_exclusive_scan[(v101 as usize).wrapping_mul(2usize)];
            let v14_r2: u32 = a19_exclusive_scan[(v101 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
            a19_exclusive_scan[(v101 as usize).wrapping_mul(2usize).wrapping_add(1usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        for v102 in 0u32..1u32 {
            let v13_l2: u32 = a19_exclusive_scan[(rt::ops::div(v102, 2u32) as usize).wrapping_mul(4usize).wrapping_add(1usize)];
            let v14_r2: u32 = a19_exclusive_scan[(rt::ops::div(v102, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v102, 2u32) as usize).wrapping_add(2usize)];
            a19_exclusive_scan[(rt::ops::div(v102, 2u32) as usize).wrapping_mul(4usize).wrapping_add(rt::ops::rem(v102, 2u32) as usize).wrapping_add(2usize)] = v13_l2.wrapping_sub(v14_r2);
        }
        let mut a20_exclusive_scan: [u32; 4] = [0u32; 4];
        for v103 in 0u32..4u32 {
            let mut v104: u32 = v0_b;
            if (0u32 < v103) {
                let v105: u32 = a19_exclusive_scan[(v103 as usize).wrapping_sub(1usize)];
                let v106: u32 = v0_b.wrapping_sub(v105);
                v104 = v106;
            }
            {
                let v107: u32 = 0u32;
                if (v103.wrapping_add(v107) < 4u32) {
                    let v108: u32 = v104;
                    a20_exclusive_scan[v103 as usize] = v108;
                    if (v103.wrapping_add(v107) < 3u32) {
                        let v109: u32 = a18_exclusive_scan[(v103 as usize).wrapping_mul(32usize).wrapping_add(31usize)];
                        let v110: u32 = v108.wrapping_sub(v109);
                        v104 = v110;
                    }
                }
            }
        }
        let w8: &mut [u32] = &mut a2_before[0usize..][..100usize];
        for v111 in 0u32..100u32 {
            let v112: u32 = a20_exclusive_scan[rt::ops::div(v111, 32u32) as usize];
            let mut v113: u32 = v112;
            if ((v111 & 31u32) != 0u32) {
                let v114: u32 = a18_exclusive_scan[(v111 as usize).wrapping_sub(1usize)];
                let v115: u32 = v112.wrapping_sub(v114);
                v113 = v115;
            }
            let v116: u32 = v113;
            let v16: u32 = v116;
            w8[v111 as usize] = v16;
        }
        let w9: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        let w10: &mut [u32] = &mut a3_sorted[0usize..][..100usize];
        for v17_w in 0u32..10u32 {
            let mut a6_own: [u32; 10] = [0u32; 10];
            let v31: u32 = v30.wrapping_add(v17_w.wrapping_mul(10u32));
            a6_own[0usize..][..10usize].copy_from_slice(&w9[(v17_w as usize).wrapping_mul(10usize)..][..10usize]);
            let mut a21_sort: [u32; 10] = [0u32; 10];
            for v19_i3 in 0u32..10u32 {
                a21_sort[v19_i3 as usize] = a6_own[(v19_i3 ^ 1u32) as usize];
            }
            for v117 in 0u32..2u32 {
                if ((v117 & 8u32) == 0u32) {
                    let v20_l3: u32 = a21_sort[(v117 as usize).wrapping_add(8usize)];
                    let v21_r3: u32 = a21_sort[v117 as usize];
                    let v118: bool = (v20_l3 < v21_r3);
                    a21_sort[v117 as usize] = (if v118 { v20_l3 } else { v21_r3 });
                    a21_sort[(v117 as usize).wrapping_add(8usize)] = (if v118 { v21_r3 } else { v20_l3 });
                }
            }
            for v119 in 0u32..6u32 {
                if ((v119 & 4u32) == 0u32) {
                    let v20_l3: u32 = a21_sort[(v119 as usize).wrapping_add(4usize)];
                    let v21_r3: u32 = a21_sort[v119 as usize];
                    let v120: bool = (v20_l3 < v21_r3);
                    a21_sort[v119 as usize] = (if v120 { v20_l3 } else { v21_r3 });
                    a21_sort[(v119 as usize).wrapping_add(4usize)] = (if v120 { v21_r3 } else { v20_l3 });
                }
            }
            for v121 in 0u32..6u32 {
                if ((v121 & 4u32) == 4u32) {
                    let v20_l3: u32 = a21_sort[(v121 as usize).wrapping_add(4usize)];
                    let v21_r3: u32 = a21_sort[v121 as usize];
                    let v122: bool = (v20_l3 < v21_r3);
                    a21_sort[v121 as usize] = (if v122 { v20_l3 } else { v21_r3 });
                    a21_sort[(v121 as usize).wrapping_add(4usize)] = (if v122 { v21_r3 } else { v20_l3 });
                }
            }
            for v123 in 0u32..8u32 {
                if ((v123 & 2u32) == 0u32) {
                    let v20_l3: u32 = a21_sort[(v123 as usize).wrapping_add(2usize)];
                    let v21_r3: u32 = a21_sort[v123 as usize];
                    let v124: bool = (v20_l3 < v21_r3);
                    a21_sort[v123 as usize] = (if v124 { v20_l3 } else { v21_r3 });
                    a21_sort[(v123 as usize).wrapping_add(2usize)] = (if v124 { v21_r3 } else { v20_l3 });
                }
            }
            for v125 in 0u32..4u32 {
                if ((v125 & 2u32) == 2u32) {
                    let v20_l3: u32 = a21_sort[(v125 as usize).wrapping_add(6usize)];
                    let v21_r3: u32 = a21_sort[v125 as usize];
                    let v126: bool = (v20_l3 < v21_r3);
                    a21_sort[v125 as usize] = (if v126 { v20_l3 } else { v21_r3 });
                    a21_sort[(v125 as usize).wrapping_add(6usize)] = (if v126 { v21_r3 } else { v20_l3 });
                }
            }
            for v127 in 0u32..8u32 {
                if ((v127 & 2u32) == 2u32) {
                    let v20_l3: u32 = a21_sort[(v127 as usize).wrapping_add(2usize)];
                    let v21_r3: u32 = a21_sort[v127 as usize];
                    let v128: bool = (v20_l3 < v21_r3);
                    a21_sort[v127 as usize] = (if v128 { v20_l3 } else { v21_r3 });
                    a21_sort[(v127 as usize).wrapping_add(2usize)] = (if v128 { v21_r3 } else { v20_l3 });
                }
            }
            for v129 in 0u32..9u32 {
                if ((v129 & 1u32) == 0u32) {
                    let v20_l3: u32 = a21_sort[(v129 as usize).wrapping_add(1usize)];
                    let v21_r3: u32 = a21_sort[v129 as usize];
                    let v130: bool = (v20_l3 < v21_r3);
                    a21_sort[v129 as usize] = (if v130 { v20_l3 } else { v21_r3 });
                    a21_sort[(v129 as usize).wrapping_add(1usize)] = (if v130 { v21_r3 } else { v20_l3 });
                }
            }
            for v131 in 0u32..3u32 {
                if ((v131 & 1u32) == 1u32) {
                    let v20_l3: u32 = a21_sort[(v131 as usize).wrapping_add(7usize)];
                    let v21_r3: u32 = a21_sort[v131 as usize];
                    let v132: bool = (v20_l3 < v21_r3);
                    a21_sort[v131 as usize] = (if v132 { v20_l3 } else { v21_r3 });
                    a21_sort[(v131 as usize).wrapping_add(7usize)] = (if v132 { v21_r3 } else { v20_l3 });
                }
            }
            for v133 in 0u32..7u32 {
                if ((v133 & 1u32) == 1u32) {
                    let v20_l3: u32 = a21_sort[(v133 as usize).wrapping_add(3usize)];
                    let v21_r3: u32 = a21_sort[v133 as usize];
                    let v134: bool = (v20_l3 < v21_r3);
                    a21_sort[v133 as usize] = (if v134 { v20_l3 } else { v21_r3 });
                    a21_sort[(v133 as usize).wrapping_add(3usize)] = (if v134 { v21_r3 } else { v20_l3 });
                }
            }
            for v135 in 0u32..9u32 {
                if ((v135 & 1u32) == 1u32) {
                    let v20_l3: u32 = a21_sort[(v135 as usize).wrapping_add(1usize)];
                    let v21_r3: u32 = a21_sort[v135 as usize];
                    let v136: bool = (v20_l3 < v21_r3);
                    a21_sort[v135 as usize] = (if v136 { v20_l3 } else { v21_r3 });
                    a21_sort[(v135 as usize).wrapping_add(1usize)] = (if v136 { v21_r3 } else { v20_l3 });
                }
            }
            w10[(v17_w as usize).wrapping_mul(10usize)..][..10usize].copy_from_slice(&a21_sort[0usize..][..10usize]);
        }
        let v32: u32 = v0_b.wrapping_mul(10u32);
        let w11: &[u32] = &a0_x[(v0_b as usize).wrapping_mul(100usize)..][..100usize];
        let w12: &mut [u32] = &mut a4_rows[0usize..][..10usize];
        for v24_t in 0u32..10u32 {
            let v33: u32 = v30.wrapping_add(v24_t.wrapping_mul(10u32));
            let v34: u32 = v32.wrapping_add(v24_t);
            let mut a22_reduce: [u32; 10] = [0u32; 10];
            a22_reduce[0usize..][..10usize].copy_from_slice(&w11[(v24_t as usize).wrapping_mul(10usize)..][..10usize]);
            let mut a23_reduce: [u32; 5] = [0u32; 5];
            for v137 in 0u32..5u32 {
                let v26_l4: u32 = a22_reduce[(v137 as usize).wrapping_mul(2usize)];
                let v27_r4: u32 = a22_reduce[(v137 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
                a23_reduce[v137 as usize] = v26_l4.wrapping_sub(v27_r4);
            }
            let mut a24_reduce: [u32; 3] = [0u32; 3];
            for v138 in 0u32..2u32 {
                let v26_l4: u32 = a23_reduce[(v138 as usize).wrapping_mul(2usize)];
                let v27_r4: u32 = a23_reduce[(v138 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
                a24_reduce[v138 as usize] = v26_l4.wrapping_sub(v27_r4);
            }
            for v139 in 0u32..1u32 {
                let v140: u32 = a23_reduce[4usize];
                a24_reduce[2usize] = v140;
            }
            let mut a25_reduce: [u32; 2] = [0u32; 2];
            for v141 in 0u32..1u32 {
                let v26_l4: u32 = a24_reduce[(v141 as usize).wrapping_mul(2usize)];
                let v27_r4: u32 = a24_reduce[(v141 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
                a25_reduce[v141 as usize] = v26_l4.wrapping_sub(v27_r4);
            }
            for v142 in 0u32..1u32 {
                let v143: u32 = a24_reduce[2usize];
                a25_reduce[1usize] = v143;
            }
            let mut a26_reduce: [u32; 1] = [0u32; 1];
            for v144 in 0u32..1u32 {
                let v26_l4: u32 = a25_reduce[(v144 as usize).wrapping_mul(2usize)];
                let v27_r4: u32 = a25_reduce[(v144 as usize).wrapping_mul(2usize).wrapping_add(1usize)];
                a26_reduce[v144 as usize] = v26_l4.wrapping_sub(v27_r4);
            }
            for v28_j4 in 0u32..1u32 {
                let v29: u32 = a26_reduce[v28_j4 as usize];
                w12[(v24_t as usize).wrapping_add(v28_j4 as usize)] = v29;
            }
        }
    });
}

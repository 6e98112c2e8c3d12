fn cpu(call: &mut ::obsidian_rt::generated::Call<'_>) {
    use ::obsidian_rt::generated as rt;
    let n0_input: u32 = call.length(0usize);
    let a0_input: &[u32] = call.input::<u32>(0usize);
    let n1_output: u32 = call.length(1usize);
    let mut a1_output = call.output::<u32>(1usize);
    call.blocks(n0_input, (rt::chunks(&mut a1_output, 1u32), ()), |v0_b: u32, (a1_output, ())| {
        let a1_output = &mut a1_output[..1usize];
        for v1_i in 0u32..1u32 {
            let t1: u32 = if (v0_b > 19u32) {
                a0_input[(v0_b as usize).wrapping_sub(20usize)]
            } else {
                let t2: u32 = if (v0_b > 18u32) {
                    a0_input[(v0_b as usize).wrapping_sub(19usize)]
                } else {
                    let t3: u32 = if (v0_b > 17u32) {
                        a0_input[(v0_b as usize).wrapping_sub(18usize)]
                    } else {
                        let t4: u32 = if (v0_b > 16u32) {
                            a0_input[(v0_b as usize).wrapping_sub(17usize)]
                        } else {
                            let t5: u32 = if (v0_b > 15u32) {
                                a0_input[(v0_b as usize).wrapping_sub(16usize)]
                            } else {
                                let t6: u32 = if (v0_b > 14u32) {
                                    a0_input[(v0_b as usize).wrapping_sub(15usize)]
                                } else {
                                    let t7: u32 = if (v0_b > 13u32) {
                                        a0_input[(v0_b as usize).wrapping_sub(14usize)]
                                    } else {
                                        let t8: u32 = if (v0_b > 12u32) {
                                            a0_input[(v0_b as usize).wrapping_sub(13usize)]
                                        } else {
                                            let t10: bool = (v0_b > 11u32);
                                            let t11: bool = !(v0_b > 11u32);
                                            let t13: bool = t11 & (v0_b > 10u32);
                                            let t14: bool = t11 & !(v0_b > 10u32);
                                            let t16: bool = t14 & (v0_b > 9u32);
                                            let t17: bool = t14 & !(v0_b > 9u32);
                                            let t19: bool = t17 & (v0_b > 8u32);
                                            let t20: bool = t17 & !(v0_b > 8u32);
                                            let t22: bool = t20 & (v0_b > 7u32);
                                            let t23: bool = t20 & !(v0_b > 7u32);
                                            let t25: bool = t23 & (v0_b > 6u32);
                                            let t26: bool = t23 & !(v0_b > 6u32);
                                            let t28: bool = t26 & (v0_b > 5u32);
                                            let t29: bool = t26 & !(v0_b > 5u32);
                                            let t31: bool = t29 & (v0_b > 4u32);
                                            let t32: bool = t29 & !(v0_b > 4u32);
                                            let t34: bool = t32 & (v0_b > 3u32);
                                            let t35: bool = t32 & !(v0_b > 3u32);
                                            let t37: bool = t35 & (v0_b > 2u32);
                                            let t38: bool = t35 & !(v0_b > 2u32);
                                            let t40: bool = t38 & (v0_b > 1u32);
                                            let t41: bool = t38 & !(v0_b > 1u32);
                                            let t43: bool = t41 & (v0_b > 0u32);
                                            let t44: bool = t41 & !(v0_b > 0u32);
                                            let t42: u32 = if (v0_b > 0u32) { (if t43 { a0_input[(v0_b as usize).wrapping_sub(1usize)] } else { 0u32 }) } else { (if t44 { a0_input[v0_b as usize] } else { 0u32 }) };
                                            let t39: u32 = if (v0_b > 1u32) { (if t40 { a0_input[(v0_b as usize).wrapping_sub(2usize)] } else { 0u32 }) } else { t42 };
                                            let t36: u32 = if (v0_b > 2u32) { (if t37 { a0_input[(v0_b as usize).wrapping_sub(3usize)] } else { 0u32 }) } else { t39.wrapping_add(1u32) };
                                            let t33: u32 = if (v0_b > 3u32) { (if t34 { a0_input[(v0_b as usize).wrapping_sub(4usize)] } else { 0u32 }) } else { t36.wrapping_add(2u32) };
                                            let t30: u32 = if (v0_b > 4u32) { (if t31 { a0_input[(v0_b as usize).wrapping_sub(5usize)] } else { 0u32 }) } else { t33.wrapping_add(3u32) };
                                            let t27: u32 = if (v0_b > 5u32) { (if t28 { a0_input[(v0_b as usize).wrapping_sub(6usize)] } else { 0u32 }) } else { t30.wrapping_add(4u32) };
                                            let t24: u32 = if (v0_b > 6u32) { (if t25 { a0_input[(v0_b as usize).wrapping_sub(7usize)] } else { 0u32 }) } else { t27.wrapping_add(5u32) };
                                            let t21: u32 = if (v0_b > 7u32) { (if t22 { a0_input[(v0_b as usize).wrapping_sub(8usize)] } else { 0u32 }) } else { t24.wrapping_add(6u32) };
                                            let t18: u32 = if (v0_b > 8u32) { (if t19 { a0_input[(v0_b as usize).wrapping_sub(9usize)] } else { 0u32 }) } else { t21.wrapping_add(7u32) };
                                            let t15: u32 = if (v0_b > 9u32) { (if t16 { a0_input[(v0_b as usize).wrapping_sub(10usize)] } else { 0u32 }) } else { t18.wrapping_add(8u32) };
                                            let t12: u32 = if (v0_b > 10u32) { (if t13 { a0_input[(v0_b as usize).wrapping_sub(11usize)] } else { 0u32 }) } else { t15.wrapping_add(9u32) };
                                            let t9: u32 = if (v0_b > 11u32) { (if t10 { a0_input[(v0_b as usize).wrapping_sub(12usize)] } else { 0u32 }) } else { t12.wrapping_add(10u32) };
                                            t9.wrapping_add(11u32)
                                        };
                                        t8.wrapping_add(12u32)
                                    };
                                    t7.wrapping_add(13u32)
                                };
                                t6.wrapping_add(14u32)
                            };
                            t5.wrapping_add(15u32)
                        };
                        t4.wrapping_add(16u32)
                    };
                    t3.wrapping_add(17u32)
                };
                t2.wrapping_add(18u32)
            };
            a1_output[0usize] = t1.wrapping_add(19u32);
        }
    });
}

//! Texts that come back as they were.

use super::read;
use crate::ir::{Levelled, Physical, Stage};

fn comes_back<S: Stage>(text: &str) {
    let kernel = read::<S>(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(kernel.to_string(), text);
}

/// Every statement, and every loop of a levelled kernel.
const LEVELLED: &str = "\
kernel everything {
  parameter 0 input: i32[length(input)] input
  parameter 1 n: u32
  parameter 2 output: i32[(length(input) /' 2_u32)] output
  parameter 3 counts: u32[4_u32] inout
  require length(input) multiple_of 512
  distribute Block b < (length(input) /' 512_u32) {
    allocate s.0: i32[256_u32] shared
    allocate s.1: f32[8_u32] held
    forall Block i < 256_u32 {
      let v0 = mul_add(1.5_f32, -2.0_f32, 1e-20_f32)
      let x = select((i < n), input[((b *' 512_u32) +' i)], (- 5_i32))
      store s.0[i] = min(x, i32(v0))
      atomic v1 = compare_exchange counts[0_u32] (1_u32, 2_u32)
      atomic add counts[1_u32] (v1)
      read v2 = counts[2_u32]
      cell c = v2
      while {
        get v3 = c
      } holds (v3 != 0_u32) {
        assign c = (v3 >> 1_u32)
        break
      }
    }
    wait Block
    distribute Warp w < 4_u32 {
      wait Warp
    }
    if (b == 0_u32) {
      for sequential Block k in 0_u32 .. 4_u32 step 1_u32 {
        store s.1[k] = inf_f32
      }
    }
  }
}
";

/// Layouts of held arrays, and every collective.
const COLLECTIVES: &str = "\
kernel collectives {
  parameter 0 input: i32[length(input)] input
  parameter 1 output: i32[length(input)] output
  distribute Block b < 4_u32 {
    allocate h.0: i32[64_u32] held
    allocate h.1: i32[64_u32] held blocked 4
    reduce Block i.0 < 64_u32 {
      let v0 = input[i.0]
      give (v0 * 2_i32)
    } by l.0 r.0 {
      let v1 = (l.0 + 1_i32)
      give (v1 * r.0)
    } into j.0 < 1_u32 x.0 {
      store output[j.0] = x.0
    }
    exclusive_scan Block i.1 < 64_u32 from i32(b) {
      give 1_i32
    } by l.1 r.1 {
      give (l.1 + r.1)
    } into j.1 < 64_u32 x.1 {
      store h.0[j.1] = x.1
    }
    distribute Warp w < 2_u32 {
      inclusive_scan Warp i.2 < 31_u32 {
        sort Thread i.3 < 3_u32 {
          give true
        } by l.3 r.3 {
          give (l.3 < r.3)
        } into j.3 < 3_u32 x.3 {
        }
        give 1_u64
      } by l.2 r.2 {
        give (l.2 + r.2)
      } into j.2 < 31_u32 x.2 {
      }
    }
  }
}
";

#[test]
fn collectives_and_layouts_come_back() {
    comes_back::<Levelled>(COLLECTIVES);
}

#[test]
fn other_stages_have_no_collectives_and_layouts() {
    use crate::ir::Lowered;
    let reduce = "reduce Block i < 2_u32 { give i } by l r { give l } into j < 1_u32 x { }";
    let held = "allocate h: u32[4_u32] held blocked 2";
    for (text, wrong) in [
        (reduce, "no collective"),
        (held, "no layout"),
        ("give 1_u32", "no collective"),
    ] {
        let block = format!("distribute Block b < 1_u32 {{ {text} }} }}");
        let error = read::<Lowered>(&format!("kernel k {{ {block}")).unwrap_err();
        assert!(error.to_string().contains(wrong), "{error}");
        let error = read::<Physical>(&format!("kernel k {{ threads 1 {text} }}")).unwrap_err();
        assert!(error.to_string().contains(wrong), "{error}");
    }
    let ends = "reduce Block i < 2_u32 { let x = i } by l r { give l } into j < 1_u32 x { }";
    let error = read::<Levelled>(&format!("kernel k {{ {ends} }}")).unwrap_err();
    assert!(
        error.to_string().contains("a list that ends with `give`"),
        "{error}"
    );
}

/// Every loop of a physical kernel, and what threads know of themselves.
const PHYSICAL: &str = "\
kernel physical {
  parameter 0 output: u32[1024_u32] output
  threads 64
  for blocks b in BlockIndex .. 4_u32 step GridSize {
    for rounds Block j in 0_u32 .. 4_u32 step 1_u32 {
      let i = ((j *' 64_u32) +' ThreadIndex)
      store output[i] = b
    }
    for warps w in WarpIndex .. 4_u32 step 2_u32 {
      for sequential Warp k in 1_u32 .. 4_u32 step 2_u32 {
        let lane = LaneIndex
        wait Warp
      }
    }
    if (b == 0_u32) {
      wait Block
    } else {
      break
    }
  }
}
";

#[test]
fn every_kind_of_statement_comes_back() {
    comes_back::<Levelled>(LEVELLED);
    comes_back::<Physical>(PHYSICAL);
}

/// Why a text is no kernel of a stage.
fn refused<S: Stage>(text: &str) -> String {
    match read::<S>(text) {
        Ok(kernel) => panic!("it is one:\n{kernel}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_stage_has_no_loops_of_the_other() {
    for text in [
        "forall Block i < 4_u32 { }",
        "distribute Block b < 4_u32 { }",
    ] {
        let error = refused::<Physical>(&format!("kernel k {{ threads 64 {text} }}"));
        assert!(error.contains("expected a loop of this stage"), "{error}");
    }
    for text in [
        "for rounds Block i in 0_u32 .. 4_u32 step 1_u32 { }",
        "for warps w in 0_u32 .. 4_u32 step 1_u32 { }",
        "for blocks b in 0_u32 .. 4_u32 step 1_u32 { }",
    ] {
        let error = refused::<Levelled>(&format!("kernel k {{ {text} }}"));
        assert!(error.contains("expected a loop of this stage"), "{error}");
    }
}

#[test]
fn a_levelled_loop_counts_from_0_by_1() {
    for range in ["1_u32 .. 4_u32 step 1_u32", "0_u32 .. 4_u32 step 2_u32"] {
        let text = format!("kernel k {{ for sequential Grid k in {range} {{ }} }}");
        let error = refused::<Levelled>(&text);
        assert!(error.contains("counts from 0 by 1"), "{error}");
    }
}

#[test]
fn threads_are_known_in_a_physical_kernel_alone() {
    let error = refused::<Physical>("kernel k { }");
    assert!(error.contains("as in every physical kernel"), "{error}");
    let error = refused::<Levelled>("kernel k { threads 64 }");
    assert!(error.contains("which has no number of threads"), "{error}");
}

#[test]
fn names_that_mean_something_else_are_numbered() {
    comes_back::<Levelled>(
        "kernel k {\n  let if.0 = true\n  let v1.0 = (! if.0)\n  let x = nan:0x7fc00000_f32\n}\n",
    );
}

#[test]
fn an_error_names_the_line() {
    let error = read::<Levelled>("kernel k {\n  let x = (y + 1_u32)\n}").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2: expected a name that is bound before, found `y`"
    );
    assert_eq!(
        read::<Levelled>("kernel k {\n").unwrap_err().to_string(),
        "line 1: expected more text, found `the end`"
    );
}

#[test]
fn a_doubling_chain_has_a_short_text() {
    let mut text = "kernel k {\n  $0 := (7_u32 + 1_u32)\n".to_owned();
    (1..40).for_each(|n| text += &format!("  ${n} := (${m} + ${m})\n", m = n - 1));
    text += "  let x = $39\n}\n";
    let kernel = read::<Levelled>(&text).unwrap();
    let printed = kernel.to_string();
    assert!(printed.len() < 2000, "{printed}");
    assert_eq!(read::<Levelled>(&printed).unwrap().to_string(), printed);
}

#[test]
fn a_deep_expression_can_be_printed() {
    let mut text = "kernel k {\n  $0 := (1_u32 + 2_u32)\n".to_owned();
    (1..20_000).for_each(|n| text += &format!("  ${n} := (${} * 3_u32)\n", n - 1));
    text += "  let x = $19999\n}\n";
    let printed = read::<Levelled>(&text).unwrap().to_string();
    assert_eq!(read::<Levelled>(&printed).unwrap().to_string(), printed);
}

//! Texts that come back as they were.

use super::read;

fn comes_back(text: &str) {
    let kernel = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(kernel.to_string(), text);
}

const EVERYTHING: &str = "\
kernel everything {
  parameter 0 input: i32[length(input)] input
  parameter 1 n: u32
  parameter 2 output: i32[(length(input) /' 2_u32)] output
  parameter 3 counts: u32[4_u32] inout
  require length(input) multiple_of 512
  threads 64
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
        store s.1[ThreadIndex] = inf_f32
      }
    } else {
      for rounds Block j in 0_u32 .. 4_u32 step 1_u32 {
        let i = ((j *' 64_u32) +' ThreadIndex)
      }
      for warps w in WarpIndex .. 4_u32 step 2_u32 {
      }
      for blocks b in BlockIndex .. 4_u32 step GridSize {
      }
    }
  }
}
";

#[test]
fn every_kind_of_statement_comes_back() {
    comes_back(EVERYTHING);
}

#[test]
fn names_that_mean_something_else_are_numbered() {
    comes_back(
        "kernel k {\n  let if.0 = true\n  let v1.0 = (! if.0)\n  let x = nan:0x7fc00000_f32\n}\n",
    );
}

#[test]
fn an_error_names_the_line() {
    let error = read("kernel k {\n  let x = (y + 1_u32)\n}").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2: expected a name that is bound before, found `y`"
    );
    assert_eq!(
        read("kernel k {\n").unwrap_err().to_string(),
        "line 1: expected more text, found `the end`"
    );
}

#[test]
fn a_doubling_chain_has_a_short_text() {
    let mut text = "kernel k {\n  $0 := (7_u32 + 1_u32)\n".to_owned();
    (1..40).for_each(|n| text += &format!("  ${n} := (${m} + ${m})\n", m = n - 1));
    text += "  let x = $39\n}\n";
    let kernel = read(&text).unwrap();
    let printed = kernel.to_string();
    assert!(printed.len() < 2000, "{printed}");
    assert_eq!(read(&printed).unwrap().to_string(), printed);
}

#[test]
fn a_deep_expression_can_be_printed() {
    let mut text = "kernel k {\n  $0 := (1_u32 + 2_u32)\n".to_owned();
    (1..20_000).for_each(|n| text += &format!("  ${n} := (${} * 3_u32)\n", n - 1));
    text += "  let x = $19999\n}\n";
    let printed = read(&text).unwrap().to_string();
    assert_eq!(read(&printed).unwrap().to_string(), printed);
}

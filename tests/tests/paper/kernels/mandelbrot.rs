//! Section 6.1: the Mandelbrot set.

use obsidian_rt::prelude::*;

#[kernels]
pub mod mandelbrot {
    pub fn xmax() -> EF32 {
        lit(1.2f32)
    }

    pub fn xmin() -> EF32 {
        lit(-2.0f32)
    }

    pub fn ymax() -> EF32 {
        lit(1.2f32)
    }

    pub fn ymin() -> EF32 {
        lit(-1.2f32)
    }

    /// One step of the orbit of a point, for an image of `w` times `h` points.
    pub fn f(w: u32, h: u32, b: EF32, t: EF32, state: (EF32, EF32, EU32)) -> (EF32, EF32, EU32) {
        let delta_p = (xmax() - xmin()) / (lit(w) as f32);
        let delta_q = (ymax() - ymin()) / (lit(h) as f32);
        let (x, y, iter) = state;
        let (xsq, ysq) = (x * x, y * y);
        (
            xsq - ysq + (xmin() + t * delta_p),
            2.0f32 * x * y + (ymax() - b * delta_q),
            iter + 1,
        )
    }

    /// The paper's `cond`.
    pub fn going(state: (EF32, EF32, EU32)) -> EBool {
        let (x, y, iter) = state;
        (x * x + y * y < 4.0f32) & (iter < 512)
    }

    pub fn iters(w: u32, h: u32, bid: EU32, tid: EU32) -> Program<Thread, EU8> {
        let (b, t) = (bid as f32, tid as f32);
        let orbit = seq_until(
            |s| f(w, h, b, t, s),
            going,
            (lit(0.0f32), lit(0.0f32), lit(1u32)),
        );
        orbit.map(|s| ((s.2 % 16) as u8) * 16)
    }

    pub fn gen_rect(
        bs: EU32,
        ts: u32,
        p: impl Fn(EU32, EU32) -> Push<Thread, EU8>,
    ) -> DPush<Grid, EU8> {
        mk_pull(bs, |bid| mk_pull(ts, |tid| p(bid, tid)).as_block()).as_grid()
    }

    pub fn image(w: u32, h: u32) -> DPush<Grid, EU8> {
        gen_rect(lit(h), w, |i, j| exec_thread_value(iters(w, h, i, j)))
    }

    /// The paper's picture.
    #[kernel(threads = 256)]
    pub fn mandel() -> DPush<Grid, EU8> {
        image(512, 512)
    }

    #[kernel(threads = 64)]
    pub fn mandel_32() -> DPush<Grid, EU8> {
        image(32, 32)
    }

    #[kernel(threads = 64)]
    pub fn mandel_45_by_19() -> DPush<Grid, EU8> {
        image(45, 19)
    }
}

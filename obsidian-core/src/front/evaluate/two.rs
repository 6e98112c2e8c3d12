//! What rows of the [table](super::table) need for two dimensions.

use super::call::{Call, Kept};
use super::programs::below_grid;
use super::{Eval, Flow, Machine, Value};
use crate::array::{Len, Length, Pull2, Push2};
use crate::error::catalogue;
use crate::front::syntax::Site;
use crate::library::{self, Gather};
use crate::program::{AnyLevel, Program, Watch, pure};
use crate::scalar::{report, with_site};

type AnyPush2 = Push2<AnyLevel, Value, Len>;

/// A height and a width, which are of one type: if one is of the device, both are.
pub(super) fn size(height: Len, width: Len) -> (Len, Len) {
    match (height, width) {
        (Len::Static(_), Len::Static(_)) => (height, width),
        _ => (Len::Dynamic(height.exp()), Len::Dynamic(width.exp())),
    }
}

impl Machine {
    /// A value as a two-dimensional pull array.
    pub(super) fn pull2(&self, value: &Value, site: Site) -> Eval<Pull2<Value, Len>> {
        match value {
            Value::Pull2(pull) => Ok(pull.clone()),
            Value::Poison => Err(Flow::Stop),
            other => self.fail(
                site,
                catalogue::wrong_kind("a two-dimensional pull array", &other.kind()),
            ),
        }
    }

    /// A pull or push array as a push array of static height and width.
    pub(super) fn push2(
        &self,
        array: &Value,
        what: &str,
        site: Site,
    ) -> Eval<Push2<AnyLevel, Value>> {
        let push: AnyPush2 = match array {
            Value::Push2(push) => push.clone(),
            Value::Pull2(pull) => pull.push(),
            Value::Poison => return Err(Flow::Stop),
            other => {
                let wrong = catalogue::wrong_kind("a two-dimensional array", &other.kind());
                return self.fail(site, wrong);
            }
        };
        Ok(push.set_size(
            self.fixed(push.height(), what, site)?,
            self.fixed(push.width(), what, site)?,
        ))
    }

    /// A pull array of static height and width.
    fn fixed_pull2(&self, value: &Value, what: &str, site: Site) -> Eval<Pull2<Value>> {
        let pull = self.pull2(value, site)?;
        Ok(pull.set_size(
            self.fixed(pull.height(), what, site)?,
            self.fixed(pull.width(), what, site)?,
        ))
    }
}

impl Kept {
    /// A value as a pull array of static height and width, after a mistake an empty one.
    pub(super) fn fixed2(&self, value: &Value, what: &str) -> Pull2<Value> {
        let pull = self.machine.fixed_pull2(value, what, self.site);
        pull.unwrap_or_else(|_| Pull2::new(0, 0, |_, _| Value::Poison))
    }

    /// A value as a push array of static height and width, after a mistake an empty one.
    fn push2(&self, value: &Value, what: &str) -> Push2<AnyLevel, Value> {
        let push = self.machine.push2(value, what, self.site);
        push.unwrap_or_else(|_| Push2::new(0, 0, |_| pure(())))
    }
}

impl Call<'_> {
    /// A height or width for an array, of the type of its length.
    pub(super) fn extent(&self, len: Len, value: &Value) -> Eval<Len> {
        match (self.length(value)?, len) {
            (Len::Static(n), Len::Static(_)) => Ok(Len::Static(n)),
            (Len::Dynamic(_), Len::Static(_)) => {
                let what = "a height or width of an array of static length";
                self.fail(catalogue::not_static(what))
            }
            (n, Len::Dynamic(_)) => Ok(Len::Dynamic(n.exp())),
        }
    }

    /// The array that a program gives, as [`exec`](Call::exec).
    pub(super) fn exec2(&self, program: &Program<AnyLevel, Value>) -> Eval<Push2<AnyLevel, Value>> {
        let ((program, watch), kept) = (self.executed(program)?, self.kept());
        let arrays = program
            .map(move |value| kept.push2(&value, "the result of a program that is executed"));
        let push: Push2<AnyLevel, Value> = library::exec2(arrays);
        watch.iter().for_each(Watch::mark_executed);
        let push = push.rewrite((push.height(), push.width()), move |write| {
            watch.iter().for_each(Watch::mark_used);
            write
        });
        Ok(push.stamped(program.level()))
    }

    /// The push array of a pull array, which reports its use at the level of the grid.
    pub(super) fn pushed2(&self, array: &Pull2<Value, Len>) -> AnyPush2 {
        let (push, site) = (array.push::<AnyLevel>(), self.site);
        Push2::new(push.height(), push.width(), move |write| {
            below_grid(push.write_to(write), catalogue::push_at_grid(), site)
        })
    }

    /// `as_block` and its relatives on an array of two-dimensional push arrays.
    pub(super) fn gather2(&self, array: &Pull2<Value, Len>, how: Gather) -> AnyPush2 {
        let kept = self.kept();
        let inner = array.map(move |piece| match &piece {
            Value::Push2(_) | Value::Poison => kept.push2(&piece, "a tile"),
            other => {
                let found = format!("an array of which each element is {}", other.kind());
                let wrong =
                    catalogue::wrong_kind("an array of two-dimensional push arrays", &found);
                let _: Eval<()> = kept.machine.fail(kept.site, wrong);
                kept.push2(&Value::Poison, "")
            }
        });
        library::gather2(&inner, how)
    }

    /// Tiles put together.
    pub(super) fn untile(
        &self,
        tiles: &Pull2<Value, Len>,
        height: u32,
        width: u32,
    ) -> Pull2<Value, Len> {
        let kept = self.kept();
        let tiles =
            tiles.map(
                move |tile| match kept.machine.fixed_pull2(&tile, "a tile", kept.site) {
                    Ok(tile) => {
                        let size = (tile.height(), tile.width());
                        if size != (height, width) {
                            with_site(kept.site, || {
                                report(catalogue::other_size(size, (height, width)))
                            });
                        }
                        tile
                    }
                    Err(_) => Pull2::new(height, width, |_, _| Value::Poison),
                },
            );
        tiles.untile(height, width)
    }
}

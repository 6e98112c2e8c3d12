//! Orders, and numbers of elements that data decide: `gradeUp`, `gradeDown`, `compress`, `replicate`.

use obsidian_rt::arrays::{AnyArr, AnyElement, Arr1, generate};
use obsidian_rt::language::{EBool, EU32, lit, select};

use super::{Call, Primitive, kept};
use crate::lower::Lowered;
use crate::lower::array::Array;
use crate::lower::element::{boolean, choose, code, double, int, types};
use crate::lower::value::Value;
use crate::syntax::Base;

pub fn find(name: &str) -> Option<Primitive> {
    Some(match name {
        "compress" => compress,
        "replicate" => replicate,
        "gradeUp" => |call| grade(call, false),
        "gradeDown" => |call| grade(call, true),
        _ => return None,
    })
}

fn fit(call: &Call, counts: &Array, array: &Array) -> Lowered<()> {
    let name = &call.operator.name;
    if counts.rank() != 1 || array.rank() != 1 {
        return Err(call.wrong(format!("`{name}` is implemented for vectors alone")));
    }
    match (counts.shape(), array.shape()) {
        (Some(a), Some(b)) if a != b => Err(call.wrong(format!(
            "`{name}` of arrays whose shapes differ: {a:?} and {b:?}"
        ))),
        _ => Ok(()),
    }
}

fn compress(call: &Call) -> Lowered<Value> {
    let (flags, array) = (call.array(0)?, call.array(1)?);
    fit(call, &flags, &array)?;
    if !call.lowering.is_outside() {
        return kept::compress(call, &flags, &array).map(Value::Array);
    }
    let flags: Arr1<EBool> = flags.to_node().to().ranked();
    let kept = array.to_node().ranked().compact(flags).untyped();
    call.lowering.check()?;
    Ok(Array::node(array.base, kept).into())
}

/// A negative count stands for that many defaults, which are the first argument.
fn replicate(call: &Call) -> Lowered<Value> {
    let (default, counts, array) = (call.array(0)?, call.array(1)?, call.array(2)?);
    fit(call, &counts, &array)?;
    if !call.lowering.is_outside() {
        return kept::replicate(call, &default, &counts, &array).map(Value::Array);
    }
    let default = default.at();
    let base = array.base;
    let (count, at) = (counts.at(), array.at());
    let (all, most) = (total(&counts), most_elements(call, base));
    let required = call.lowering.required(
        call.span,
        "what `replicate` makes fits into the memory of the program",
    );
    let pairs: Arr1<AnyElement> = generate(array.extents.clone(), move |index: Vec<EU32>| {
        let none: &[EU32] = &[];
        required(all.at(none).to::<EU32>().le(most));
        AnyElement::joined([count(&index), at(&index)])
    })
    .ranked();
    let own = |pair: &AnyElement| int(&pair.parts(0..1));
    let made = pairs.expand(
        move |pair| own(&pair).abs().cast::<u32>(),
        move |pair, _| choose(own(&pair).lt(0), &default(&[]), &pair.parts(1..3)),
    );
    call.lowering.check()?;
    Ok(Array::node(base, made.untyped()).into())
}

/// The sum of counts, or the largest number if that is less.
fn total(counts: &Array) -> AnyArr {
    let often = |count: AnyElement| AnyElement::of(int(&count).abs().cast::<u32>());
    let sum = |a: AnyElement, b: AnyElement| {
        let (a, b): (EU32, EU32) = (a.to(), b.to());
        AnyElement::of(a + b.min(lit(u32::MAX) - a))
    };
    let all = counts.to_node().map(often);
    all.fold(sum, AnyElement::of(lit(0u32)))
}

/// The most elements of an array in the memory of the program.
fn most_elements(call: &Call, base: Base) -> u32 {
    let bytes: u32 = types(base).iter().map(|ty| ty.bytes()).sum();
    let most = call.lowering.memory() / u64::from(bytes.max(1));
    u32::try_from(most).unwrap_or(u32::MAX)
}

fn grade(call: &Call, is_down: bool) -> Lowered<Value> {
    let array = call.array(0)?;
    let base = array.base;
    if base == Base::Complex || array.rank() != 1 {
        return Err(call.wrong("an order is one of a vector, and not of complex numbers"));
    }
    if !call.lowering.is_outside() {
        return kept::grade(call, &array, is_down).map(Value::Array);
    }
    let at = array.at();
    let pairs: Arr1<AnyElement> = generate(array.extents.clone(), move |index: Vec<EU32>| {
        let place = index.first().copied().unwrap_or_else(|| lit(0));
        AnyElement::joined([key(base, &at(&index), is_down), AnyElement::of(place)])
    })
    .ranked();
    let sorted = pairs.sort_by_key(|pair| pair.parts(0..1));
    let places = sorted.map(|pair| AnyElement::of(pair.parts(1..2).to::<EU32>().cast::<i32>() + 1));
    call.lowering.check()?;
    Ok(Array::node(Base::Int, places.untyped()).into())
}

/// A key whose ascending order is the wanted one. Of doubles, both zeros are one.
pub fn key(base: Base, element: &AnyElement, is_down: bool) -> AnyElement {
    match base {
        Base::Double => {
            let x = double(element);
            let x = select(x.eq(0.0), lit(0.0), x);
            let turned = select(x.eq(0.0), lit(0.0), -x);
            AnyElement::of(if is_down { turned } else { x })
        }
        Base::Bool => AnyElement::of(if is_down {
            !boolean(element)
        } else {
            boolean(element)
        }),
        Base::Char => AnyElement::of(if is_down {
            !code(element)
        } else {
            code(element)
        }),
        Base::Int | Base::Open | Base::Complex => {
            AnyElement::of(if is_down { !int(element) } else { int(element) })
        }
    }
}

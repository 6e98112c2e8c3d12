//! Numbers that are computed first, and read by the host: `known`.

use obsidian_rt::arrays::*;
use obsidian_rt::language::{EU32, lit};
use obsidian_rt::prelude::*;
use obsidian_rt::{Device, ErrorKind, ScalarType};

#[kernels]
mod m {
    /// How often each number occurs.
    #[arrays]
    pub fn counts(xs: Arr1<EU32>) -> Arr1<EU32> {
        let bins = xs.max().known() + 1;
        xs.map(|_| 1)
            .permute(|a, b| a + b, fill(bins, 0), |i, _| (true, xs.at(i)))
    }

    /// Rounds, places and a length of data.
    #[arrays]
    pub fn rounds(xs: Arr1<EU32>) -> Arr1<EU32> {
        let k = xs.sum().known();
        power(k % 5, xs.rotate(k), |xs| xs.map(|x| x + 1)).take(k % 3 + 1)
    }

    /// A number of each round.
    #[arrays]
    pub fn turned(xs: Arr1<EU32>) -> Arr1<EU32> {
        power(3, xs, |xs| xs.rotate(xs.slice_inner(0).known()))
    }
}

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

#[test]
fn numbers_of_data() {
    for device in devices() {
        let numbers = [1u32, 3, 3, 0, 9];
        let xs = device.array([5], &numbers).unwrap();
        let counts = m::counts::run(&device, &xs).unwrap().to_vec().unwrap();
        assert_eq!(counts, [1, 1, 0, 2, 0, 0, 0, 0, 0, 1]);
        // 16 to the left of five is one, once more each, and two of them.
        let rounds = m::rounds::run(&device, &xs).unwrap().to_vec().unwrap();
        assert_eq!(rounds, [4, 4]);
        let mut wanted = numbers.to_vec();
        for _ in 0..3 {
            let by = wanted[0] as usize % 5;
            wanted.rotate_left(by);
        }
        assert_eq!(
            m::turned::run(&device, &xs).unwrap().to_vec().unwrap(),
            wanted
        );
    }
}

#[test]
fn extents_of_data_are_extents() {
    let program = ArrayProgram::build("known", |xs: Arr1<EU32>| {
        let n = xs.sum().known();
        let ys = generate(n, |i| i * i);
        let m = ys.fold(|x, y| x + y, lit(2)).known() % 7;
        let table = generate((n, m), |(i, j)| i * 10 + j);
        (
            ys.take(m.min(n)),
            xs.map(move |x| x + n * m),
            table.sum(),
            table,
        )
    });
    let program = program.unwrap();
    for device in devices() {
        for numbers in [vec![], vec![0u32], vec![3, 2], vec![1; 40], vec![100, 0, 7]] {
            let n: u32 = numbers.iter().sum();
            let m = (2 + (0..n).map(|i| i * i).sum::<u32>()) % 7;
            let xs = device.array([numbers.len()], &numbers).unwrap();
            let (few, more, sums, table) = program.run(&device, &xs).unwrap();
            let squares: Vec<u32> = (0..m.min(n)).map(|i| i * i).collect();
            assert_eq!(few.to_vec().unwrap(), squares);
            let wanted: Vec<u32> = numbers.iter().map(|x| x + n * m).collect();
            assert_eq!(more.to_vec().unwrap(), wanted);
            assert_eq!(table.extents(), [n as usize, m as usize]);
            let rows = (0..n).map(|i| (0..m).map(|j| i * 10 + j).collect::<Vec<u32>>());
            let rows: Vec<Vec<u32>> = rows.collect();
            assert_eq!(table.to_vec().unwrap(), rows.concat());
            let wanted: Vec<u32> = rows.iter().map(|row| row.iter().sum()).collect();
            assert_eq!(sums.to_vec().unwrap(), wanted);
        }
    }
}

#[test]
fn where_numbers_are_known() {
    // In a function of elements it is the element; arrays that it makes are as long.
    let inside = ArrayProgram::build("inside", |xs: Arr1<EU32>, n: Arr0<EU32>| {
        xs.map(move |x| iota(n.known()).map(move |i| i * x).sum().the())
    });
    // What each element knows is not one number.
    let each = ArrayProgram::build("each", |rows: Arr2<EU32>| {
        rows.each(|row| row.rotate(row.max().known()))
    });
    let error = each.err().unwrap().to_string();
    assert!(
        error.contains("`known` takes another course in each element"),
        "{error}"
    );
    let any = AnyProgram::build("any", |inputs| {
        let n = inputs.array(0, &[ScalarType::U32]);
        vec![iota(n.ranked::<Ix0>().to::<EU32>().known()).untyped()]
    });
    let (inside, any) = (inside.unwrap(), any.unwrap());
    for device in devices() {
        let (xs, n) = (
            device.array([2], &[5u32, 7]).unwrap(),
            device.array([], &[4u32]).unwrap(),
        );
        assert_eq!(
            inside.run(&device, (&xs, &n)).unwrap().to_vec().unwrap(),
            [30, 42]
        );
        let n = AnyArray::new(&device, &[], &[3u32]).unwrap();
        assert_eq!(
            any.run(&device, &[&n]).unwrap()[0].to_vec::<u32>().unwrap(),
            [0, 1, 2]
        );
    }
}

#[test]
fn extents_that_no_array_has() {
    let program = ArrayProgram::build("known", |n: Arr0<EU32>| {
        let n = n.known();
        generate((n, n), |(i, j)| i + j)
    });
    let program = program.unwrap();
    for device in devices() {
        let n = device.array([], &[1u32 << 20]).unwrap();
        let error = program.run(&device, &n).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoLength, "{error}");
    }
}

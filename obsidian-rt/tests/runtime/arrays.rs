//! Arrays of `ndarray` and plain structs of `bytemuck`, to buffers and back.

// A test that unwraps an error fails, which is what it is for.
#![allow(clippy::unwrap_used)]

use ndarray::{Array, Array2, Array3, ArrayD, Axis, IxDyn, arr0, array, s};
use obsidian_rt::{ErrorKind, prelude::*};

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

fn kind<T>(result: obsidian_rt::Result<T>) -> Option<ErrorKind> {
    result.err().map(|error| error.kind())
}

#[test]
fn arrays_of_every_dimension_come_back() {
    for device in devices() {
        let cube = Array3::from_shape_fn((2, 3, 5), |(i, j, k)| (100 * i + 10 * j + k) as u32);
        let buffer = device.upload_ndarray(&cube).unwrap();
        assert_eq!(buffer.to_vec().unwrap()[..6], [0, 1, 2, 3, 4, 10]);
        assert_eq!(buffer.to_ndarray((2, 3, 5)).unwrap(), cube);
        assert_eq!(
            buffer.to_ndarray(IxDyn(&[6, 5])).unwrap(),
            cube.clone().into_shape_with_order(IxDyn(&[6, 5])).unwrap()
        );
        assert_eq!(buffer.to_ndarray(30).unwrap(), Array::from_iter(cube));
        let single = device.upload_ndarray(&arr0(2.5f64)).unwrap();
        assert_eq!(single.to_ndarray(()).unwrap(), arr0(2.5));
        let truths: ArrayD<bool> = ArrayD::from_elem(IxDyn(&[2, 2]), true);
        let truths_back = device.upload_ndarray(&truths).unwrap();
        assert_eq!(truths_back.to_ndarray([2, 2]).unwrap().into_dyn(), truths);
        let none = device.upload_ndarray(&Array2::<i8>::zeros((0, 7))).unwrap();
        assert_eq!(none.to_ndarray((7, 0)).unwrap().dim(), (7, 0));
    }
}

#[test]
fn rows_are_in_order_and_columns_are_refused() {
    let matrix = array![[1i64, 2, 3], [4, 5, 6], [7, 8, 9]];
    for device in devices() {
        let rows = device.upload_ndarray(&matrix.slice(s![1.., ..])).unwrap();
        assert_eq!(rows.to_ndarray((2, 3)).unwrap(), matrix.slice(s![1.., ..]));
        let one_row = device
            .upload_ndarray(&matrix.index_axis(Axis(0), 2))
            .unwrap();
        assert_eq!(one_row.to_vec().unwrap(), [7, 8, 9]);
        for other in [
            matrix.t(),
            matrix.slice(s![.., 1..]),
            matrix.slice(s![..;-1, ..]),
        ] {
            let error = device.upload_ndarray(&other).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Layout);
            assert!(error.to_string().contains("as_standard_layout"), "{error}");
            let elements: Vec<i64> = other.iter().copied().collect();
            let copied = device.upload_ndarray(&other.as_standard_layout()).unwrap();
            assert_eq!(copied.to_vec().unwrap(), elements);
        }
    }
}

#[test]
fn arrays_are_copied_in_place_and_shapes_have_to_fit() {
    for device in devices() {
        let mut buffer = device.zeros::<f32>(6).unwrap();
        let matrix = array![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
        buffer.copy_from_ndarray(&matrix).unwrap();
        let mut back = Array2::zeros((3, 2));
        buffer.copy_to_ndarray(&mut back).unwrap();
        assert_eq!(back, array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
        let mut transposed = back.reversed_axes();
        assert_eq!(
            kind(buffer.copy_to_ndarray(&mut transposed)),
            Some(ErrorKind::Layout)
        );
        assert_eq!(
            kind(buffer.copy_from_ndarray(&transposed)),
            Some(ErrorKind::Layout)
        );
        let short = Array2::<f32>::zeros((2, 2));
        assert_eq!(
            kind(buffer.copy_from_ndarray(&short)),
            Some(ErrorKind::UnequalLengths)
        );
        let error = buffer.to_ndarray((2, 4)).unwrap_err();
        let found = (error.kind(), error.needed(), error.limit());
        assert_eq!(found, (ErrorKind::UnequalLengths, Some(8), Some(6)));
        let error = buffer.to_ndarray((usize::MAX, usize::MAX)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnequalLengths);
        assert_eq!(buffer.to_vec().unwrap(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    }
}

/// A struct of numbers, without padding.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C)]
struct Body {
    place: [f32; 3],
    name: u32,
}

// SAFETY: four numbers of 4 bytes and no padding, of which all bits are values.
unsafe impl bytemuck::Zeroable for Body {}
// SAFETY: as above.
unsafe impl bytemuck::Pod for Body {}

fn bodies(count: u32) -> Vec<Body> {
    let body = |name| Body {
        place: [name as f32, 0.5, -1.0],
        name: name ^ 0xdead_beef,
    };
    (0..count).map(body).collect()
}

#[test]
fn structs_are_runs_of_elements() {
    for device in devices() {
        let all = bodies(7);
        let words: Buffer<u32> = device.upload_pod(&all).unwrap();
        let bits = words.to_vec().unwrap();
        assert_eq!(
            (bits.len(), bits[3], bits[5]),
            (28, 0xdead_beef, 0.5f32.to_bits())
        );
        assert_eq!(words.to_pod::<Body>().unwrap(), all);
        // Bits that are no number come back as well.
        let floats: Buffer<f32> = device.upload_pod(&all).unwrap();
        assert_eq!(floats.to_pod::<Body>().unwrap(), all);
        let mut again = device.zeros::<u32>(28).unwrap();
        again.copy_from_pod(&all).unwrap();
        assert_eq!(again.to_pod::<Body>().unwrap(), all);
        assert_eq!(
            kind(again.copy_from_pod(&all[1..])),
            Some(ErrorKind::UnequalLengths)
        );
        let bytes: Buffer<u8> = device.upload_pod(&all[..2]).unwrap();
        assert_eq!(bytes.len(), 32);
        assert_eq!(
            bytes.to_vec().unwrap(),
            bytemuck::cast_slice::<Body, u8>(&all[..2])
        );
        assert!(device.upload_pod::<u64, u64>(&[]).unwrap().is_empty());
    }
}

#[test]
fn structs_that_are_no_elements_are_refused() {
    for device in devices() {
        // A part of a body is left over, whatever the length of the others.
        let words = device.upload(&[0u32; 27]).unwrap();
        assert_eq!(kind(words.to_pod::<Body>()), Some(ErrorKind::Layout));
        assert_eq!(kind(words.to_pod::<()>()), Some(ErrorKind::Layout));
        let bytes = [1u8; 7];
        assert_eq!(
            kind(device.upload_pod::<u32, u8>(&bytes)),
            Some(ErrorKind::Layout)
        );
        let error = device.upload_pod::<u64, [u8; 3]>(&[[0; 3]; 3]).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("[u8; 3]` are not elements of `u64`"),
            "{error}"
        );
        let halves = device.upload_pod::<u16, u32>(&[0x0102_0304; 3]).unwrap();
        assert_eq!(
            halves.to_vec().unwrap(),
            [0x0304, 0x0102, 0x0304, 0x0102, 0x0304, 0x0102]
        );
        let odd = device.upload_pod::<u32, [u32; 3]>(&[[1, 2, 3]]).unwrap();
        assert_eq!(odd.len(), 3);
        assert_eq!(
            kind(device.upload(&[0u16; 3]).unwrap().to_pod::<u32>()),
            Some(ErrorKind::Layout)
        );
    }
}

/// Values with a smaller alignment than elements: bytes that lie anywhere, the colours of a picture, and halves of words.
#[test]
fn values_of_any_alignment_are_elements() {
    for device in devices() {
        let bytes: Vec<u8> = (0..16).collect();
        for start in 0..4 {
            let own = &bytes[start..start + 8];
            let words: Buffer<u32> = device.upload_pod(own).unwrap();
            let expected: Vec<u32> = own
                .chunks(4)
                .map(|four| u32::from_ne_bytes(four.try_into().unwrap()))
                .collect();
            assert_eq!(words.to_vec().unwrap(), expected);
            assert_eq!(words.to_pod::<u8>().unwrap(), own);
            assert_eq!(words.to_pod::<[u8; 4]>().unwrap().concat(), own);
            assert_eq!(words.to_pod::<u16>().unwrap().len(), 4);
        }
        let all = bodies(2);
        let doubles: Buffer<u64> = device.upload_pod(&all).unwrap();
        assert_eq!(doubles.to_pod::<Body>().unwrap(), all);
    }
}

//! Little-endian elements and nothing else.

use std::io::{self, Read};

use bytemuck::Zeroable;

use super::{InputError, Source, memory};
use crate::element::{DType, Data, Element};

/// Reads to the end.
pub(super) fn read(
    source: &Source,
    reader: &mut impl Read,
    bytes: Option<u64>,
    dtype: DType,
) -> Result<Data, InputError> {
    if let Some(bytes) = bytes {
        whole_elements(source, bytes, dtype)?;
    }
    let n = bytes.map(|bytes| bytes / dtype.size() as u64);
    let (data, found) = elements(source, reader, dtype, n, n.unwrap_or(u64::MAX))?;
    whole_elements(source, found, dtype)?;
    Ok(data)
}

fn whole_elements(source: &Source, bytes: u64, dtype: DType) -> Result<(), InputError> {
    if bytes.is_multiple_of(dtype.size() as u64) {
        Ok(())
    } else {
        Err(InputError::PartOfElement { source_name: source.to_string(), bytes, dtype })
    }
}

/// Up to `most` elements, and the bytes that were there for them; room is made for `expected` at
/// once.
pub(super) fn elements(
    source: &Source,
    reader: &mut impl Read,
    dtype: DType,
    expected: Option<u64>,
    most: u64,
) -> Result<(Data, u64), InputError> {
    macro_rules! of {
        ($t:ty) => {
            typed::<$t>(source, reader, expected, most)
                .map(|(v, bytes)| (Element::into_data(v), bytes))
        };
    }
    match dtype {
        DType::F32 => of!(f32),
        DType::F64 => of!(f64),
        DType::I32 => of!(i32),
        DType::U32 => of!(u32),
        DType::I64 => of!(i64),
        DType::U64 => of!(u64),
    }
}

/// Reads in steps, so that a header that promises too much costs no memory.
fn typed<T: Element>(
    source: &Source,
    reader: &mut impl Read,
    expected: Option<u64>,
    most: u64,
) -> Result<(Vec<T>, u64), InputError> {
    const STEP: u64 = 1 << 18;
    let mut values: Vec<T> = memory::reserve(source, expected.unwrap_or(0))?;
    let mut bytes = 0;
    loop {
        let begin = values.len();
        let step = STEP.min(most - begin as u64) as usize;
        values.resize(begin + step, Zeroable::zeroed());
        let got = fill(reader, bytemuck::cast_slice_mut(&mut values[begin..]))
            .map_err(|error| InputError::read(source, error))?;
        bytes += got as u64;
        values.truncate(begin + got / size_of::<T>());
        for value in &mut values[begin..] {
            *value = T::from_little_endian(*value);
        }
        if step == 0 || got < step * size_of::<T>() {
            return Ok((values, bytes));
        }
    }
}

/// Fills `buffer` as far as the reader goes; gives how many bytes it had.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

//! NumPy's `.npy`, versions 1 to 3: a line of Python that describes the array, then its elements.
//!
//! <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>

use std::io::Read;

use super::{InputError, Source, raw};
use crate::element::{DType, Data};

/// What a file begins with.
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// Reads the array, which is all of the file.
pub(super) fn read(
    source: &Source,
    reader: &mut impl Read,
    bytes: Option<u64>,
    asked: Option<DType>,
) -> Result<Data, InputError> {
    let (text, begin) = header_text(source, reader)?;
    let header = Header::parse(&text)
        .map_err(|reason| InputError::Npy { source_name: source.to_string(), reason })?;
    let dtype = dtype(source, &header.descr, asked)?;
    if header.fortran_order {
        return Err(InputError::FortranOrder { source_name: source.to_string() });
    }
    // A product beyond 128 bits is beyond any file too.
    let n = header.shape.iter().fold(1u128, |n, side| n.saturating_mul(u128::from(*side)));
    let expected = n.saturating_mul(dtype.size() as u128);
    let truncated =
        |found| InputError::Truncated { source_name: source.to_string(), expected, found };

    let here = bytes.map(|bytes| bytes.saturating_sub(begin));
    if let Some(found) = here.filter(|found| u128::from(*found) < expected) {
        return Err(truncated(found));
    }
    let most = u64::try_from(n).unwrap_or(u64::MAX);
    let (data, found) = raw::elements(source, reader, dtype, here.map(|_| most), most)?;
    if u128::from(found) < expected {
        return Err(truncated(found));
    }
    match reader.read(&mut [0]) {
        Ok(0) => Ok(data),
        Ok(_) => Err(InputError::Trailing { source_name: source.to_string(), expected }),
        Err(error) => Err(InputError::read(source, error)),
    }
}

/// The description, and how many bytes lie before the elements.
fn header_text(source: &Source, reader: &mut impl Read) -> Result<(String, u64), InputError> {
    let damaged = |reason: &str| InputError::Npy {
        source_name: source.to_string(),
        reason: reason.to_owned(),
    };
    let mut up_to = |count: u64| {
        let mut bytes = Vec::new();
        let outcome = reader.by_ref().take(count).read_to_end(&mut bytes);
        outcome.map(|_| bytes).map_err(|error| InputError::read(source, error))
    };
    let whole = |bytes: Vec<u8>, count: u64| {
        let all = bytes.len() as u64 == count;
        if all { Ok(bytes) } else { Err(damaged("it is truncated in its header")) }
    };
    let start_length = MAGIC.len() as u64 + 2;
    let start = up_to(start_length)?;
    if !start.iter().zip(MAGIC).all(|(byte, expected)| byte == expected) {
        return Err(damaged("it does not begin with \\x93NUMPY"));
    }
    let start = whole(start, start_length)?;
    let size = match start[MAGIC.len()] {
        1 => 2,
        2 | 3 => 4,
        version => return Err(damaged(&format!("its version is {version}, not 1, 2 or 3"))),
    };
    let length =
        whole(up_to(size)?, size)?.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    let text = whole(up_to(length)?, length)?;
    let text = String::from_utf8(text).map_err(|_| damaged("its header is not text"))?;
    Ok((text, start_length + size + length))
}

fn dtype(source: &Source, descr: &str, asked: Option<DType>) -> Result<DType, InputError> {
    let source_name = source.to_string();
    let found = match descr {
        "<f4" => DType::F32,
        "<f8" => DType::F64,
        "<i4" => DType::I32,
        "<u4" => DType::U32,
        "<i8" => DType::I64,
        "<u8" => DType::U64,
        _ => {
            let descr = descr.escape_debug().to_string();
            return Err(match descr.strip_prefix('>') {
                Some(rest) => {
                    let little = format!("<{rest}");
                    InputError::BigEndian { source_name, descr, little }
                }
                None => InputError::UnsupportedType { source_name, descr },
            });
        }
    };
    match asked {
        Some(asked) if asked != found => Err(InputError::WrongType { source_name, found, asked }),
        _ => Ok(found),
    }
}

/// The three facts in a description such as
/// `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
#[derive(Debug, PartialEq)]
struct Header {
    descr: String,
    fortran_order: bool,
    shape: Vec<u64>,
}

impl Header {
    fn parse(text: &str) -> Result<Self, String> {
        let mut rest = Rest(text.trim());
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        rest.expect('{')?;
        while !rest.take('}') {
            let key = rest.string()?;
            rest.expect(':')?;
            match key {
                "descr" => descr = Some(rest.descr()?),
                "fortran_order" => fortran_order = Some(rest.boolean()?),
                "shape" => shape = Some(rest.shape()?),
                other => return Err(format!("its header has the key '{}'", other.escape_debug())),
            }
            if !rest.take(',') {
                rest.expect('}')?;
                break;
            }
        }
        let missing = |key| format!("its header has no '{key}'");
        Ok(Self {
            descr: descr.ok_or_else(|| missing("descr"))?,
            fortran_order: fortran_order.ok_or_else(|| missing("fortran_order"))?,
            shape: shape.ok_or_else(|| missing("shape"))?,
        })
    }
}

/// What of the description has not been read.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn take(&mut self, wanted: char) -> bool {
        let rest = self.0.trim_start();
        let found = rest.strip_prefix(wanted);
        self.0 = found.unwrap_or(rest);
        found.is_some()
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        if self.take(wanted) { Ok(()) } else { Err(format!("its header lacks a '{wanted}'")) }
    }

    fn string(&mut self) -> Result<&'a str, String> {
        let quote = if self.take('\'') {
            '\''
        } else if self.take('"') {
            '"'
        } else {
            return Err("its header lacks a quoted name".to_owned());
        };
        let (string, rest) =
            self.0.split_once(quote).ok_or("its header has a quote without an end")?;
        self.0 = rest;
        Ok(string)
    }

    /// A type; a structured one, which is a list, as its text up to the list's end.
    fn descr(&mut self) -> Result<String, String> {
        let list = self.0.trim_start();
        if !list.starts_with('[') {
            return self.string().map(str::to_owned);
        }
        let end = list.rfind(']').ok_or("its header has a list without an end")?;
        self.0 = &list[end + 1..];
        Ok(list[..=end].to_owned())
    }

    fn boolean(&mut self) -> Result<bool, String> {
        let text = self.0.trim_start();
        for (word, value) in [("False", false), ("True", true)] {
            if let Some(rest) = text.strip_prefix(word) {
                self.0 = rest;
                return Ok(value);
            }
        }
        Err("its fortran_order is neither True nor False".to_owned())
    }

    fn shape(&mut self) -> Result<Vec<u64>, String> {
        let mut shape = Vec::new();
        self.expect('(')?;
        while !self.take(')') {
            let text = self.0.trim_start();
            let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            let side = text[..end].parse();
            shape.push(side.map_err(|_| "its shape is no tuple of whole numbers".to_owned())?);
            self.0 = &text[end..];
            if !self.take(',') {
                self.expect(')')?;
                break;
            }
        }
        Ok(shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(descr: &str, fortran_order: bool, shape: &[u64]) -> Result<Header, String> {
        Ok(Header { descr: descr.to_owned(), fortran_order, shape: shape.to_vec() })
    }

    #[test]
    fn descriptions_that_numpy_writes() {
        let parse = |text| Header::parse(text);
        assert_eq!(
            parse("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }      \n"),
            header("<f4", false, &[3])
        );
        assert_eq!(
            parse("{'descr': '>i8', 'fortran_order': True, 'shape': (2, 3), }\n"),
            header(">i8", true, &[2, 3])
        );
        assert_eq!(
            parse("{'shape':(),'descr':\"<u8\",'fortran_order':False}"),
            header("<u8", false, &[])
        );
        assert_eq!(
            parse(
                "{'descr': [('x', '<f4'), ('y', '<f4')], 'fortran_order': False, 'shape': (0,), }"
            ),
            header("[('x', '<f4'), ('y', '<f4')]", false, &[0])
        );
    }

    #[test]
    fn damaged_descriptions_are_named() {
        for text in [
            "",
            "{",
            "{'descr'",
            "{'descr': '<f4",
            "{'descr': '<f4'}",
            "{'shape': (1",
            "{'shape': (-1,)}",
            "{'shape': (99999999999999999999,)}",
            "{'descr': [",
            "{'fortran_order': maybe}",
            "{'colour': 1}",
        ] {
            assert!(Header::parse(text).is_err(), "{text}");
        }
    }
}

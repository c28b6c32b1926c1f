//! Numbers as text: CSV, one a line, or separated by white space.

use std::io::{BufRead, Read};

use super::{InputError, Source};
use crate::element::{DType, Data, Element};

/// Reads to the end. Blank lines are passed over.
///
/// If the first line has a comma the text is a table: values are separated by commas, and every
/// line has as many as the first. Else values are separated by white space, and lines may differ.
pub(super) fn read(
    source: &Source,
    reader: &mut impl BufRead,
    dtype: DType,
) -> Result<Data, InputError> {
    match dtype {
        DType::F32 => typed::<f32>(source, reader).map(Data::F32),
        DType::F64 => typed::<f64>(source, reader).map(Data::F64),
        DType::I32 => typed::<i32>(source, reader).map(Data::I32),
        DType::U32 => typed::<u32>(source, reader).map(Data::U32),
        DType::I64 => typed::<i64>(source, reader).map(Data::I64),
        DType::U64 => typed::<u64>(source, reader).map(Data::U64),
    }
}

/// The bytes after a UTF-8 byte order mark, if there is one.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

/// The bytes of a line that is still believed to be text: about twenty million numbers.
const LONGEST_LINE: u64 = 1 << 28;

/// The first line with values: its number and how many it has.
struct First {
    line: usize,
    fields: usize,
    commas: bool,
}

fn typed<T: Element>(source: &Source, reader: &mut impl BufRead) -> Result<Vec<T>, InputError> {
    let mut values = Vec::new();
    let mut first: Option<First> = None;
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        let count = reader
            .by_ref()
            .take(LONGEST_LINE + 1)
            .read_until(b'\n', &mut bytes)
            .map_err(|error| InputError::read(source, error))?;
        if count == 0 {
            break;
        }
        // What is no text, /dev/zero for example, need not have line ends.
        if count as u64 > LONGEST_LINE {
            return Err(InputError::NotText { source_name: source.to_string(), line });
        }
        let own = if line == 1 { without_mark(&bytes) } else { &bytes };
        let text = str::from_utf8(own)
            .map_err(|_| InputError::NotText { source_name: source.to_string(), line })?
            .trim();
        if text.is_empty() {
            continue;
        }

        let commas = text.contains(',');
        let begin = values.len();
        let place = Place { source, line };
        if commas {
            place.parse(text.split(',').map(str::trim), &mut values)?;
        } else {
            place.parse(text.split_whitespace(), &mut values)?;
        }
        let fields = values.len() - begin;
        let first = first.get_or_insert(First { line, fields, commas });
        if (commas || first.commas) && (fields != first.fields || commas != first.commas) {
            return Err(InputError::Ragged {
                source_name: source.to_string(),
                line,
                fields,
                first_line: first.line,
                expected: first.fields,
            });
        }
    }
    if values.is_empty() {
        return Err(InputError::Empty { source_name: source.to_string() });
    }
    Ok(values)
}

struct Place<'a> {
    source: &'a Source,
    line: usize,
}

impl Place<'_> {
    fn parse<'t, T: Element>(
        &self,
        fields: impl Iterator<Item = &'t str>,
        values: &mut Vec<T>,
    ) -> Result<(), InputError> {
        for (field, word) in (1..).zip(fields) {
            values.push(self.number(field, word)?);
        }
        Ok(())
    }

    fn number<T: Element>(&self, field: usize, word: &str) -> Result<T, InputError> {
        match word.parse::<T>() {
            Ok(value) if !value.is_infinite() || is_infinity(word) => Ok(value),
            Ok(_) => Err(self.refusal(field, word, T::DTYPE, true)),
            Err(_) => Err(self.refusal(field, word, T::DTYPE, is_whole(word))),
        }
    }

    fn refusal(&self, field: usize, word: &str, dtype: DType, out_of_range: bool) -> InputError {
        let (source_name, line, word) = (self.source.to_string(), self.line, shown(word));
        if word.is_empty() {
            InputError::Missing { source_name, line, field }
        } else if out_of_range {
            InputError::Range { source_name, line, field, word, dtype }
        } else {
            InputError::Word { source_name, line, field, word, dtype }
        }
    }
}

/// Whether it spells infinity, and is not a number too large for its type.
fn is_infinity(word: &str) -> bool {
    word.bytes().any(|byte| byte.eq_ignore_ascii_case(&b'i'))
}

/// Whether it is a sign and digits, so that only its size can be wrong.
fn is_whole(word: &str) -> bool {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The word in one line, and not a long one.
fn shown(word: &str) -> String {
    const MOST: usize = 40;
    let start: String = word.chars().take(MOST).flat_map(char::escape_debug).collect();
    if word.chars().count() > MOST { start + "…" } else { start }
}

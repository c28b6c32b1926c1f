//! [`InputError`].

use std::io;

use super::Source;
use crate::element::DType;

/// Why a source gives no elements: what is wrong, what was expected, what to do, in one line.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are the parts of the messages")]
pub enum InputError {
    /// It does not exist, or may not be read.
    #[error(
        "{source_name} cannot be opened: {reason}; expected a file that exists and may be read: check the path, or give - for standard input"
    )]
    Open { source_name: String, reason: String },

    /// It is a directory.
    #[error("{source_name} is a directory; expected a file: name one in it")]
    Directory { source_name: String },

    /// The system failed while it was read.
    #[error(
        "{source_name} cannot be read: {reason}; expected the whole file: check the disk or the pipe, and try again"
    )]
    Read { source_name: String, reason: String },

    /// It has no bytes, or none but white space.
    #[error(
        "{source_name} is empty; expected at least one number: check what wrote it, or give a .npy file of shape (0,) for no elements"
    )]
    Empty { source_name: String },

    /// It does not fit into memory.
    #[error(
        "{source_name}: {needed} bytes do not fit into the {available} bytes of memory that are available; expected data that fits: reduce parts of it, or use a machine with more memory"
    )]
    TooLarge { source_name: String, needed: u64, available: u64 },

    /// Its size is no multiple of an element's.
    #[error("{source_name} has {bytes} bytes, no multiple of the {size} bytes of {dtype}; expected whole little-endian elements: check --dtype and --format", size = dtype.size())]
    PartOfElement { source_name: String, bytes: u64, dtype: DType },

    /// A float is NaN.
    #[error(
        "{source_name}: element {index} (counted from 0) is NaN; expected numbers: remove it, or pass --allow-nan to reduce it as IEEE 754 says"
    )]
    Nan { source_name: String, index: usize },

    /// A field of a text is no number.
    #[error("{source_name}, line {line}, value {field}: `{word}` is no {dtype}; expected {expected}: correct it or choose another --dtype", expected = example(*dtype))]
    Word { source_name: String, line: usize, field: usize, word: String, dtype: DType },

    /// A number in a text does not fit into the type.
    #[error("{source_name}, line {line}, value {field}: {word} is out of the range of {dtype}; expected {expected}: correct it or choose another --dtype", expected = example(*dtype))]
    Range { source_name: String, line: usize, field: usize, word: String, dtype: DType },

    /// Nothing stands between two commas.
    #[error(
        "{source_name}, line {line}, value {field}: nothing stands there; expected a number between commas: fill it in or remove the comma"
    )]
    Missing { source_name: String, line: usize, field: usize },

    /// Lines with commas differ in their number of values.
    #[error(
        "{source_name}, line {line}: a ragged table, {fields} {} where line {first_line} has {expected}; expected as many values in every line: correct the line, or separate the values by white space",
        if *fields == 1 { "value" } else { "values" }
    )]
    Ragged { source_name: String, line: usize, fields: usize, first_line: usize, expected: usize },

    /// It is a character device, which need not end.
    #[error(
        "{source_name} is a device; expected a file or a pipe: pipe what you want of it, as in head -c 4000 FILE | wavewise reduce --input -"
    )]
    Device { source_name: String },

    /// It is not text.
    #[error(
        "{source_name}, line {line}: these bytes are not text; expected numbers in ASCII: pass --format raw if it is binary"
    )]
    NotText { source_name: String, line: usize },

    /// It is no `.npy` file, or a damaged one.
    #[error(
        "{source_name} is no valid .npy file: {reason}; expected what numpy.save writes: save it again, or pass --format raw or text"
    )]
    Npy { source_name: String, reason: String },

    /// It ends before its last element.
    #[error(
        "{source_name} is truncated: {found} bytes of data where its header says {expected}; expected the whole array: copy or save it again"
    )]
    Truncated { source_name: String, expected: u128, found: u64 },

    /// It goes on after its last element.
    #[error(
        "{source_name} goes on after the {expected} bytes of data that its header says; expected one array: save it again, by itself"
    )]
    Trailing { source_name: String, expected: u128 },

    /// Its elements are big-endian.
    #[error(
        "{source_name} holds big-endian elements ({descr}); expected little-endian: save array.astype('{little}')"
    )]
    BigEndian { source_name: String, descr: String, little: String },

    /// Its elements are of a type that the kernels do not take.
    #[error(
        "{source_name} holds elements of type {descr}; expected <f4, <f8, <i4, <u4, <i8 or <u8: save array.astype('float32') or another of these"
    )]
    UnsupportedType { source_name: String, descr: String },

    /// Its elements are of another type than was asked for.
    #[error(
        "{source_name} holds {found}; expected {asked} because of --dtype: leave --dtype out, or convert the file"
    )]
    WrongType { source_name: String, found: DType, asked: DType },

    /// Its order is Fortran's.
    #[error(
        "{source_name} is in Fortran order; expected C order: save numpy.ascontiguousarray(array)"
    )]
    FortranOrder { source_name: String },
}

impl InputError {
    pub(super) fn open(source: &Source, error: io::Error) -> Self {
        Self::Open { source_name: source.to_string(), reason: plain(&error) }
    }

    /// The error that an [`io::Error`] carries from a [`Metered`](super::memory::Metered) reader,
    /// or the system's.
    pub(super) fn read(source: &Source, error: io::Error) -> Self {
        match error.downcast::<Self>() {
            Ok(own) => own,
            Err(error) => Self::Read { source_name: source.to_string(), reason: plain(&error) },
        }
    }
}

/// The system's message without its number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    text[..end].to_lowercase()
}

fn example(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 | DType::F64 => "a number such as -1.5 or 2e-3",
        DType::I32 | DType::I64 => "a whole number such as -12",
        DType::U32 | DType::U64 => "a whole number from 0 upward",
    }
}

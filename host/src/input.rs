//! Where the elements come from: [`Source`], [`load`].
//!
//! Three formats, told apart by content and name, in this order:
//!
//! 1. what begins with `\x93NUMPY` is `.npy`, and what is named `.npy` must begin so;
//! 2. what is named `.bin` or `.raw` is raw: little-endian elements and nothing else;
//! 3. what is named `.csv`, `.tsv` or `.txt` is text;
//! 4. the rest, standard input too, is text where its first 4096 bytes are printable ASCII or white
//!    space, else raw.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::element::{DType, Data, Element, with_elements};

mod error;
mod memory;
mod npy;
mod random;
mod raw;
mod text;

pub use error::InputError;

/// Where the elements come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
    /// Reproducible random values.
    Random {
        /// How many.
        n: u64,
        /// The seed: equal seeds give equal values, on every machine.
        seed: u64,
    },
}

/// What the source is called in messages.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "`{}`", path.to_string_lossy().escape_debug()),
            Self::Stdin => f.write_str("standard input"),
            Self::Random { n, seed } => write!(f, "{n} random values of seed {seed}"),
        }
    }
}

/// How a file's bytes are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// NumPy's array file, little-endian and in C order.
    Npy,
    /// Little-endian elements and nothing else.
    Raw,
    /// Numbers separated by commas or white space; lines with commas all have as many values.
    Text,
}

/// How to read a source.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The type of the elements; where it is `None` that of a `.npy` file, else `f32`.
    pub dtype: Option<DType>,
    /// The format; where it is `None` as the [module](self) says.
    pub format: Option<Format>,
    /// Whether NaN is a value like others, and not an error.
    pub allow_nan: bool,
}

impl Options {
    fn dtype_or_default(&self) -> DType {
        self.dtype.unwrap_or(DType::F32)
    }
}

/// All elements of `source`.
///
/// # Errors
///
/// [`InputError`] says in one line what is wrong, what was expected and what to do. What would not
/// fit into the memory that is available now is refused before it is read.
pub fn load(source: &Source, options: Options) -> Result<Data, InputError> {
    match source {
        Source::Random { n, seed } => random::generate(options.dtype_or_default(), *n, *seed),
        Source::Stdin => read(source, io::stdin().lock(), None, options),
        Source::File(path) => {
            let (file, bytes) = open(source, path)?;
            read(source, file, bytes, options)
        }
    }
}

/// The file and, where it is a regular one, its length in bytes.
fn open(source: &Source, path: &Path) -> Result<(File, Option<u64>), InputError> {
    let cannot_open = |error| InputError::open(source, error);
    let metadata = std::fs::metadata(path).map_err(cannot_open)?;
    if metadata.is_dir() {
        return Err(InputError::Directory { source_name: source.to_string() });
    }
    #[cfg(unix)]
    if std::os::unix::fs::FileTypeExt::is_char_device(&metadata.file_type()) {
        return Err(InputError::Device { source_name: source.to_string() });
    }
    let bytes = metadata.is_file().then_some(metadata.len());
    if let Some(needed) = bytes {
        memory::check(source, needed)?;
    }
    Ok((File::open(path).map_err(cannot_open)?, bytes))
}

/// Reads `reader`, which has `bytes` bytes where that is known.
fn read(
    source: &Source,
    reader: impl Read,
    bytes: Option<u64>,
    options: Options,
) -> Result<Data, InputError> {
    let mut reader = memory::Metered::new(source, reader, bytes);
    let mut head = Vec::new();
    reader
        .by_ref()
        .take(4096)
        .read_to_end(&mut head)
        .map_err(|error| InputError::read(source, error))?;
    if head.is_empty() {
        return Err(InputError::Empty { source_name: source.to_string() });
    }
    let format = options.format.unwrap_or_else(|| detect(source, &head));
    let mut whole = BufReader::with_capacity(1 << 16, head.chain(reader));
    let data = match format {
        Format::Npy => npy::read(source, &mut whole, bytes, options.dtype)?,
        Format::Raw => raw::read(source, &mut whole, bytes, options.dtype_or_default())?,
        Format::Text => text::read(source, &mut whole, options.dtype_or_default())?,
    };
    if !options.allow_nan {
        with_elements!(&data, values => refuse_nan(source, values))?;
    }
    Ok(data)
}

fn refuse_nan<T: Element>(source: &Source, values: &[T]) -> Result<(), InputError> {
    match values.iter().position(|value| value.is_nan()) {
        Some(index) => Err(InputError::Nan { source_name: source.to_string(), index }),
        None => Ok(()),
    }
}

fn detect(source: &Source, head: &[u8]) -> Format {
    let extension = match source {
        Source::File(path) => path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()),
        _ => None,
    };
    let printable = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    match extension.as_deref() {
        _ if head.starts_with(npy::MAGIC) => Format::Npy,
        Some("npy") => Format::Npy,
        Some("bin" | "raw") => Format::Raw,
        Some("csv" | "tsv" | "txt") => Format::Text,
        _ if text::without_mark(head).iter().all(printable) => Format::Text,
        _ => Format::Raw,
    }
}

//! The kernel arguments that a code object's metadata note lists (LLVM "User Guide for AMDGPU Backend", "Code Object V5 Metadata").

/// A kernel argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Where it lies in the kernel argument segment.
    pub offset: u32,
    /// Its bytes.
    pub size: u32,
    /// `.value_kind`, for example `global_buffer`, `by_value`, `hidden_block_count_x`.
    pub kind: String,
}

/// A MessagePack value, as far as the metadata needs it.
enum Value {
    Number(u64),
    Text(String),
    List(Vec<Value>),
    Map(Vec<(Value, Value)>),
    Other,
}

struct Reader<'a> {
    data: &'a [u8],
    at: usize,
}

/// Nesting deeper than this is refused: the metadata has four levels.
const DEPTH: u32 = 16;

impl Reader<'_> {
    fn take(&mut self, n: usize) -> Option<&[u8]> {
        let s = self.data.get(self.at..self.at.checked_add(n)?)?;
        self.at += n;
        Some(s)
    }

    fn number(&mut self, n: usize) -> Option<u64> {
        Some(self.take(n)?.iter().fold(0, |v, &b| v << 8 | b as u64))
    }

    fn text(&mut self, n: usize) -> Option<Value> {
        Some(Value::Text(String::from_utf8_lossy(self.take(n)?).into_owned()))
    }

    fn list(&mut self, n: u64, depth: u32) -> Option<Value> {
        (0..n).map(|_| self.value(depth)).collect::<Option<Vec<_>>>().map(Value::List)
    }

    fn map(&mut self, n: u64, depth: u32) -> Option<Value> {
        (0..n)
            .map(|_| Some((self.value(depth)?, self.value(depth)?)))
            .collect::<Option<Vec<_>>>()
            .map(Value::Map)
    }

    fn value(&mut self, depth: u32) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        let tag = self.number(1)?;
        Some(match tag {
            0..=0x7f => Value::Number(tag),
            0x80..=0x8f => self.map(tag & 15, depth)?,
            0x90..=0x9f => self.list(tag & 15, depth)?,
            0xa0..=0xbf => self.text(tag as usize & 31)?,
            0xc4 | 0xd9 => {
                let n = self.number(1)? as usize;
                self.text(n)?
            }
            0xc5 | 0xda => {
                let n = self.number(2)? as usize;
                self.text(n)?
            }
            0xc6 | 0xdb => {
                let n = self.number(4)? as usize;
                self.text(n)?
            }
            0xcc..=0xcf => Value::Number(self.number(1 << (tag - 0xcc))?),
            0xd0..=0xd3 => Value::Number(self.number(1 << (tag - 0xd0))?),
            0xca => {
                self.take(4)?;
                Value::Other
            }
            0xcb => {
                self.take(8)?;
                Value::Other
            }
            0xdc => {
                let n = self.number(2)?;
                self.list(n, depth)?
            }
            0xdd => {
                let n = self.number(4)?;
                self.list(n, depth)?
            }
            0xde => {
                let n = self.number(2)?;
                self.map(n, depth)?
            }
            0xdf => {
                let n = self.number(4)?;
                self.map(n, depth)?
            }
            _ => Value::Other,
        })
    }
}

impl Value {
    fn get(&self, key: &str) -> Option<&Value> {
        let Value::Map(m) = self else { return None };
        m.iter().find(|(k, _)| matches!(k, Value::Text(t) if t == key)).map(|(_, v)| v)
    }

    fn as_text(&self) -> Option<&str> {
        if let Value::Text(t) = self { Some(t) } else { None }
    }

    fn as_number(&self) -> Option<u64> {
        if let Value::Number(n) = self { Some(*n) } else { None }
    }

    fn items(&self) -> &[Value] {
        if let Value::List(l) = self { l } else { &[] }
    }
}

/// The arguments of every kernel, by name, from the note's MessagePack document; empty if it is not one.
pub(crate) fn arguments(note: &[u8]) -> Vec<(String, Vec<Argument>)> {
    let Some(root) = (Reader { data: note, at: 0 }).value(DEPTH) else { return Vec::new() };
    let Some(kernels) = root.get("amdhsa.kernels") else { return Vec::new() };
    let one = |k: &Value| {
        let name = k.get(".name")?.as_text()?.to_string();
        let args = k.get(".args").map_or(&[][..], Value::items);
        let args = args.iter().filter_map(|a| {
            Some(Argument {
                offset: a.get(".offset")?.as_number()? as u32,
                size: a.get(".size")?.as_number()? as u32,
                kind: a.get(".value_kind")?.as_text()?.to_string(),
            })
        });
        Some((name, args.collect()))
    };
    kernels.items().iter().filter_map(one).collect()
}

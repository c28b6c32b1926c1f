//! Block-shared memory, which Rust has no word for.

use std::fmt::Write as _;

use crate::Error;

/// The module with each call of `__wavewise_shared` made the address of an array of its own.
///
/// A function that is linked in could have one array for each size only, so that two arrays of one
/// kernel would lie upon each other.
pub(crate) fn with_arrays(module: &str) -> Result<String, Error> {
    let mut arrays = String::new();
    let mut text = String::with_capacity(module.len());
    let mut count = 0;
    for line in module.lines() {
        let call =
            line.split_once("call ").filter(|(_, call)| call.contains("@__wavewise_shared("));
        let Some((before, call)) = call else {
            text += line;
            text += "\n";
            continue;
        };
        let refused = || Error::SharedSize { line: line.trim().to_owned() };
        let arguments = call.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
        let numbers: Vec<u64> = arguments
            .ok_or_else(refused)?
            .0
            .split(',')
            .filter_map(|argument| argument.rsplit(' ').next()?.parse().ok())
            .collect();
        let &[bytes, align] = &numbers[..] else { return Err(refused()) };
        let (result, _) = before.split_once('=').ok_or_else(refused)?;
        let name = format!("@__wavewise_shared.{count}");
        count += 1;
        // Without a byte it would be the array whose size is set at launch.
        let bytes = bytes.max(1);
        let _ = writeln!(
            arrays,
            "{name} = internal addrspace(3) global [{bytes} x i8] poison, align {align}"
        );
        let _ = writeln!(text, "{result}= addrspacecast ptr addrspace(3) {name} to ptr");
    }
    Ok(text + &arrays)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_call_gets_an_array_of_its_own() {
        let module = "\
define void @k() {
  %a = tail call noundef ptr @__wavewise_shared(i64 noundef 1024, i64 noundef 16) #1
  %b = tail call noundef ptr @__wavewise_shared(i64 noundef 1024, i64 noundef 16) #1
}
declare ptr @__wavewise_shared(i64, i64)
";
        let text = with_arrays(module).unwrap();
        assert!(
            text.contains("  %a = addrspacecast ptr addrspace(3) @__wavewise_shared.0 to ptr\n"),
            "{text}"
        );
        assert!(
            text.contains("  %b = addrspacecast ptr addrspace(3) @__wavewise_shared.1 to ptr\n"),
            "{text}"
        );
        assert!(text.contains(
            "@__wavewise_shared.1 = internal addrspace(3) global [1024 x i8] poison, align 16\n"
        ));
        assert!(text.contains("declare ptr @__wavewise_shared(i64, i64)"));
    }

    #[test]
    fn a_size_that_is_no_constant_is_refused() {
        let line = "  %a = call ptr @__wavewise_shared(i64 noundef %n, i64 noundef 16)";
        let error = with_arrays(line).unwrap_err().to_string();
        assert!(error.contains("%n"), "{error}");
    }
}

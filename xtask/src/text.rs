//! Assembly as it is kept: without comments.

use wavewise_build::Target;

/// `assembly` without its comments and empty lines.
///
/// A comment may name a function of Rust, and such a name has a hash in it that no reader needs.
pub fn kept(target: Target, assembly: &str) -> String {
    let comment = match target {
        Target::Nvidia(_) => "//",
        Target::Amd(..) => ";",
    };
    let mut text = String::with_capacity(assembly.len());
    for line in assembly.lines() {
        let code = line.split(comment).next().unwrap_or_default().trim_end();
        if !code.is_empty() {
            text.push_str(code);
            text.push('\n');
        }
    }
    text
}

/// The first line in which two texts differ, counted from 1, with what each has there.
pub fn difference<'a>(old: &'a str, new: &'a str) -> Option<(usize, &'a str, &'a str)> {
    let (mut old, mut new) = (old.lines(), new.lines());
    for number in 1.. {
        match (old.next(), new.next()) {
            (None, None) => return None,
            (a, b) if a == b => {}
            (a, b) => return Some((number, a.unwrap_or("the end"), b.unwrap_or("the end"))),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go() {
        let sm_90 = "sm_90".parse().unwrap();
        let ptx = "// a\n\tadd.s32 \t%r1, %r2, 1;   // b\n\n\t// begin inline asm\n\tret;\n";
        assert_eq!(kept(sm_90, ptx), "\tadd.s32 \t%r1, %r2, 1;\n\tret;\n");
        let gfx942 = "gfx942".parse().unwrap();
        let gcn = "sum:      ; @sum\n; %bb.0:\n\ts_endpgm\n";
        assert_eq!(kept(gfx942, gcn), "sum:\n\ts_endpgm\n");
    }

    #[test]
    fn the_first_difference_is_found() {
        assert_eq!(difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(difference("a\nb\n", "a\nc\n"), Some((2, "b", "c")));
        assert_eq!(difference("a\n", "a\nc\n"), Some((2, "the end", "c")));
    }
}

//! What the compiler must refuse, with what it says then.
//!
//! Widths are refused later, with the machine code, and the text of those errors varies with what
//! is installed: they are doc tests of [`wavewise_tests::refusals`].

#[test]
fn refused_by_the_compiler() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}

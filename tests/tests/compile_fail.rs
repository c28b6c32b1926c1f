//! What must not compile, and what must.

#[test]
fn refused_by_the_compiler() {
    let cases = trybuild::TestCases::new();
    // A case that passes makes the others be built whole: some errors come with the machine code.
    cases.pass("tests/compile_pass/*.rs");
    cases.compile_fail("tests/compile_fail/*.rs");
}

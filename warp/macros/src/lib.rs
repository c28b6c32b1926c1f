//! The macros of `wavewise`; use them through that crate.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

#[cfg(feature = "derive")]
mod payload;

/// Marks a body that is compiled for plain Rust and, by another module, as a cubecl kernel.
///
/// In the plain build it only takes away the attributes that Rust does not know: `#[unroll]` on a
/// loop and `#[comptime]` on a parameter.
#[proc_macro_attribute]
pub fn cube(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    strip(item)
}

/// `Payload` for a struct whose fields are payloads.
#[cfg(feature = "derive")]
#[proc_macro_derive(Payload)]
pub fn derive_payload(item: TokenStream) -> TokenStream {
    payload::derive(item)
}

fn strip(tokens: TokenStream) -> TokenStream {
    let mut out = Vec::new();
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        match token {
            TokenTree::Punct(p) if p.as_char() == '#' => {
                if rest.peek().is_some_and(is_cubecl_attribute) {
                    rest.next();
                } else {
                    out.push(TokenTree::Punct(p));
                }
            }
            TokenTree::Group(group) => {
                let mut stripped = Group::new(group.delimiter(), strip(group.stream()));
                stripped.set_span(group.span());
                out.push(TokenTree::Group(stripped));
            }
            other => out.push(other),
        }
    }
    out.into_iter().collect()
}

fn is_cubecl_attribute(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    if group.delimiter() != Delimiter::Bracket {
        return false;
    }
    let mut inner = group.stream().into_iter();
    matches!(
        (inner.next(), inner.next()),
        (Some(TokenTree::Ident(name)), None) if ["unroll", "comptime"].contains(&name.to_string().as_str())
    )
}

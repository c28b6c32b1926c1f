//! `#[derive(Payload)]`.

use proc_macro::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, parse_macro_input, parse_quote};

pub fn derive(item: TokenStream) -> TokenStream {
    let mut input = parse_macro_input!(item as DeriveInput);
    let Data::Struct(data) = &input.data else {
        return Error::new_spanned(&input.ident, "Payload can be derived for structs only: the bits of an enum or a union that came from a lane that wrote none would not be a value of it")
            .into_compile_error()
            .into();
    };
    let fields: Vec<_> = data.fields.iter().map(|field| field.ty.clone()).collect();
    let members: Vec<_> = data.fields.members().collect();
    let parameters: Vec<_> = input.generics.type_params().map(|p| p.ident.clone()).collect();
    let name = &input.ident;
    let clause = input.generics.make_where_clause();
    // `#[derive(Copy)]` asks its parameters to be `Copy`; a bound on the fields does not imply it.
    for parameter in parameters {
        clause.predicates.push(parse_quote!(#parameter: ::wavewise::Payload));
    }
    for field in &fields {
        clause.predicates.push(parse_quote!(#field: ::wavewise::Payload));
    }
    let (parameters, arguments, clause) = input.generics.split_for_impl();
    quote! {
        // SAFETY: every field is a payload, as the where clause demands, and so holds no
        // reference, pointer or destructor; `Copy` is demanded by `Payload` itself.
        unsafe impl #parameters ::wavewise::Payload for #name #arguments #clause {
            #[inline(always)]
            unsafe fn from_moved(moved: ::core::mem::MaybeUninit<Self>) -> Self {
                let moved = moved.as_ptr();
                let _ = moved;
                // SAFETY: by the caller's contract the bytes of each field have arrived; a
                // packed field may lie anywhere.
                unsafe {
                    Self {
                        #(#members: <#fields as ::wavewise::Payload>::from_moved(
                            (&raw const (*moved).#members)
                                .cast::<::core::mem::MaybeUninit<#fields>>()
                                .read_unaligned(),
                        ),)*
                    }
                }
            }
        }
    }
    .into()
}

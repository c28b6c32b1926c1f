//! stub
use crate::isa::{Family,Inst};
use crate::Arch;
pub(crate) type Exec = fn(&Inst);
pub(crate) fn lookup(_:Arch,_:Family,_:&str)->Option<Exec>{None}

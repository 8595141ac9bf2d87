//! The data of the repository as it was when this crate was built.

include!(concat!(env!("OUT_DIR"), "/built_in.rs"));

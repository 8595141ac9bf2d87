//! What is worked out of a program once, before any game: where each fact of a thing lies, what an expression reads, and
//! how the choices of a declaration are found. Knows nothing but the program.

pub(crate) mod analysis;
pub(crate) mod layout;
pub(crate) mod moments;
pub(crate) mod parted;
pub(crate) mod parts;
pub(crate) mod plan;
pub(crate) mod walk;
pub(crate) mod whole;

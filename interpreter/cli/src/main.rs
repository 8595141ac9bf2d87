//! The netrep program. 
fn main() {}

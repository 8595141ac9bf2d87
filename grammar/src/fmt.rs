//! temporary
/// temporary
pub enum FmtError {}
/// temporary
pub const WIDTH: usize = 110;
/// temporary
pub fn fmt(t: &str) -> Result<String, FmtError> { Ok(t.to_owned()) }

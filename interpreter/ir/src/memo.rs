//! What follows from the rest of a value and is worked out when it is first asked for.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

/// Something that follows from the value it is part of. It takes no part in that value's equality, and a copy, which may be
/// changed, works it out again.
pub struct Memo<T>(OnceLock<T>);

impl<T> Memo<T> {
    /// What was worked out; the first time, it is.
    pub(crate) fn get(&self, work_out: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(work_out)
    }
}

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Memo(OnceLock::new())
    }
}

impl<T> Clone for Memo<T> {
    fn clone(&self) -> Self {
        Memo::default()
    }
}

impl<T> PartialEq for Memo<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Memo<T> {}

impl<T> Hash for Memo<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl<T> fmt::Debug for Memo<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Memo")
    }
}

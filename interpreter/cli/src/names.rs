//! Names that mean nothing.

use crate::Wrong;

/// A name that means nothing, and what may have been meant.
pub(crate) fn unknown(said: &str, name: &str, near: &[String]) -> Wrong {
    let near: Vec<String> = near.iter().map(|near| format!("`{near}`")).collect();
    let help = match near.split_last() {
        None => "; `netrep words` and `netrep check` tell what there is".to_owned(),
        Some((last, [])) => format!("; did you mean {last}?"),
        Some((last, others)) => format!("; did you mean {} or {last}?", others.join(", ")),
    };
    Wrong::Usage(format!("{said} `{name}`{help}"))
}

//! `netrep explain`: the pages about diagnostics.

use netrep_diagnostics::Code;
use netrep_lab::words::nearest_name;
use serde::Serialize;

use crate::output::Show;
use crate::{Outcome, Wrong};

/// The result of `explain` without a code.
#[derive(Serialize)]
struct Codes {
    codes: &'static [Code],
}

/// The result of `explain` with a code.
#[derive(Serialize)]
struct Explained {
    code: Code,
    /// The page, in Markdown.
    text: &'static str,
}

/// The page of a code.
pub(crate) fn explain(show: &Show, code: Option<&str>) -> Result<Outcome, Wrong> {
    let Some(code) = code else {
        let all = Codes { codes: Code::ALL };
        return Ok(show.reply(Outcome::Clean, &all, || all.codes.iter().for_each(|code| show.line(code))));
    };
    match code.parse::<Code>() {
        Ok(code) => {
            let page = Explained { code, text: code.page().text.trim_end() };
            Ok(show.reply(Outcome::Clean, &page, || show.line(page.text)))
        }
        Err(_) => {
            let near = match nearest_name(code, Code::ALL.iter().map(|code| code.as_str())) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => "; `netrep explain` lists them all".to_owned(),
            };
            Err(Wrong::Usage(format!("no diagnostic has the code `{code}`{near}")))
        }
    }
}

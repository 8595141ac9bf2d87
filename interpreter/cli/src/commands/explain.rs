//! `netrep explain`: the pages about diagnostics.

use netrep_lab::pages;
use netrep_lab::words::nearest_name;
use serde::Serialize;

use crate::output::Show;
use crate::{Outcome, Wrong};

/// The result of `explain` without a code.
#[derive(Serialize)]
struct Codes {
    codes: Vec<&'static str>,
}

/// The result of `explain` with a code.
#[derive(Serialize)]
struct Explained<'a> {
    code: &'a str,
    /// The page, in Markdown.
    text: String,
}

/// The page of a code.
pub fn explain(show: &Show, code: Option<&str>) -> Result<Outcome, Wrong> {
    let codes = pages::codes();
    let Some(code) = code else {
        let all = Codes { codes };
        return Ok(show.reply(Outcome::Clean, &all, || all.codes.iter().for_each(|code| show.line(code))));
    };
    match pages::text(code) {
        Some(text) => {
            let page = Explained { code, text: text.trim_end().to_owned() };
            Ok(show.reply(Outcome::Clean, &page, || show.line(&page.text)))
        }
        None => {
            let near = nearest_name(code, codes).map(|near| format!("; did you mean `{near}`?"));
            let near = near.unwrap_or_else(|| "; `netrep explain` lists them all".to_owned());
            Err(Wrong::Usage(format!("no diagnostic has the code `{code}`{near}")))
        }
    }
}

//! What there is to be covered: the numbers of the rulebook. Facts, kept beside the data.

use netrep_compiler::Diagnostic;
use netrep_diagnostics::Code;
use netrep_ir::Place;

use crate::files::Files;
use crate::problem::offset;

/// Where the numbers of the rulebook stand, one on a line.
pub const NUMBERS: &str = "rules/numbers.txt";

/// What there is to be covered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The numbers of the rulebook, in its order; `None` if no file names them.
    pub numbers: Option<Vec<String>>,
}

impl Totals {
    /// Reads the file of the data; if it is not there, nothing is named.
    ///
    /// # Errors
    /// Lines that cannot be read.
    pub fn read(files: &Files) -> Result<Totals, Vec<Diagnostic>> {
        let mut diags = Vec::new();
        let numbers = files.text(NUMBERS).map(|text| lines(&text, &mut diags));
        if diags.is_empty() { Ok(Totals { numbers }) } else { Err(diags) }
    }
}

/// The numbers on the lines of the file; those that are empty or remarks say nothing.
fn lines(text: &str, diags: &mut Vec<Diagnostic>) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim_end();
        if bare.trim_start().is_empty() || bare.starts_with('#') {
            continue;
        }
        match number(bare) {
            Some(one) => found.push(one),
            None => {
                let (start, end) = (offset(start), offset(start + bare.len()));
                let place = Place { file: NUMBERS.into(), start, end };
                let diag = Diagnostic::new(Code::UnreadTotal, place, "this line cannot be read");
                diags.push(diag.help("write the number of a rule"));
            }
        }
    }
    found
}

fn number(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    let number = words.next()?;
    words.next().is_none().then(|| number.to_owned())
}

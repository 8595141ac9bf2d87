//! Why a move that the script makes is not offered.

use netrep_compiler::Diagnostic;
use netrep_diagnostics::Code;
use netrep_engine::{Game, Verdict};

use super::{Driver, Missed, Refused};
use crate::attempts::meant_first;
use crate::prepare::Task;
use crate::report::label;
use crate::words::nearest_options;

impl Driver<'_> {
    /// The refusal of a line at the first of some decisions at which it is something that might be tried.
    pub(super) fn refusal(&self, task: &Task, words: &str, missed: &[Missed]) -> Option<Refused> {
        let said = self.said(words);
        missed.iter().find_map(|Missed { step, game }| self.refused_at(game, *step, task, words, &said))
    }

    fn refused_at(&self, copy: &Game, step: usize, task: &Task, words: &str, said: &[String]) -> Option<Refused> {
        let attempts = meant_first(copy, said);
        let verdicts = attempts.into_iter().take(64).map(|(words, submission)| (words, copy.explain(&submission)));
        let (tried, verdict) = verdicts.filter(|(_, v)| !v.legal).min_by_key(|(_, v)| v.reasons.len())?;
        let text = format!("`{words}` is refused");
        let mut diag = Diagnostic::new(Code::MoveRefused, self.place(task), text).help(format!(
            "at step {step}, {}, `{tried}` is refused:\n{}",
            crate::narrate::asked(copy),
            reasons_in_words(copy, &verdict)
        ));
        for reason in &verdict.reasons {
            if let Some(clause) = copy.program().clauses.get(reason.clause.index()) {
                diag = diag.and(clause.place.clone(), clause.label.clone());
            }
        }
        Some(Refused { step, diag })
    }

    /// A line that was never taken; `seen` are the options that the player had meanwhile.
    pub(super) fn never(&self, task: &Task, words: &str, missed: &[Missed], seen: &[String]) -> Diagnostic {
        if let Some(Refused { step, mut diag }) = self.refusal(task, words, missed) {
            diag.message = format!("`{words}` was never offered; it was first refused at step {step}");
            return diag;
        }
        let diag = Diagnostic::new(Code::NeverOffered, self.place(task), format!("`{words}` was never offered"));
        let seen: Vec<&str> = seen.iter().map(String::as_str).collect();
        match nearest_options(words, &seen).first() {
            Some(near) => diag.help(format!("did you mean `{near}`?")),
            None => diag.help("nothing that this player could do or try from here on has these words"),
        }
    }
}

/// The reasons of a verdict, one on a line, each with its clause; then what would make it legal.
pub fn reasons_in_words(game: &Game, verdict: &Verdict) -> String {
    let mut lines: Vec<String> = Vec::new();
    for reason in &verdict.reasons {
        let line = format!("  {} ({})", reason.text, label(game.program(), reason.clause));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    if !verdict.would_be_legal_if.is_empty() {
        let mends: Vec<String> =
            verdict.would_be_legal_if.iter().map(|mend| crate::narrate::fact_words(game, mend)).collect();
        lines.push(format!("  it would be legal if {}", mends.join(" and ")));
    }
    lines.join("\n")
}

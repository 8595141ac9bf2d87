//! Pages that explain what the lab itself finds wrong: what it means, an example, how to mend it.
//!
//! The compiler has pages of its own ([`netrep_compiler::explain`]). A few codes have a page in both places, because
//! both say the same of different things.

pub use netrep_compiler::explain::Page;

macro_rules! pages {
    ($($code:literal),* $(,)?) => {
        /// All pages, sorted by code.
        pub const PAGES: &[Page] = &[$(Page { code: $code, text: include_str!(concat!("../pages/", $code, ".md")) }),*];
    };
}

pages!(
    "ambiguous-card",
    "ambiguous-move",
    "cannot-be-evaluated",
    "choice-needed",
    "deck-sentence",
    "dice-needed",
    "given-twice",
    "impossible-position",
    "move-refused",
    "needless-exemption",
    "never-offered",
    "no-owner",
    "no-roll",
    "no-such-step",
    "no-table",
    "not-consulted",
    "not-drawn",
    "not-offered",
    "not-over",
    "not-refused",
    "not-so",
    "not-taken",
    "nothing-expected",
    "open-block",
    "other-number-of-decks",
    "other-reason",
    "other-roll",
    "scenario-clause",
    "unknown-attempt",
    "unknown-card",
    "unknown-class",
    "unknown-clause",
    "unknown-deck",
    "unknown-format",
    "unknown-place",
    "unknown-player",
    "unknown-procedure",
    "unknown-step",
    "unknown-thing",
    "unread-exemption",
    "unread-total",
);

/// The page of a code.
pub fn page(code: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.code == code)
}

/// All codes that are explained, the compiler's and the lab's, sorted.
pub fn codes() -> Vec<&'static str> {
    let all = netrep_compiler::explain::PAGES.iter().chain(PAGES);
    let mut codes: Vec<&str> = all.map(|page| page.code).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// What is said of a code, in Markdown: the compiler's page, then the lab's.
pub fn text(code: &str) -> Option<String> {
    let both = [netrep_compiler::explain::page(code), page(code)];
    let texts: Vec<&str> = both.into_iter().flatten().map(|page| page.text.trim_end()).collect();
    match texts.as_slice() {
        [] => None,
        // The second title would repeat the first.
        [first, second] => Some(format!("{first}\n\n## In a scenario\n\n{}", untitled(second))),
        _ => Some(texts.concat()),
    }
}

fn untitled(text: &str) -> &str {
    text.split_once("\n\n").map_or(text, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;
    use std::sync::Arc;

    use netrep_compiler::{Compiler, Profile};

    use super::*;
    use crate::run::{jobs, run};
    use crate::scenario::parse;

    const WORDS: &str = include_str!("../pages/base.words");
    /// The position of examples that give none.
    const GIVEN: &str = include_str!("../pages/base.given");
    /// Codes that no scenario triggers: of tools, of files, and of faults in the data.
    const WITHOUT_SCENARIO: [&str; 10] = [
        "cannot-be-evaluated",
        "deck-sentence",
        "needless-exemption",
        "no-such-step",
        "no-table",
        "open-block",
        "other-number-of-decks",
        "unknown-deck",
        "unread-exemption",
        "unread-total",
    ];

    fn compiler() -> Compiler {
        let mut compiler = Compiler::new();
        compiler.set_file("rules/base.words", WORDS);
        let errors: Vec<_> =
            compiler.check().into_iter().filter(|d| d.severity == netrep_ir::Severity::Error).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        compiler
    }

    /// The codes of what is wrong with a scenario.
    fn codes_of(compiler: &Compiler, example: &str) -> BTreeSet<String> {
        let given = if example.contains("given {") { "" } else { GIVEN };
        let parsed = parse("page.md", &format!("```scenario page\n{given}{example}\n```\n"), false);
        let scenarios: Vec<_> = parsed.scenarios.into_iter().map(Arc::new).collect();
        let reports = run(compiler, &jobs(&scenarios, &Profile::default()), 1, false);
        reports.into_iter().flat_map(|report| report.diags).chain(parsed.diags).map(|diag| diag.code).collect()
    }

    #[test]
    fn pages_are_sorted_and_titled() {
        assert!(PAGES.is_sorted_by(|a, b| a.code < b.code));
        for page in PAGES {
            assert!(page.text.starts_with(&format!("# {}\n\n", page.code)), "{}", page.code);
            assert!(!page.mend().contains("```"), "{} does not say how to mend it", page.code);
        }
    }

    #[test]
    fn every_example_shows_exactly_its_code() {
        let compiler = compiler();
        for page in PAGES {
            let example = page.text.split("```scenario\n").nth(1).and_then(|rest| rest.split("\n```").next());
            assert_eq!(example.is_none(), WITHOUT_SCENARIO.contains(&page.code), "{}", page.code);
            let Some(example) = example else { continue };
            let found = codes_of(&compiler, example);
            assert_eq!(found, BTreeSet::from([page.code.to_owned()]), "{}", page.code);
        }
    }

    /// The code that a call says, if its first argument is a literal.
    fn literal(call: &str) -> Option<&str> {
        call.trim_start().strip_prefix('"')?.split('"').next()
    }

    fn codes_in(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                codes_in(&path, found);
            } else if path.file_name().is_some_and(|name| name != "pages.rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.extend(text.split("error(").skip(1).filter_map(literal).map(str::to_owned));
                found.extend(text.split(".unknown(").skip(1).filter_map(literal).map(|what| format!("unknown-{what}")));
            }
        }
    }

    #[test]
    fn every_code_of_the_lab_has_a_page_and_every_page_is_of_a_code() {
        let mut used = BTreeSet::new();
        codes_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut used);
        let without: Vec<_> = used.iter().filter(|code| text(code).is_none()).collect();
        assert!(without.is_empty(), "no page explains {without:?}");
        let idle: Vec<_> = PAGES.iter().map(|page| page.code).filter(|code| !used.contains(*code)).collect();
        assert!(idle.is_empty(), "nothing says {idle:?}");
        assert!(used.len() > 30, "only {} codes were found", used.len());
    }

    #[test]
    fn a_code_of_both_is_explained_for_both() {
        let text = text("unknown-clause").unwrap();
        assert_eq!(text.matches("# unknown-clause").count(), 1);
        assert!(text.contains("amendment") && text.contains("## In a scenario"));
        assert!(codes().is_sorted_by(|a, b| a < b));
    }
}

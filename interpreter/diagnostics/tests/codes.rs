//! Codes and their names, and diagnostics as they go from stage to stage.

use netrep_diagnostics::{Code, Diagnostic, NoSuchCode};

#[test]
fn every_name_leads_back_to_its_code() {
    for code in Code::ALL {
        assert_eq!(code.as_str().parse(), Ok(*code));
    }
    assert_eq!("no-such-code".parse::<Code>(), Err(NoSuchCode));
}

#[test]
fn every_page_says_what_it_means_and_how_to_mend_it() {
    for code in Code::ALL {
        assert!(code.meaning().ends_with('.'), "{code}: {}", code.meaning());
        let mend = code.page().mend();
        assert!(!mend.contains("```") && mend != code.meaning(), "{code}: {mend}");
    }
}

#[test]
fn what_is_said_is_kept_when_places_change() {
    let found = Diagnostic::new(Code::UnknownWord, 3, "no word `a`").label("here").and(5, "there").help("b").help("c");
    assert!(found.is_error());
    let moved = found.map(|at| format!("line {at}"));
    assert_eq!((moved.place.as_str(), moved.labels[0].place.as_str()), ("line 3", "line 5"));
    assert_eq!(moved.help.as_deref(), Some("b\nc"));
    assert_eq!((moved.code, moved.message.as_str(), moved.label.as_str()), (Code::UnknownWord, "no word `a`", "here"));
}

//! What a replay prints of a recorded game, written as a script, is the same game.

use std::path::PathBuf;
use std::sync::Arc;

use crate::support::data::library;
use netrep_compiler::Profile;
use netrep_lab::driver::drive_to;
use netrep_lab::prepare::prepare;
use netrep_lab::scenario::parse;
use netrep_lab::written::Written;

#[test]
fn recorded_games_are_written_and_played_again() {
    let library = library();
    let games = library.scenarios(&[PathBuf::from("tests/games")], false).expect("the games can be read");
    let mut steps = 0;
    for game in games.scenarios.into_iter().map(Arc::new) {
        for profile in game.profiles(&Profile::default()) {
            let prepared =
                prepare(&library.compiler, &game, &Profile::default(), &profile).expect("it can be prepared");
            let (report, last) = drive_to(&prepared, None, None);
            assert_eq!(report.diags, [], "{}", game.name);
            let text = Written::of(&prepared, &report.steps).block(&last.expect("it was played"));
            let parsed = parse("written.md", &text, false);
            assert_eq!(parsed.diags, [], "{text}");
            let again = parsed.scenarios.into_iter().map(Arc::new).next().expect("one is written");
            let own = again.profiles(&Profile::default()).remove(0);
            let again = prepare(&library.compiler, &again, &Profile::default(), &own).expect("it can be prepared");
            let (same, _) = drive_to(&again, None, None);
            assert_eq!(same.diags, [], "{text}");
            assert_eq!(same.hash, report.hash, "{}", game.name);
            steps += report.steps.len();
        }
    }
    assert!(steps > 300, "only {steps} steps were written");
}

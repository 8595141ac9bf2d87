//! From a Markdown file to its scenarios: what a block says, and where its mistakes are.

use netrep_compiler::Profile;
use netrep_diagnostics::Code;
use netrep_lab::scenario::{Argument, Expect, Given, What, parse};

const FILE: &str = r#"# Title

Why it is so.

```scenario one thing
cites 3.iv.6 lit, AB-7.
edition new. with R-1 late. as of 1999-05.
given {
    seat Ann, Bob.
    Ann: play "Big Lamp", "Orb" as X.
    cards in far place: "Hill".
    owner of Ann is Bob.
    at second part of round/turn for Ann, 3.
}
when { Ann: use "Orb" on X. dice 6 for "Big Lamp". }
expect {
    "Orb" is lit.
    offered Ann: use "Orb".
    refused Bob: use "Orb" on X because 2.i limit.
    over.
}
expect under R-1 early { over. }
```
"#;

#[test]
fn a_block_is_read() {
    let parsed = parse("t.md", FILE, false);
    assert!(parsed.diags.is_empty(), "{:?}", parsed.diags);
    let [scenario] = parsed.scenarios.as_slice() else { panic!("one scenario") };
    assert_eq!((scenario.name.as_str(), scenario.prose.as_str()), ("one thing", "Why it is so."));
    assert_eq!(scenario.cites.iter().map(|c| c.text.as_str()).collect::<Vec<_>>(), ["3.iv.6 lit", "AB-7"]);
    assert_eq!(scenario.profiles(&Profile::default()).len(), 2);
    assert_eq!(scenario.profile.as_of.map(|day| day.to_string()).as_deref(), Some("1999-05-31"));
    let Given::Player { piles, .. } = &scenario.given[1] else { panic!() };
    assert_eq!((piles[0].place.text.as_str(), piles[0].entries.len()), ("play", 2));
    assert!(matches!(&scenario.given[3], Given::Fact(tokens, _) if tokens.len() == 5));
    let Given::At(running, _) = &scenario.given[4] else { panic!() };
    assert_eq!(running[0].said.text, "second part of round/turn");
    assert_eq!(running[0].arguments[1], Argument::Number(3));
    let What::Expect(Expect::Refused { by, words, because, .. }) = &scenario.script[4].what else { panic!() };
    assert_eq!((by.text.as_str(), words.as_str(), because[0].text.as_str()), ("Bob", "use \"Orb\" on X", "2.i limit"));
}

#[test]
fn a_block_that_expects_nothing_is_refused() {
    let parsed = parse("t.md", "```scenario x\ngiven { seat Ann. }\n```\n", false);
    assert_eq!(parsed.diags.iter().map(|d| d.code).collect::<Vec<_>>(), [Code::NothingExpected]);
    assert_eq!(parse("t.md", "```position x\ngiven { seat Ann. }\n```\n", true).scenarios.len(), 1);
}

#[test]
fn mistakes_have_places() {
    let text = "```scenario x\ngiven { cards: \"A\". }\nwhen { Ann. }\nwhy { over. }\nexpect { over. }\n```\n";
    let parsed = parse("t.md", text, false);
    assert_eq!(parsed.diags.len(), 3);
    assert_eq!(text.get(parsed.diags[1].place.start as usize..parsed.diags[1].place.end as usize), Some("Ann."));
}

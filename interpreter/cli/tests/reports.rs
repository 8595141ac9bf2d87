//! Reports on the data: coverage, comparisons of readings, the impact of a draft, documents.

use std::fs;

use serde_json::Value;

use crate::{Folder, keys};

/// The rules and cards that are written, measured against the files that say what there is.
#[test]
fn coverage_counts_and_says_what_it_left_out() {
    let folder = Folder::new();
    let (value, _) = folder.json(&["coverage", "--quick"]);
    let rules = &value["result"]["rules"];
    assert_eq!((rules["total"].as_u64(), rules["data"].as_u64(), rules["tested"].is_null()), (Some(2), Some(2), true));
    assert_eq!(value["warnings"].as_array().map(Vec::len), Some(2), "{value:#}");
    folder.write("rules/numbers.txt", "1\n2\n3\n");
    folder.write("rules/sets.words", "filing card { id L in \"cards/l.cards\", 8 in all. }\n");
    let (value, _) = folder.json(&["coverage"]);
    let result = &value["result"];
    for (path, number) in [
        ("/rules/total", 3),
        ("/rules/data", 2),
        ("/rules/not_mechanical", 0),
        ("/rules/missing", 1),
        ("/cards/L/total", 8),
        ("/cards/L/complete", 2),
        ("/cards/L/partial", 0),
    ] {
        assert_eq!(result.pointer(path).and_then(Value::as_u64), Some(number), "{path}: {result:#}");
    }
    assert!(result["rules"]["tested"].is_u64() && result["cards"]["L"]["tested"].is_u64());
    let text = String::from_utf8(folder.run(&["coverage", "--quick"]).stdout).unwrap();
    for part in ["Rules", "missing", "33 %", "Cards", "25 %", "Words", "serve one card"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    folder.write("rules/numbers.txt", "1 and 2\n");
    let (value, code) = folder.json(&["coverage"]);
    assert_eq!((code, value["error"]["diagnostics"][0]["code"].as_str()), (1, Some("unread-total")));
}

/// A draft is tried without a save: from a file, from standard input, and in the place of a file.
#[test]
fn the_impact_of_a_draft_is_told() {
    let folder = Folder::new();
    let height = "rule 2 \"Praise\" {\n    [tall] each card gets +5 height.\n}\n";
    folder.write("draft.rules", height);
    let (value, code) = folder.json(&["impact", "draft.rules"]);
    let result = &value["result"];
    assert_eq!((code, result["draft"][0]["replaces"].as_str()), (0, Some("rules/toy.words")), "{value:#}");
    assert_eq!((result["edit"]["ran"].as_u64(), result["edit"]["spared"].as_u64()), (Some(0), Some(2)));
    let more = "ruling R-9 \"One more?\" {\n    about 1.\n    reading more { authority \"A draft\". \
                replace 1 sum { [sum] set points of P to points of P + R + 1. } }\n}\n";
    let (said, code) = folder.played(&["impact", "-"], more.as_bytes());
    assert_eq!(code, Some(0), "{said}");
    for part in ["ruling R-9 One more?: new", "changes rule 1", "an evening", "fails now", "from step 6 on"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!fs::read_to_string(folder.0.join("rules/toy.rulings")).unwrap().contains("R-9"));
    let (said, code) = folder.played(&["impact", "-", "--as", "rules/toy.txt"], b"");
    assert!(code == Some(2) && said.contains("no file of the language"), "{said}");
    let (said, code) = folder.played(&["impact", "-"], b"rule 2 \"Praise\" { [tall] each card gets +5 heigth. }\n");
    assert!(code == Some(1) && said.contains("did you mean"), "{said}");
    let (said, _) = folder.played(&["impact", "R-1", "--games", "4"], b"");
    assert!(
        said.contains("R-1 long in place of short") && said.contains("no scenario shows what it changes"),
        "{said}"
    );
    assert!(said.contains("4 games by the same seeds"), "{said}");
}

/// Of a few scenarios it is told where they part, and by which rulings.
#[test]
fn a_comparison_is_a_table_with_its_reasons() {
    let folder = Folder::new();
    folder.write(
        "rules/more.rulings",
        "ruling R-2 \"One more?\" { about 1. reading more { authority \"The garden\". date 1999. \
         replace 1 sum { [sum] set points of P to points of P + R + 1. } } }\nedition park \"Park\" { R-1 long. R-2 more. }\n",
    );
    let said = String::from_utf8(folder.run(&["compare"]).stdout).unwrap();
    for part in [
        " A  b  A  an evening",
        "park against house: 2 scenarios, the verdict in 2",
        "because of R-2 (2)",
        "part at step 6",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let text = String::from_utf8(folder.run(&["rulings", "--edition", "park", "--as-of", "1998"]).stdout).unwrap();
    assert!(
        text.contains("1 question is answered by no text as of 1998-12-31") && text.contains("later more"),
        "{text}"
    );
    let (value, _) = folder.json(&["compare", "--edition", "park", "--as-of", "1998"]);
    assert_eq!(value["result"]["profiles"][1].as_str(), Some("park + as of 1998-12-31"));
    assert_eq!(value["result"]["scenarios"][0]["partings"][0]["because"][0]["ruling"].as_str(), Some("R-2"));
}

/// Readings that part only in what is offered part in an answer, and it is told in words.
#[test]
fn what_is_offered_under_one_reading_only_is_told() {
    let folder = Folder::new();
    folder.write(
        "rules/more.rulings",
        "ruling R-2 \"May it be kindled?\" { about 1. reading yes { authority \"The house\". } \
         reading no { authority \"The garden\". replace L-2 glow { [glow] you may kindle this { [never] if points of host is 9. } } } }\n",
    );
    let asks = "```scenario asks\ngiven { player Ann, Bob. Ann: shelf \"Tall Lamp\". at lighting of evening for Ann. }\n\
                expect under R-2 yes { offered Ann: \"Tall Lamp\": kindle. }\n```\n";
    folder.write("tests/scenarios/asks.md", asks);
    let words = |args: &[&str]| String::from_utf8(folder.run(args).stdout).unwrap();
    let said = words(&["compare", "tests/scenarios/asks.md", "--ruling", "R-2"]);
    for part in [
        "A  B  asks",
        "part at the start, asked `Ann: \"Tall Lamp\": kindle`:",
        "A | offered",
        "B | refused because L-2 never",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let said = words(&["impact", "R-2"]);
    for part in [
        "asks  tests/scenarios/asks.md",
        "still holds\n    at the start, asked",
        "    A ",
        "    B ",
        "refused because L-2 never",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let (value, _) = folder.json(&["compare", "tests/scenarios/asks.md", "--ruling", "R-2"]);
    let parting = &value["result"]["scenarios"][0]["partings"][0];
    assert_eq!((parting["asked"].as_str(), parting["step"].as_u64()), (Some("Ann: \"Tall Lamp\": kindle"), Some(0)));
    assert_eq!(keys(parting), ["asked", "because", "group", "here", "step", "there"]);
}

/// A document says since when it is known, and who cites it.
#[test]
fn a_document_is_shown_with_the_readings_that_cite_it() {
    let folder = Folder::new();
    folder.write(
        "rules/papers.rulings",
        "document paper \"The evening paper\" { date 1999-05. part L date 1998. }\n\
         document other \"Another\" { }\n\
         ruling R-2 \"One more?\" { about 1. reading no { authority \"The house\". document other \"1\". } \
         reading more { authority \"The garden\". document paper \"L-1\". authority \"The park\". document other \"1\". \
         replace 1 sum { [sum] set points of P to points of P + R + 1. } } }\nedition park \"Park\" { R-2 more. }\n",
    );
    let said = String::from_utf8(folder.run(&["show", "paper", "--edition", "park"]).stdout).unwrap();
    for part in [
        "document paper \"The evening paper\"  1999-05-31  rules/papers.rulings:1",
        "  L  1998-12-31",
        "  R-2 more  in force  One more?\n    The garden, paper L-1, 1998-12-31",
        "cited by 1 reading",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("The park"), "who cites another document: {said}");
    let (value, code) = folder.json(&["show", "The Evening Paper"]);
    let shown = &value["result"]["shown"][0];
    assert_eq!((code, shown["is"].as_str(), shown["date"].as_str()), (0, Some("document"), Some("1999-05-31")));
    assert_eq!(keys(shown), ["cited_by", "date", "diagnostics", "is", "key", "parts", "spot", "title"], "{value:#}");
    assert_eq!(keys(&shown["cited_by"][0]), ["by", "in_force", "question", "reading", "ruling"]);
    assert_eq!(shown["cited_by"][0]["in_force"].as_bool(), Some(false));
}

/// A variant is shown as one, with the variants on which it builds, and an edition of the same name beside it.
#[test]
fn a_variant_is_shown_with_what_it_builds_on() {
    let folder = Folder::new();
    folder.write(
        "rules/variants.rulings",
        "variant wide \"Wide\" { R-1 long. }\nvariant still \"Still\" { }\n\
         variant wider \"Wider\" { builds on wide, still. R-1 short. }\nedition wider \"Also wider\" { R-1 long. }\n",
    );
    let said = String::from_utf8(folder.run(&["show", "wider"]).stdout).unwrap();
    for part in [
        "variant wider \"Wider\"  rules/variants.rulings:3\n  builds on wide, still\n  R-1 short\n",
        "edition wider \"Also wider\"  rules/variants.rulings:4\n  R-1 long\n",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let (value, code) = folder.json(&["show", "wide"]);
    let shown = &value["result"]["shown"][0];
    assert_eq!(
        (code, shown["is"].as_str(), shown["builds_on"].as_array().map(Vec::len)),
        (0, Some("variant"), Some(0))
    );
    assert_eq!(keys(shown), ["builds_on", "choices", "default", "is", "key", "order", "spot", "title"], "{value:#}");
}

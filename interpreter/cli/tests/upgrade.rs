//! `netrep fmt --upgrade` on a folder of somebody else's, beside the data.

use std::fs;

use crate::Folder;

const ROWS: &str =
    "kernel gone { \"gets # taller\" became \"gets + # height\". \"squat\" ceased, say \"how tall it is\". }\n";

const OLD: &str = "\
// Cards of before.
card Z-1 \"Old Lamp\" {
    kind Lamp. height 1.
    // gets 2 taller, of old
    [tall] this gets 2 taller. // for good
    [once] this gets +1 height.
}
card Z-2 \"Squat Lamp\" {
    kind Lamp. height 1.
    [low] while this is squat: this gets 3 taller.
}
";

#[test]
fn a_folder_of_before_is_rewritten_and_what_needs_a_hand_is_named() {
    let folder = Folder::new();
    folder.write("rules/gone.words", ROWS);
    folder.write("mine/cards/old.cards", OLD);
    folder.write("mine/scenarios/old.md", "# Old\n\nNo scenario here: gets 2 taller.\n");
    let read = || fs::read_to_string(folder.0.join("mine/cards/old.cards")).unwrap();

    let (told, status) = folder.json(&["fmt", "--upgrade", "--check", "mine"]);
    assert_eq!(status, 1, "{told:#}");
    assert_eq!(read(), OLD, "with --check nothing is written");

    let (told, status) = folder.json(&["fmt", "--upgrade", "mine"]);
    let result = &told["result"];
    assert_eq!(status, 1, "one card needs a hand: {told:#}");
    let first = &result["rewritten"][0];
    assert_eq!(
        (&first["line"], &first["was"], &first["now"]),
        (&5.into(), &"gets 2 taller".into(), &"gets + 2 height".into())
    );
    let left = result["by_hand"].as_array().unwrap();
    assert!(left.len() == 1 && left[0].to_string().contains("how tall it is"), "{told:#}");
    let new = read();
    assert!(new.contains("// gets 2 taller, of old") && new.contains("height. // for good"), "remarks stay: {new}");
    assert!(new.contains("while this is squat"), "what the words do not tell stays: {new}");
    assert!(!new.contains("this gets 2 taller"), "{new}");

    let (again, _) = folder.json(&["fmt", "--upgrade", "mine"]);
    assert_eq!((again["result"]["rewritten"].as_array().unwrap().len(), read()), (0, new), "once is enough");
}

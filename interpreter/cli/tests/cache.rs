//! Answers that are kept for later: every command says what it says without them, whatever becomes of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use crate::Folder;
use crate::shapes::COMMANDS;

/// What a command printed, to standard output and to standard error, and its exit status.
type Said = (String, String, Option<i32>);

fn said(folder: &Folder, args: &[&str]) -> Said {
    let output = folder.run(args);
    let [out, aside] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (out, aside, output.status.code())
}

fn without(folder: &Folder, args: &[&str]) -> Said {
    said(folder, &[args, &["--no-cache"]].concat())
}

/// The commands of which the same is to be said each time, in both formats.
fn commands() -> impl Iterator<Item = Vec<&'static str>> {
    let other = |args: &&[&str]| matches!(args.first(), Some(&("cache" | "fmt" | "watch")));
    let all = COMMANDS.iter().map(|(args, ..)| *args).filter(move |args| !other(args));
    let both = all.flat_map(|args| [args.to_vec(), [args, &["--format", "json"]].concat()]);
    // For people it tells what comes of each change as it comes, in whatever order.
    both.filter(|args| args.first() != Some(&"ablate") || args.contains(&"json"))
}

/// The files with answers.
fn answers(folder: &Folder) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder.cache()) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_command_says_the_same_without_kept_answers_with_none_and_with_its_own() {
    let folder = Folder::new();
    for args in commands() {
        // A command that has itself nothing kept, and finds what others have; then its own.
        let plain = without(&folder, &args);
        for round in ["first", "again"] {
            assert_eq!(said(&folder, &args), plain, "{args:?}, {round}");
        }
    }
    let before = answers(&folder).len();
    assert!(before > 40, "{before} answers are kept");
    commands().for_each(|args| drop(without(&folder, &args)));
    assert_eq!(answers(&folder).len(), before, "--no-cache keeps nothing");
}

/// Each answer is another one here than the program would give, so that it is seen whether it is taken.
#[test]
fn an_answer_is_taken_only_for_the_same_files_and_the_same_words() {
    let folder = Folder::new();
    let asked: &[&str] = &["show", "Tall Lamp"];
    let plain = said(&folder, asked);
    let others = answers(&folder);
    let edits = [
        ("cards/none.cards", "card L-7 \"New Lamp\" { lamp; height 1. }\n"),
        ("rules/more.words", "define more of (player P): number = 1.\n"),
        ("decks/mine.md", "# nothing\n"),
        ("tests/scenarios/one.md", "# nothing\n"),
        ("tests/scenarios/two.md", "# nothing\n"),
        ("tests/exemptions.md", "# nothing\n"),
    ];
    let mut count = others.len();
    assert!(count > 0);
    let grows = |what: &str, count: &mut usize| {
        let now = answers(&folder).len();
        assert!(now > *count, "{what}: an answer to something else was taken");
        *count = now;
    };
    for (path, text) in edits {
        folder.write(path, text);
        assert_eq!(said(&folder, asked), without(&folder, asked), "{path}");
        grows(path, &mut count);
    }
    said(&folder, &["show", "Small Lamp"]);
    grows("another card", &mut count);
    folder.write("mine.md", "# nothing\n");
    let mine: &[&str] = &["test", "mine.md"];
    let empty = said(&folder, mine);
    grows("a file", &mut count);
    folder.write("mine.md", &crate::game());
    let full = said(&folder, mine);
    grows("the file with another text", &mut count);
    assert_ne!(empty, full);
    assert_eq!(full, without(&folder, mine));
    assert_eq!(plain.2, Some(0));
}

/// What the answers in files are about.
fn kinds(files: &[PathBuf]) -> BTreeSet<String> {
    let name = |file: &PathBuf| file.file_name().unwrap().to_str().unwrap().to_owned();
    files.iter().map(|file| name(file).split('-').next().unwrap().to_owned()).collect()
}

#[test]
fn answers_that_are_spoilt_are_given_anew() {
    let folder = Folder::new();
    let asked: [&[&str]; 4] =
        [&["check"], &["test"], &["impact"], &["simulate", "--games", "1", "--decks", "One", "Two"]];
    let plain: Vec<Said> = asked.iter().map(|args| without(&folder, args)).collect();
    let now = || asked.iter().map(|args| said(&folder, args)).collect::<Vec<_>>();
    assert_eq!(now(), plain);
    let files = answers(&folder);
    assert!(files.len() > 5, "{files:?}");
    for nth in 0..4 {
        for file in answers(&folder) {
            let mut bytes = fs::read(&file).unwrap();
            let at = bytes.len() * nth / 4;
            match nth {
                1 => bytes.truncate(at),
                _ => bytes[at] ^= 0x55,
            }
            fs::write(&file, bytes).unwrap();
        }
        assert_eq!(now(), plain, "{nth}");
        // Of many in one file some may stand in a small file beside it.
        assert_eq!(kinds(&answers(&folder)), kinds(&files), "each is written again");
    }
}

#[test]
fn where_nothing_can_be_kept_every_command_does_without() {
    let folder = Folder::new();
    let plain = without(&folder, &["check"]);
    let file = folder.0.join("mine.md");
    folder.write("mine.md", "# nothing\n");
    for place in [file.clone(), file.join("below"), PathBuf::from("/proc/none")] {
        let place = place.to_str().unwrap();
        assert_eq!(said(&folder, &["check", "--cache-dir", place]), plain);
        let (told, aside, status) = said(&folder, &["cache", "--cache-dir", place]);
        assert!(told.contains("nothing can be kept there"), "{told}");
        assert_eq!((aside.as_str(), status), ("", Some(0)));
    }
    // No folder of the user's, and none named.
    let mut command = folder.command(&["check"]);
    for name in ["NETREP_CACHE", "HOME", "XDG_CACHE_HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA"] {
        command.env_remove(name);
    }
    let output = command.output().unwrap();
    assert_eq!((String::from_utf8(output.stdout).unwrap(), output.status.code()), (plain.0, plain.2));
    assert_eq!(
        said(&folder, &["cache", "--no-cache"]).0,
        "nothing is kept: there is no folder for it, or --no-cache is given\n"
    );
}

#[test]
fn what_is_kept_is_shown_and_cleared() {
    let folder = Folder::new();
    said(&folder, &["test"]);
    let (value, _) = folder.json(&["cache"]);
    let result = &value["result"];
    assert_eq!(result["folder"].as_str(), folder.cache().to_str());
    let kinds: Vec<&String> = result["kinds"].as_object().unwrap().keys().collect();
    assert_eq!(kinds, ["check", "choices", "items", "problems", "program", "right", "runs", "said", "sound", "texts"]);
    let entries = result["entries"].as_u64().unwrap();
    assert_eq!(entries, answers(&folder).len() as u64);
    let bytes: u64 = answers(&folder).iter().map(|file| fs::metadata(file).unwrap().len()).sum();
    assert_eq!(result["bytes"].as_u64(), Some(bytes));
    assert_eq!(folder.json(&["cache", "clear"]).0["result"]["cleared"].as_u64(), Some(entries));
    assert_eq!(answers(&folder), [] as [PathBuf; 0]);
    assert_eq!(folder.json(&["cache"]).0["result"]["entries"].as_u64(), Some(0));
}

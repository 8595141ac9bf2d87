//! Whatever a file holds, nothing panics, no other card is lost, and a misspelt word is caught with the right word.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::fuzzed::targets;
use crate::support::data::{File, Lent, errors, files, library};
use crate::support::tokens::{clauses, items, leaves, range, replaced};
use netrep_compiler::phrase::closed::is_closed;
use netrep_compiler::views::ItemView;
use netrep_compiler::{Compiler, Diagnostic, Profile, edit};
use netrep_grammar::split;
use netrep_grammar::tree::TokenKind;
use netrep_ir::Program;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A card of its own file, which leans on the vocabulary only.
const OTHER: &str = r#"card ZZ-1 "Bystander" {
    type Character. alignment Hero. race Man. skill Warrior.
    prowess 4. body 7. mind 2. direct influence 0. home terrain Haven.
    [strong] this gets +1 prowess.
}
"#;
/// Where it stands.
const OTHER_PATH: &str = "cards/zz/bystander.cards";
/// Where arbitrary text is put.
const ANY_PATH: &str = "cards/zz/any.cards";

/// The whole data and the bystander, compiled once and then edited and mended again and again: what an editor does.
struct Bench {
    library: Lent,
    files: Vec<File>,
    clean: Arc<Program>,
}

impl Bench {
    fn new() -> Bench {
        let mut library = library();
        library.compiler.set_file(OTHER_PATH, OTHER);
        let clean = library.compiler.link(&Profile::default()).0;
        assert!(has(&clean, "ZZ-1"));
        Bench { library, files: files(), clean }
    }

    /// Everything that a text may be asked, with the file set to it; gives the program.
    fn compile(&mut self, path: &str, text: &str) -> (Arc<Program>, Vec<Diagnostic>) {
        let diags = self.check(path, text);
        self.library.compiler.link(&Profile::edition("crf-15"));
        (self.library.compiler.link(&Profile::default()).0, diags)
    }

    /// What is wrong with the file set to a text.
    fn check(&mut self, path: &str, text: &str) -> Vec<Diagnostic> {
        self.library.compiler.set_file(path, text);
        let diags = self.library.compiler.check();
        for diag in &diags {
            let Some(text) = self.library.compiler.text(&diag.place.file) else { continue };
            let (start, end) = (diag.place.start as usize, diag.place.end as usize);
            assert!(start <= end && text.get(start..end).is_some(), "a place outside of the text: {diag:?}");
        }
        diags
    }

    /// Sets a file back; nothing may be left of what was in it.
    fn mend(&mut self, path: &str) {
        match self.files.iter().find(|file| file.0 == path) {
            Some((path, text)) => self.library.compiler.set_file(path, text),
            None => self.library.compiler.remove_file(path),
        };
    }
}

thread_local! {
    static BENCH: RefCell<Option<Bench>> = const { RefCell::new(None) };
}

/// One bench for each test, since each runs on its own thread.
fn with_bench<T>(run: impl FnOnce(&mut Bench) -> T) -> T {
    BENCH.with_borrow_mut(|bench| run(bench.get_or_insert_with(Bench::new)))
}

fn has(program: &Program, id: &str) -> bool {
    program.cards.iter().any(|card| card.id == id)
}

/// All that the grammar does with a text.
fn read(text: &str) {
    targets::parse(text);
    targets::fmt(text);
}

// ---- arbitrary text

/// Words, signs and brackets of the language in any order, which get deeper than bytes do.
fn soup() -> impl Strategy<Value = String> {
    let words: BTreeSet<String> = files().iter().flat_map(|(_, text)| texts(text)).collect();
    let words: Vec<String> = words.into_iter().collect();
    let glue =
        prop::sample::select(vec![" ", " ", " ", "\n", "", "\ncard TW-1 \"A\" {", "}", "{", ".", ";", "[", "(", ")"]);
    prop::collection::vec((prop::sample::select(words), glue), 0..60)
        .prop_map(|parts| parts.into_iter().map(|(word, glue)| word + glue).collect())
}

/// The texts of a file's tokens.
fn texts(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (start, item) in items(text) {
        let mut see = |token: &_| found.push(text[range(start, token)].to_owned());
        leaves(&item.header, &mut see);
        clauses(&item.clauses, &mut |clause| leaves(&clause.tokens, &mut see));
        found.push(item.head.clone());
    }
    found
}

/// Something that an item of the data might begin with, then anything.
fn anything() -> impl Strategy<Value = String> {
    let bytes = prop::collection::vec(any::<u8>(), 0..300).prop_map(|b| String::from_utf8_lossy(&b).into_owned());
    let text = "(\\PC|\n|\t){0,120}".prop_map(String::from);
    let head = prop::sample::select(vec![
        "",
        "card TW-999 \"X\" {\n",
        "rule 9.9 \"X\" {\n    [x] ",
        "verb ",
        "figure ",
        "list ",
        "relation ",
    ]);
    (head, prop_oneof![bytes, text, soup()]).prop_map(|(head, rest)| format!("{head}{rest}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in anything()) {
        read(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, rng_seed: RngSeed::Fixed(1), max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_compiled(text in anything()) {
        with_bench(|bench| {
            let (program, _) = bench.compile(ANY_PATH, &text);
            // Mended first, so that a failure here spoils no later case.
            bench.mend(ANY_PATH);
            prop_assert!(has(&program, "ZZ-1"), "the bystander is lost");
            Ok(())
        })?;
    }
}

// ---- mutated files

/// A change of a text.
#[derive(Clone, Copy, Debug)]
enum Edit {
    DeleteToken,
    DuplicateToken,
    SwapTokens,
    InsertToken,
    DeleteByte,
    DuplicateByte,
    SwapBytes,
    InsertByte,
}

const EDITS: [Edit; 8] = [
    Edit::DeleteToken,
    Edit::DuplicateToken,
    Edit::SwapTokens,
    Edit::InsertToken,
    Edit::DeleteByte,
    Edit::DuplicateByte,
    Edit::SwapBytes,
    Edit::InsertByte,
];

/// The places of the tokens of a text, brackets among them: what a simple reader would take for tokens.
fn pieces(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    let kind = |c: char| {
        if c.is_alphanumeric() || "-/".contains(c) {
            1
        } else if c.is_whitespace() {
            0
        } else {
            2
        }
    };
    let mut last = 0;
    for (at, c) in text.char_indices() {
        let now = kind(c);
        match found.last_mut() {
            Some(piece) if now == 1 && last == 1 => piece.end = at + c.len_utf8(),
            _ if now == 0 => {}
            _ => found.push(at..at + c.len_utf8()),
        }
        last = now;
    }
    found
}

/// Applies an edit; `a` and `b` say where.
fn edited(text: &str, edit: Edit, a: usize, b: usize) -> String {
    let tokens = pieces(text);
    let chars: Vec<std::ops::Range<usize>> = text.char_indices().map(|(i, c)| i..i + c.len_utf8()).collect();
    let places = match edit {
        Edit::DeleteToken | Edit::DuplicateToken | Edit::SwapTokens | Edit::InsertToken => &tokens,
        _ => &chars,
    };
    if places.is_empty() {
        return text.to_owned();
    }
    let (first, second) = (places[a % places.len()].clone(), places[b % places.len()].clone());
    let at = |range: &std::ops::Range<usize>| text[range.clone()].to_owned();
    match edit {
        Edit::DeleteToken | Edit::DeleteByte => replaced(text, vec![(first, String::new())]),
        Edit::DuplicateToken => replaced(text, vec![(first.clone(), format!("{0} {0}", at(&first)))]),
        Edit::DuplicateByte => replaced(text, vec![(first.clone(), at(&first).repeat(2))]),
        Edit::SwapTokens | Edit::SwapBytes if first == second => text.to_owned(),
        Edit::SwapTokens | Edit::SwapBytes => {
            let (one, other) = (at(&first), at(&second));
            replaced(text, vec![(first, other), (second, one)])
        }
        Edit::InsertToken => replaced(text, vec![(first.clone(), format!("{} {}", at(&second), at(&first)))]),
        Edit::InsertByte => {
            let strange = ['\u{0}', '"', '{', '}', '.', '\'', 'é', '\u{FEFF}', '\u{2028}', '[', '8', '&', '🙂', '/'];
            replaced(text, vec![(first.clone(), format!("{}{}", strange[b % strange.len()], at(&first)))])
        }
    }
}

fn edits() -> impl Strategy<Value = Vec<(Edit, usize, usize)>> {
    prop::collection::vec((prop::sample::select(EDITS.to_vec()), any::<usize>(), any::<usize>()), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn mutated_files_are_read(file in any::<prop::sample::Index>(), edits in edits()) {
        let files = files();
        let (_, text) = file.get(&files);
        read(&edits.into_iter().fold(text.clone(), |text, (edit, a, b)| edited(&text, edit, a, b)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, rng_seed: RngSeed::Fixed(1), max_shrink_iters: 200, ..ProptestConfig::default() })]

    /// Whatever is done to a file, the compiler goes on; a mutated file of cards leaves the bystander alone; and when the
    /// file is set back, everything is as it was.
    #[test]
    fn mutated_files_are_compiled(file in any::<prop::sample::Index>(), edits in edits()) {
        with_bench(|bench| {
            let (path, text) = file.get(&bench.files).clone();
            let mutated = edits.iter().fold(text, |text, (edit, a, b)| edited(&text, *edit, *a, *b));
            let (program, _) = bench.compile(&path, &mutated);
            bench.mend(&path);
            if path.starts_with("cards/") {
                prop_assert!(has(&program, "ZZ-1"), "the bystander is lost by {path}");
            }
            let again = bench.library.compiler.link(&Profile::default()).0;
            prop_assert!(again == bench.clean, "{path} leaves something behind");
            Ok(())
        })?;
    }
}

/// A card's name: what its header quotes.
fn name(card: &str) -> String {
    card.split('"').nth(1).unwrap_or_default().to_owned()
}

/// A clause that cannot be read takes its card out of the program, but not the card's name: whoever speaks of it is
/// still compiled. One bad item hides no other.
#[test]
fn a_broken_card_keeps_its_name() {
    let mut bench = Bench::new();
    // The first card that others name, with a slip in the first word that a clause of it begins with.
    let known = known_words(&bench.library.compiler);
    let cards: Vec<_> = bench.library.compiler.items().into_iter().filter(|item| item.head == "card").collect();
    let spoken_of = |card: &ItemView| {
        let quoted = format!("\"{}\"", name(&card.text));
        cards.iter().filter(|other| other.key != card.key && other.text.contains(&quoted)).nth(1).is_some()
    };
    let (card, broken) = cards
        .iter()
        .filter(|card| spoken_of(card))
        .find_map(|card| {
            let words = edit::clauses(&card.text).into_iter().filter_map(|clause| {
                let rest = card.text.get(clause.span.start as usize..clause.span.end as usize)?;
                let word = rest.split(|c: char| !c.is_alphabetic()).next().filter(|word| known.contains(*word))?;
                let place = clause.span.start as usize..clause.span.start as usize + word.len();
                Some(replaced(&card.text, vec![(place, slip(word, &known)?)]))
            });
            let broken = words.into_iter().next()?;
            Some((card, broken))
        })
        .expect("a card of which others speak, with a word to misspell");
    let path = &card.place.file;
    let broken = bench.library.compiler.file_with(card, &broken).expect("its file");
    let (program, diags) = bench.compile(path, &broken);
    let wrong: Vec<String> = errors(&diags).iter().map(|d| format!("{}: {}", d.code, d.message)).collect();
    assert_eq!(wrong.len(), 1, "one wrong letter, one message: {wrong:#?}");
    let lost: Vec<&str> = bench.clean.cards.iter().map(|c| c.id.as_str()).filter(|id| !has(&program, id)).collect();
    assert_eq!(lost.len(), 1, "more than the broken card is lost: {lost:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, rng_seed: RngSeed::Fixed(1), max_shrink_iters: 200, ..ProptestConfig::default() })]

    /// A card that is mutated with its own tokens, brackets included, hides no other card of its file.
    #[test]
    fn a_mutated_card_hides_no_other(file in any::<prop::sample::Index>(), card in any::<prop::sample::Index>(), edits in edits()) {
        with_bench(|bench| {
            let cards: Vec<File> = bench.files.iter().filter(|file| file.0.starts_with("cards/")).cloned().collect();
            let (path, text) = file.get(&cards);
            let parts = items(text);
            let (start, item) = card.get(&parts);
            let place = *start..*start + item.span.end as usize;
            let original = text[place.clone()].to_owned();
            let mutated = edits.iter().fold(original.clone(), |text, (edit, a, b)| edited(&text, *edit, *a, *b));
            // A line that begins with a head would be another item: that is no mutation of this card.
            prop_assume!(split(&mutated).len() == 1 && mutated.starts_with("card "));
            let header = |text: &str| text.split('{').next().unwrap_or_default().to_owned();
            let id = |text: &str| text.split(' ').nth(1).unwrap_or_default().to_owned();
            let mine = id(&original);
            let (program, diags) = bench.compile(path, &replaced(text, vec![(place.clone(), mutated.clone())]));
            let clean = Arc::clone(&bench.clean);
            let lost_without = |program: &Program| -> BTreeSet<String> {
                let others = clean.cards.iter().map(|card| &card.id);
                others.filter(|card| **card != mine && **card != id(&mutated) && !has(program, card)).cloned().collect()
            };
            let mut lost = lost_without(&program);
            if !lost.is_empty() && header(&mutated) != header(&original) {
                // If its name was mutated, those are lost who would be without the card: they speak of it, or their words do.
                let (gone, _) = bench.compile(path, &replaced(text, vec![(place, String::new())]));
                lost = &lost - &lost_without(&gone);
            }
            bench.mend(path);
            prop_assert!(lost.is_empty(), "{mine} takes {lost:?} with it: {:#?}", errors(&diags));
            let told = errors(&diags).iter().any(|diag| diag.place.file == *path);
            let gone = header(&mutated) == header(&original) && !has(&program, &mine);
            prop_assert!(told || !gone, "{mine} is gone and no one says why");
            Ok(())
        })?;
    }
}

/// A card is `card ID "NAME" { … }` and a rule `rule NUMBER "TITLE" { … }`: what is not is said, not guessed at.
#[test]
fn a_header_that_is_none_is_an_error() {
    const OTHERS: [&str; 6] = [
        "HEAD ID ID \"NAME\" {",
        "HEAD \"NAME\" ID {",
        "HEAD ID {",
        "HEAD \"NAME\" {",
        "HEAD ID, \"NAME\" {",
        "HEAD ID \"NAME\" \"NAME too\" {",
    ];
    let mut bench = Bench::new();
    let mut silent = Vec::new();
    // No ruling amends this rule, so that nothing else can complain.
    for (head, id) in [("card", "TW-134"), ("rule", "3.iii")] {
        let item = bench.library.compiler.item(head, id).expect("the item");
        let (header, body) = item.text.split_once('{').expect("a body");
        let name = name(header);
        for other in OTHERS {
            let header = other.replace("HEAD", head).replace("ID", id).replace("NAME", &name);
            let text = bench.library.compiler.file_with(&item, &format!("{header}{body}")).expect("its file");
            let diags = bench.check(&item.place.file, &text);
            if !errors(&diags).iter().any(|diag| diag.place.file == item.place.file) {
                silent.push(header);
            }
            bench.mend(&item.place.file);
        }
    }
    assert!(silent.is_empty(), "taken without a word: {silent:#?}");
}

// ---- the bar for misspellings

/// Every word of the vocabulary.
fn known_words(compiler: &Compiler) -> BTreeSet<String> {
    let terms = compiler.terms();
    let forms = terms.iter().flat_map(|view| &view.term.forms);
    forms.flat_map(|form| &form.words).map(ToString::to_string).collect()
}

/// The word with the two letters from the second on swapped that differ first: a slip of the fingers.
fn slip(word: &str, known: &BTreeSet<String>) -> Option<String> {
    let letters: Vec<char> = word.chars().collect();
    (1..letters.len().saturating_sub(1)).find_map(|i| {
        let mut swapped = letters.clone();
        swapped.swap(i, i + 1);
        let plain = letters[i].is_alphabetic() && letters[i + 1].is_alphabetic() && letters[i] != letters[i + 1];
        let new: String = swapped.into_iter().collect();
        (plain && !known.contains(&new) && !is_closed(&new)).then_some(new)
    })
}

/// Every word of the vocabulary that the cards use, misspelt once: at least 95 of 100 are caught where they stand, and
/// the help names the right word.
#[test]
fn misspelt_words_are_caught_with_the_right_word() {
    let mut bench = Bench::new();
    let known = known_words(&bench.library.compiler);
    let mut tried: BTreeSet<String> = BTreeSet::new();
    let (mut caught, mut right, mut alone) = (0, 0, 0);
    let mut missed: Vec<String> = Vec::new();
    for (path, text) in bench.files.clone().iter().filter(|file| file.0.starts_with("cards/")) {
        let mut places = Vec::new();
        for (start, item) in items(text) {
            clauses(&item.clauses, &mut |clause| {
                leaves(&clause.tokens, &mut |token| {
                    if let TokenKind::Word(word) | TokenKind::Capital(word) = &token.kind
                        && known.contains(word)
                        && !is_closed(word)
                        && !tried.contains(word)
                    {
                        places.push((range(start, token), word.clone()));
                    }
                });
            });
        }
        for (place, word) in places {
            let Some(wrong) = slip(&word, &known) else { continue };
            if !tried.insert(word.clone()) {
                continue;
            }
            bench.library.compiler.set_file(path, &replaced(text, vec![(place.clone(), wrong.clone())]));
            let here = |d: &&Diagnostic| d.is_error() && d.place.file == *path;
            let mut diags = bench.library.compiler.check_file(path);
            if !diags.iter().any(|d| here(&d)) {
                // Labels that are spoken of elsewhere: what is wrong between items.
                diags = bench.library.compiler.check();
            }
            let said: Vec<&Diagnostic> = diags.iter().filter(here).collect();
            let names = |d: &&Diagnostic| d.help.as_ref().is_some_and(|help| help.contains(&format!("`{word}`")));
            let meant = |d: &&Diagnostic| {
                names(d) && (d.place.start as usize) < place.end && place.start <= d.place.end as usize
            };
            caught += usize::from(!said.is_empty());
            alone += usize::from(said.len() == 1);
            if said.iter().any(meant) {
                right += 1;
            } else {
                let said: Vec<_> = said.iter().map(|d| (&d.code, &d.message, &d.help)).collect();
                missed.push(format!("`{wrong}` for `{word}`: {said:?}"));
            }
        }
        bench.mend(path);
    }
    let n = tried.len();
    println!("{n} words misspelt: {caught} caught, {right} with the right word, {alone} with one message");
    println!("{}", missed.join("\n"));
    assert!(n >= 70, "only {n} words were tried");
    assert_eq!(caught, n, "silent misspellings: {missed:#?}");
    assert!(right * 100 >= n * 95, "only {right} of {n}: {missed:#?}");
}

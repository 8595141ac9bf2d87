//! `netrep fmt --upgrade`: files of before, with what is no longer said as it is said now.
//!
//! Only a sentence that cannot be read is rewritten, so what an accepted item means stays as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use netrep_compiler::retired::{Met, Retired};
use netrep_compiler::{Diagnostic, load};
use netrep_lab::library::Library;
use netrep_lab::relay;

use super::fmt::{Broken, Rewritten, is_markdown, placed};

/// A sentence may say several things of before; so often at most all files are looked at.
const ROUNDS: usize = 12;

/// What has become of files.
#[derive(Default)]
pub(super) struct Upgraded {
    /// The files that change, with their new texts.
    pub changed: Vec<(PathBuf, String)>,
    /// What was said otherwise.
    pub rewritten: Vec<Rewritten>,
    /// What is still wrong.
    pub by_hand: Vec<Broken>,
}

/// Rewrites files in memory. They are read together with the data below the root, of which they need not be a part.
pub(super) fn upgrade(root: &Path, files: &[PathBuf]) -> io::Result<Upgraded> {
    let mut library = Library::open(root)?;
    let mut done = Upgraded::default();
    let mut texts: BTreeMap<&PathBuf, String> = BTreeMap::new();
    for file in files.iter().filter(|file| is_markdown(file) || load::is_source(&file.to_string_lossy())) {
        match load::read_text(file) {
            Ok(text) => drop(texts.insert(file, text)),
            Err(error) => done.by_hand.push(Broken { file: file.display().to_string(), message: error.to_string() }),
        }
    }
    let before = texts.clone();
    let retired = library.compiler.retired();
    let mut wrong = Vec::new();
    for _ in 0..ROUNDS {
        let sources = texts.iter().filter(|(file, _)| !is_markdown(file));
        let named: Vec<(String, &String)> = sources.map(|(file, text)| (name(root, file), text)).collect();
        library.compiler.set_files(named.iter().map(|(name, text)| (&**name, &***text)));
        wrong = texts.iter().map(|(file, text)| ((*file).clone(), mistakes(&library, root, file, text))).collect();
        let mut changed = false;
        for (file, diags) in &wrong {
            let Some(text) = texts.get_mut(file) else { continue };
            let (new, met) = retired.rewritten(text, places(diags));
            changed |= new != *text;
            done.rewritten.extend(met.into_iter().map(|one| told(file, text, one)));
            *text = new;
        }
        if !changed {
            break;
        }
    }
    for (file, diags) in wrong {
        let Some(text) = texts.get(&file) else { continue };
        done.by_hand.extend(by_hand(&retired, &file, text, diags));
    }
    let changed = texts.into_iter().filter(|(file, text)| before.get(file) != Some(text));
    done.changed = changed.map(|(file, text)| (file.clone(), text)).collect();
    Ok(done)
}

/// A file as the compiler knows it: below the root, or as it was named.
fn name(root: &Path, file: &Path) -> String {
    let below = match (root.canonicalize(), file.canonicalize()) {
        (Ok(root), Ok(file)) => file.strip_prefix(root).ok().map(Path::to_path_buf),
        _ => None,
    };
    below.unwrap_or_else(|| file.to_path_buf()).to_string_lossy().replace('\\', "/")
}

/// What is wrong with a file.
fn mistakes(library: &Library, root: &Path, file: &Path, text: &str) -> Vec<Diagnostic> {
    let name = name(root, file);
    match is_markdown(file) {
        false => library.compiler.mistakes(&name),
        true => match relay::laid_out(&library.compiler, &name, text, &library.decks()) {
            Ok(laid) => laid.left,
            Err(diags) => diags,
        },
    }
}

fn places(diags: &[Diagnostic]) -> impl Iterator<Item = Range<usize>> + '_ {
    diags.iter().map(|diag| diag.place.start as usize..diag.place.end as usize)
}

fn told(file: &Path, text: &str, met: Met) -> Rewritten {
    let line = text.get(..met.range.start).unwrap_or(text).matches('\n').count() + 1;
    let now = met.instead.iter().flat_map(|now| now.split_whitespace()).collect::<Vec<_>>().join(" ");
    Rewritten { file: file.display().to_string(), line, was: met.said, now }
}

/// What is left, each once.
fn by_hand(retired: &Retired, file: &Path, text: &str, diags: Vec<Diagnostic>) -> Vec<Broken> {
    let messages: Vec<String> = diags.into_iter().map(|diag| placed(text, &retired.told(text, diag))).collect();
    let mut seen = BTreeSet::new();
    let first = messages.into_iter().filter(|message| seen.insert(message.clone()));
    first.map(|message| Broken { file: file.display().to_string(), message }).collect()
}

//! `netrep fmt`: the canonical layout, and every item in its place.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::{fs, io};

use netrep_compiler::{Compiler, Diagnostic, load};
use netrep_lab::library::{FOLDERS, Library};
use netrep_lab::relay;
use serde::Serialize;

use super::upgrade::upgrade;
use crate::output::{Show, count};
use crate::{Outcome, Wrong};

/// The result of `fmt`.
#[derive(Serialize, Default)]
struct LaidOut {
    /// Nothing is broken, and with `--check` nothing would change.
    clean: bool,
    /// How many files were looked at.
    files: usize,
    /// Files that changed, or would.
    changed: Vec<String>,
    /// With `--sort`: files that all items have left, or would; only comments are in them.
    comments_only: Vec<String>,
    /// Files that could not be laid out, and are as they were.
    broken: Vec<Broken>,
    /// With `--upgrade`: what was no longer said and has been, or would be, rewritten.
    rewritten: Vec<Rewritten>,
    /// With `--upgrade`: what is still wrong, and needs a hand.
    by_hand: Vec<Broken>,
}

/// How files are laid out.
#[derive(Clone, Copy)]
pub(crate) struct How {
    /// Nothing is written.
    pub only_check: bool,
    /// Items are moved to where they belong.
    pub sort: bool,
    /// What positions of a section have in common is written once.
    pub factor: bool,
    /// What is no longer said is said as it is now.
    pub upgrade: bool,
}

/// A file that could not be laid out.
#[derive(Serialize)]
pub(super) struct Broken {
    pub file: String,
    pub message: String,
}

/// A place at which something was said otherwise.
#[derive(Serialize)]
pub(super) struct Rewritten {
    pub file: String,
    /// The line, as it was before.
    pub line: usize,
    pub was: String,
    pub now: String,
}

/// Lays files out.
pub(crate) fn fmt(show: &Show, root: &Path, paths: &[PathBuf], how: How) -> Result<Outcome, Wrong> {
    let only_check = how.only_check;
    let mut done = LaidOut::default();
    if how.sort {
        sort(root, only_check, &mut done)?;
    }
    let files: Vec<PathBuf> = if paths.is_empty() {
        let mut files: Vec<PathBuf> =
            load::read_folder(root)?.files.into_iter().map(|(path, _)| root.join(path)).collect();
        for folder in FOLDERS.iter().map(|folder| root.join(folder)).filter(|folder| folder.is_dir()) {
            collect(&folder, &mut files)?;
        }
        files
    } else {
        let mut files = Vec::new();
        for path in paths {
            collect(path, &mut files)?;
        }
        files
    };
    done.files = files.len();
    if how.upgrade {
        let upgraded = upgrade(root, &files)?;
        for (file, text) in &upgraded.changed {
            if !only_check {
                fs::write(file, text)?;
            }
            done.changed.push(file.display().to_string());
        }
        (done.rewritten, done.by_hand) = (upgraded.rewritten, upgraded.by_hand);
    }
    // Positions are laid out as the data declare; they are read once, when the first is met.
    let library = OnceCell::new();
    for file in &files {
        let name = file.display().to_string();
        let done_so = match is_markdown(file) {
            true => lay_out_positions(library.get_or_init(|| Library::open(root)), file, how, &mut done.broken),
            false => lay_out(file, only_check),
        };
        match done_so {
            Ok(true) if !done.changed.contains(&name) => done.changed.push(name),
            Ok(_) => {}
            Err(message) => done.broken.push(Broken { file: name, message }),
        }
    }
    // What is not written yet cannot be laid out; what needs a hand is told as such.
    if how.upgrade {
        done.broken.retain(|broken| !done.by_hand.iter().any(|one| one.file == broken.file));
    }
    let whole = done.broken.is_empty() && done.by_hand.is_empty();
    done.clean = whole && (done.changed.is_empty() || !only_check);
    Ok(show.reply(Outcome::of(done.clean), &done, || {
        let verb = if only_check { "would change" } else { "changed" };
        for file in &done.changed {
            show.line(format!("{verb}: {file}"));
        }
        for Rewritten { file, line, was, now } in &done.rewritten {
            show.line(format!("{file}: line {line}: `{was}` -> `{now}`"));
        }
        for Broken { file, message } in &done.by_hand {
            show.line(format!("{} needs a hand: {file}: {message}", show.paint("31", "✗")));
        }
        for file in &done.comments_only {
            show.line(format!("only comments are left: {file}"));
        }
        for Broken { file, message } in &done.broken {
            show.line(format!("{} {file}: {message}", show.paint("31", "✗")));
        }
        show.line(format!("{}, {} {verb}", count(done.files, "file", "files"), done.changed.len()));
    }))
}

/// Moves all items to where they belong.
fn sort(root: &Path, only_check: bool, done: &mut LaidOut) -> Result<(), Wrong> {
    let mut compiler = Compiler::new();
    compiler.load_dir(root)?;
    let name = |path: &str| root.join(path).display().to_string();
    match compiler.refiled() {
        Ok(refiling) => {
            let files = || refiling.changed.iter();
            if !only_check {
                load::write_files(root, files().map(|file| (&*file.path, file.text.as_deref())))?;
            }
            done.changed.extend(files().map(|file| name(&file.path)));
            done.comments_only.extend(files().filter(|file| file.comments_only).map(|file| name(&file.path)));
        }
        Err(error) => done.broken.push(Broken { file: name(&error.0), message: error.to_string() }),
    }
    Ok(())
}

/// Lays a file out; true if it changes. A file that cannot be read hides no other.
fn lay_out(file: &Path, only_check: bool) -> Result<bool, String> {
    if !load::is_source(&file.to_string_lossy()) {
        return Err(format!("only files of the language are laid out: .{}", load::EXTENSIONS.join(", .")));
    }
    let text = load::read_text(file).map_err(|error| error.to_string())?;
    let new = netrep_grammar::fmt(&text).map_err(|error| error.to_string())?;
    if new == text {
        return Ok(false);
    }
    if !only_check {
        fs::write(file, new).map_err(|error| error.to_string())?;
    }
    Ok(true)
}

pub(super) fn is_markdown(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "md")
}

/// Lays the positions of a Markdown file out; true if it changes.
fn lay_out_positions(
    library: &io::Result<Library>,
    file: &Path,
    how: How,
    broken: &mut Vec<Broken>,
) -> Result<bool, String> {
    let library = library.as_ref().map_err(ToString::to_string)?;
    let text = load::read_text(file).map_err(|error| error.to_string())?;
    let name = file.display().to_string();
    let told = |diags: Vec<Diagnostic>, text: &str| {
        // total: what cannot be laid out has a reason
        diags.first().map(|diag| placed(text, diag)).unwrap_or_default()
    };
    let decks = library.decks();
    let laid = relay::laid_out(&library.compiler, &name, &text, &decks).map_err(|diags| told(diags, &text))?;
    broken.extend(laid.left.iter().map(|diag| Broken { file: name.clone(), message: placed(&text, diag) }));
    let mut new = laid.text;
    if how.factor {
        new = relay::factored(&library.compiler, &name, &new, &decks).map_err(|diags| told(diags, &new))?;
    }
    if new == text {
        return Ok(false);
    }
    if !how.only_check {
        fs::write(file, new).map_err(|error| error.to_string())?;
    }
    Ok(true)
}

/// A finding with the line of the text at which it is.
pub(super) fn placed(text: &str, diag: &Diagnostic) -> String {
    let before = text.get(..diag.place.start as usize).unwrap_or(text);
    let help: String = diag.help.iter().map(|help| format!(" ({help})")).collect();
    format!("line {}: {}{help}", before.matches('\n').count() + 1, diag.message)
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Wrong> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let mut entries: Vec<PathBuf> =
        fs::read_dir(path)?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() || load::is_source(&entry.to_string_lossy()) || is_markdown(&entry) {
            collect(&entry, files)?;
        }
    }
    Ok(())
}

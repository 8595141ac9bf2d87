//! `netrep check`, `netrep fmt`, `netrep explain`: the data itself.

use std::fs;
use std::path::{Path, PathBuf};

use netrep_compiler::load;
use netrep_ir::Severity;
use netrep_lab::Library;
use netrep_lab::pages;
use netrep_lab::words::nearest_name;
use serde_json::json;

use crate::show::{Show, count, summary};
use crate::{Outcome, Wrong};

/// Everything that is wrong with the data.
pub fn check(show: &Show, library: &Library) -> Outcome {
    let diags = library.compiler.check();
    let clean = diags.iter().all(|diag| diag.severity != Severity::Error);
    if show.json() {
        show.value(&json!({ "clean": clean, "diagnostics": diags }));
    } else {
        show.diags(&diags, &|file| library.text(file));
        show.line(summary(&diags));
    }
    Outcome::of(clean)
}

/// Lays files out.
pub fn fmt(show: &Show, root: &Path, paths: &[PathBuf], only_check: bool) -> Result<Outcome, Wrong> {
    let files: Vec<PathBuf> = if paths.is_empty() {
        load::read_folder(root)?.into_iter().map(|(path, _)| root.join(path)).collect()
    } else {
        let mut files = Vec::new();
        for path in paths {
            collect(path, &mut files)?;
        }
        files
    };
    let (mut changed, mut broken) = (Vec::new(), Vec::new());
    for file in &files {
        let text =
            fs::read_to_string(file).map_err(|e| std::io::Error::new(e.kind(), format!("{}: {e}", file.display())))?;
        match netrep_grammar::fmt(&text) {
            Ok(new) if new == text => {}
            Ok(new) => {
                if !only_check {
                    fs::write(file, new)?;
                }
                changed.push(file.display().to_string());
            }
            Err(error) => broken.push(format!("{}: {error}", file.display())),
        }
    }
    let clean = broken.is_empty() && (changed.is_empty() || !only_check);
    if show.json() {
        show.value(&json!({ "clean": clean, "changed": changed, "broken": broken }));
        return Ok(Outcome::of(clean));
    }
    let verb = if only_check { "would change" } else { "changed" };
    for file in &changed {
        show.line(format!("{verb}: {file}"));
    }
    for problem in &broken {
        show.line(format!("{} {problem}", show.paint("31", "✗")));
    }
    show.line(format!("{}, {} {verb}", count(files.len(), "file", "files"), changed.len()));
    Ok(Outcome::of(clean))
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
        if entry.is_dir() || load::is_source(&entry.to_string_lossy()) {
            collect(&entry, files)?;
        }
    }
    Ok(())
}

/// The page of a code.
pub fn explain(show: &Show, code: Option<&str>) -> Result<Outcome, Wrong> {
    let codes = pages::codes();
    match code {
        None if show.json() => show.value(&codes),
        None => codes.into_iter().for_each(|code| show.line(code)),
        Some(code) => match pages::text(code) {
            Some(text) if show.json() => show.value(&json!({ "code": code, "text": text.trim_end() })),
            Some(text) => show.line(text.trim_end()),
            None => {
                let near = nearest_name(code, codes).map(|near| format!("; did you mean `{near}`?"));
                return Err(Wrong::Usage(format!("no diagnostic has the code `{code}`{}", near.unwrap_or_default())));
            }
        },
    }
    Ok(Outcome::Clean)
}

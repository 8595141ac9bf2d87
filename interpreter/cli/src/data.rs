//! Where the data of a command are: below the folder that `--root` names, else below the nearest one from here upwards
//! that has `rules/` and `cards/`, else built into the program.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use netrep::{Data, built_in};
use netrep_compiler::load::read_text;
use netrep_lab::Library;
use netrep_store::Store;

use crate::Wrong;

/// Where data are.
pub(crate) enum Root {
    /// Below a folder.
    Folder(PathBuf),
    /// In the program.
    BuiltIn,
}

impl Root {
    /// Where they are, when this folder or none was named.
    ///
    /// # Errors
    /// If what was named is not a folder.
    pub(crate) fn of(named: Option<&Path>) -> Result<Root, Wrong> {
        match named {
            Some(root) if root.is_dir() => Ok(Root::Folder(root.to_owned())),
            Some(root) => Err(Wrong::Usage(format!("{} is not a folder", root.display()))),
            None => Ok(match std::env::current_dir().ok().and_then(Data::folder_above) {
                Some(root) => Root::Folder(root),
                None => Root::BuiltIn,
            }),
        }
    }

    /// The folder; a command that writes files, or waits for them, cannot do without.
    pub(crate) fn folder(&self) -> Result<&Path, Wrong> {
        match self {
            Root::Folder(root) => Ok(root),
            Root::BuiltIn => Err(Wrong::Usage(
                "no folder from here upwards has `rules/` and `cards/`, and the data that are built in have no files; name a \
                 folder with --root"
                    .to_owned(),
            )),
        }
    }

    /// The data, for the lab; what takes long is kept in a store, if there is one.
    pub(crate) fn library(&self, store: Option<&Arc<Store>>) -> std::io::Result<Library> {
        let mut library = match self {
            Root::Folder(root) => Library::open(root)?,
            Root::BuiltIn => Library::held(texts().map(|(path, text)| (path.to_owned(), text.to_owned()))),
        };
        if let Some(store) = store {
            library.keep_in(Arc::clone(store));
        }
        Ok(library)
    }

    /// The data, for playing.
    pub(crate) fn data(&self, store: Option<&Arc<Store>>) -> Result<Data, Wrong> {
        let data = match self {
            Root::Folder(root) => Data::folder(root)?,
            Root::BuiltIn => Data::built_in(),
        };
        Ok(match store {
            Some(store) => data.kept_in(Arc::clone(store)),
            None => data,
        })
    }

    /// The text of a file, by its path from the root.
    pub(crate) fn text(&self, file: &str) -> Option<String> {
        match self {
            Root::Folder(root) => read_text(&root.join(file)).ok(),
            Root::BuiltIn => texts()
                .find(|(path, _)| *path == file)
                .map(|(_, text)| text.to_owned())
                .or_else(|| read_text(Path::new(file)).ok()),
        }
    }
}

fn texts() -> impl Iterator<Item = (&'static str, &'static str)> {
    built_in::DATA.iter().chain(built_in::TESTS).copied()
}

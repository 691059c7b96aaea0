//! The files of an assistant's folder. Equal files need no reload.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::error::ManifestError;

const MANIFEST: &str = "assistant.toml";
const INSTRUCTIONS: &str = "instructions.md";
const PHRASINGS: &str = "phrasings.txt";
/// Larger files are a mistake.
const LARGEST_FILE: u64 = 2 * 1024 * 1024;

/// The text files of one assistant, as read at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestFolder {
    /// The folder's name, which is the assistant's.
    pub name: String,
    pub path: PathBuf,
    files: BTreeMap<PathBuf, String>,
}

/// The folders below `root` that have a manifest, by name. Empty if `root` does not exist.
pub fn folders(root: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(root) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.join(MANIFEST).is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

impl ManifestFolder {
    pub fn read(path: &Path) -> Result<Self, ManifestError> {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        let mut files = BTreeMap::new();
        let wanted = [
            path.join(MANIFEST),
            path.join(INSTRUCTIONS),
            path.join(PHRASINGS),
        ];
        for file in wanted {
            match read_text(&file) {
                Ok(text) => {
                    files.insert(file, text);
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    return Err(ManifestError::of_file(
                        &file,
                        format!("cannot be read: {error}"),
                    ));
                }
            }
        }
        let folder = Self {
            name,
            path: path.to_owned(),
            files,
        };
        match is_name(&folder.name) {
            true => Ok(folder),
            false => Err(ManifestError::of_file(
                path,
                "the folder's name is the assistant's: use lower-case letters, digits and `-`, beginning with a letter",
            )),
        }
    }

    /// A folder whose files are part of the program.
    pub fn embedded(name: &str, manifest: &str, instructions: &str, phrasings: &str) -> Self {
        let path = PathBuf::from(name);
        let files = [
            (MANIFEST, manifest),
            (INSTRUCTIONS, instructions),
            (PHRASINGS, phrasings),
        ];
        Self {
            files: files
                .map(|(file, text)| (path.join(file), text.to_owned()))
                .into(),
            name: name.to_owned(),
            path,
        }
    }

    pub(super) fn manifest_file(&self) -> PathBuf {
        self.path.join(MANIFEST)
    }

    pub(super) fn phrasings_file(&self) -> PathBuf {
        self.path.join(PHRASINGS)
    }

    pub(super) fn manifest(&self) -> &str {
        self.text(&self.manifest_file())
    }

    pub(super) fn instructions(&self) -> &str {
        self.text(&self.path.join(INSTRUCTIONS))
    }

    pub(super) fn phrasings(&self) -> &str {
        self.text(&self.phrasings_file())
    }

    fn text(&self, file: &Path) -> &str {
        self.files.get(file).map_or("", String::as_str)
    }
}

fn read_text(file: &Path) -> io::Result<String> {
    if std::fs::metadata(file)?.len() > LARGEST_FILE {
        return Err(io::Error::other("it is larger than 2 MB"));
    }
    std::fs::read_to_string(file)
}

fn is_name(name: &str) -> bool {
    name.len() <= 40
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_')
}

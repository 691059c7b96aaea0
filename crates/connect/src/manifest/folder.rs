//! The files of an assistant's folder. Equal files need no reload.

use std::io;
use std::path::{Path, PathBuf};

use super::error::ManifestError;

const MANIFEST: &str = "assistant.toml";
const INSTRUCTIONS: &str = "instructions.md";
const PHRASINGS: &str = "phrasings.txt";
/// Larger files are a mistake.
const LARGEST_FILE: u64 = 2 * 1024 * 1024;

/// The text files of one assistant, as read at one moment. A missing file is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestFolder {
    /// The folder's name, which is the assistant's.
    pub name: String,
    pub path: PathBuf,
    pub(super) manifest: String,
    pub(super) instructions: String,
    pub(super) phrasings: String,
}

/// The folders below `root` that have a manifest, by name. Empty if `root` does not exist.
pub fn folders(root: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(root) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let paths = entries.map(|entry| Ok(entry?.path()));
    let mut found = paths.collect::<io::Result<Vec<PathBuf>>>()?;
    found.retain(|path| path.join(MANIFEST).is_file());
    found.sort();
    Ok(found)
}

impl ManifestFolder {
    pub fn read(path: &Path) -> Result<Self, ManifestError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let read = |file: &str| {
            let file = path.join(file);
            read_text(&file)
                .map_err(|error| ManifestError::of_file(&file, format!("cannot be read: {error}")))
        };
        let folder = Self {
            manifest: read(MANIFEST)?,
            instructions: read(INSTRUCTIONS)?,
            phrasings: read(PHRASINGS)?,
            name: name.into_owned(),
            path: path.to_owned(),
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
        Self {
            name: name.to_owned(),
            path: PathBuf::from(name),
            manifest: manifest.to_owned(),
            instructions: instructions.to_owned(),
            phrasings: phrasings.to_owned(),
        }
    }

    pub(super) fn manifest_file(&self) -> PathBuf {
        self.path.join(MANIFEST)
    }

    pub(super) fn phrasings_file(&self) -> PathBuf {
        self.path.join(PHRASINGS)
    }
}

fn read_text(file: &Path) -> io::Result<String> {
    match std::fs::metadata(file) {
        Ok(found) if found.len() > LARGEST_FILE => Err(io::Error::other("it is larger than 2 MB")),
        Ok(_) => std::fs::read_to_string(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(error),
    }
}

/// True for lower-case letters, digits, `-` and `_`, with a letter first.
pub fn is_name(name: &str) -> bool {
    const MAX_NAME: usize = 40;
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    name.len() <= MAX_NAME
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(is_plain)
}

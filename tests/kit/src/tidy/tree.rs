//! The files that the rules check: everything that is, or is about to be, committed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// Text files by path from the root, with `/` between folders.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    files: BTreeMap<String, String>,
}

pub fn workspace_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl Tree {
    /// Reads the tree under `root`. Skips files that are not text.
    pub fn read(root: &Path) -> io::Result<Tree> {
        let paths = match listed_by_git(root) {
            Some(paths) => paths,
            // A source archive has no history: walk the folders.
            None => {
                let mut paths = Vec::new();
                walk(root, "", &mut paths)?;
                paths
            }
        };
        let mut files = BTreeMap::new();
        for path in paths {
            let full = root.join(&path);
            // Git still lists deleted files before the commit, and links to folders.
            if !full.is_file() {
                continue;
            }
            let bytes = fs::read(&full).map_err(|error| unreadable(&full, &error))?;
            if let Ok(text) = String::from_utf8(bytes)
                && !text.contains('\0')
            {
                files.insert(path, text);
            }
        }
        Ok(Tree { files })
    }

    /// A synthetic tree.
    pub fn of(files: &[(&str, &str)]) -> Tree {
        Tree {
            files: files
                .iter()
                .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
                .collect(),
        }
    }

    pub fn get(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(p, t)| (p.as_str(), t.as_str()))
    }

    pub fn rust(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(|(path, _)| path.ends_with(".rs"))
    }
}

/// True for files that hold only tests.
pub(super) fn is_test(path: &str) -> bool {
    path.ends_with("_tests.rs") || path.split('/').any(|part| part == "tests")
}

fn listed_by_git(root: &Path) -> Option<Vec<String>> {
    let output = Command::new("git")
        // The checkout may belong to another user than the one who runs the tests.
        .args(["-c", "safe.directory=*", "ls-files", "-z"])
        .args(["--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .ok()?;
    if !output.status.success() {
        return None;
    }
    let text = String::from_utf8(output.stdout).ok()?;
    let paths = text.split('\0').filter(|path| !path.is_empty());
    Some(paths.map(str::to_owned).collect())
}

const NOT_OURS: [&str; 6] = [".git", "target", "node_modules", "data", "dist", ".cache"];

fn walk(root: &Path, folder: &str, into: &mut Vec<String>) -> io::Result<()> {
    let full = root.join(folder);
    let fail = |error| unreadable(&full, &error);
    for entry in fs::read_dir(&full).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let path = match folder {
            "" => name.clone(),
            folder => format!("{folder}/{name}"),
        };
        let kind = entry.file_type().map_err(fail)?;
        if kind.is_dir() && !NOT_OURS.contains(&name.as_str()) {
            walk(root, &path, into)?;
        } else if kind.is_file() {
            into.push(path);
        }
    }
    Ok(())
}

fn unreadable(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
#[path = "tree_tests.rs"]
mod tree_tests;

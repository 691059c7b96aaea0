//! Saves files that tools created to the local disk.

use std::path::{Path, PathBuf};

use anyhow::Context;

/// Writes one file into a folder, creating the folder if needed; returns the path.
pub(crate) async fn write(folder: &Path, name: &str, bytes: &[u8]) -> anyhow::Result<PathBuf> {
    tokio::fs::create_dir_all(folder)
        .await
        .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let path = free_path(folder, name);
    tokio::fs::write(&path, bytes)
        .await
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

pub(crate) fn say_saved(written: &[PathBuf]) {
    if written.is_empty() {
        println!("The last answer has no files.");
    }
    for path in written {
        println!("Saved {}", path.display());
    }
}

/// An unused file name in the folder: `pass.pdf`, `pass-2.pdf` …
fn free_path(folder: &Path, name: &str) -> PathBuf {
    // Drops directories from the name: it comes from a tool and is untrusted.
    let name = Path::new(name).file_name().unwrap_or("file".as_ref());
    let name = Path::new(name);
    let stem = name.file_stem().unwrap_or_default().to_string_lossy();
    let extension = name.extension().map(|ending| ending.to_string_lossy());
    let ending = extension.map_or(String::new(), |ending| format!(".{ending}"));
    let mut path = folder.join(name);
    let mut number = 2;
    while path.exists() {
        path = folder.join(format!("{stem}-{number}{ending}"));
        number += 1;
    }
    path
}

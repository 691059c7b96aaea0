//! Documents on the local disk. A symbolic link is followed only to a file inside the
//! folder.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use frontdesk_core::search::SearchError;

use super::{Candidate, Content, Page, Source, UploadedFile};
use crate::extract::{ExtractError, Format, LARGEST_FILE, READABLE};
use crate::index::DocumentVersion;

/// Limits on the depth of a walk and the number of files.
const DEEPEST: usize = 32;
const MOST_FILES: usize = 100_000;

/// Lists the documents of a source that is not a site.
pub(super) fn list_documents(
    source: &Source,
    collection: &str,
) -> Result<Vec<Candidate>, SearchError> {
    match source {
        Source::Path(path) => {
            let files = local_files(path)?.into_iter();
            let files =
                files.map(|(inside, file)| candidate(&inside, collection, Content::File(file)));
            Ok(files.collect())
        }
        Source::Bundled(documents) => Ok(markdown(documents.iter().copied(), collection)),
        Source::Documents(documents) => {
            let documents = documents.iter();
            let texts = documents.map(|(path, text)| (path.as_str(), text.as_str()));
            Ok(markdown(texts, collection))
        }
        Source::Upload(files) => files.iter().map(|file| sent(file, collection)).collect(),
        Source::Address(_) => Ok(Vec::new()),
    }
}

/// An uploaded file. Its path is a name in the collection, never a path on disk.
fn sent(file: &UploadedFile, collection: &str) -> Result<Candidate, SearchError> {
    const LONGEST: usize = 200;
    let path = file.path.as_str();
    let good = |part: &str| !part.is_empty() && !part.starts_with('.');
    let fits = path.len() <= LONGEST
        && path.split('/').all(good)
        && !path.chars().any(|c| c.is_control() || c == '\\');
    if !fits {
        return Err(SearchError::Invalid(format!(
            "{path:?} cannot be the name of a document; use a short path such as guides/printer.md"
        )));
    }
    let Some(format) = Format::of_name(path) else {
        return Err(SearchError::Invalid(format!("{path}: {READABLE}")));
    };
    let page = Page::of_file(file.bytes.clone(), format);
    Ok(candidate(path, collection, Content::Page(Ok(page))))
}

fn candidate(path: &str, collection: &str, content: Content) -> Candidate {
    let stem = Path::new(path).file_stem().unwrap_or_default();
    Candidate {
        url: super::file_address(collection, path),
        name: stem.to_string_lossy().into_owned(),
        folder: folder(path),
        content,
    }
}

/// The readable files of a folder, or the one file, each with its path inside the folder.
pub fn local_files(path: &Path) -> Result<Vec<(String, PathBuf)>, SearchError> {
    list(path).map_err(|problem| SearchError::Invalid(format!("{}: {problem}", path.display())))
}

fn list(path: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let root = path.canonicalize().map_err(|error| error.to_string())?;
    if root.is_file() {
        let name = file_name(&root);
        return match Format::of_name(&name) {
            Some(_) => Ok(vec![(name, root)]),
            None => Err(READABLE.to_owned()),
        };
    }
    let mut files = HashSet::new();
    walk(&root, &root, 0, &mut files)?;
    let mut files: Vec<PathBuf> = files.into_iter().collect();
    files.sort();
    let inside = |file: &Path| {
        let parts: Vec<String> = file
            .strip_prefix(&root)
            .unwrap_or(file)
            .components()
            .map(|part| part.as_os_str().to_string_lossy().into_owned())
            .collect();
        parts.join("/")
    };
    Ok(files
        .into_iter()
        .map(|file| (inside(&file), file))
        .collect())
}

/// Documents as pairs of path and Markdown.
fn markdown<'d>(
    documents: impl Iterator<Item = (&'d str, &'d str)>,
    collection: &str,
) -> Vec<Candidate> {
    documents
        .map(|(path, text)| {
            let page = Page::of_file(text.as_bytes().to_vec(), Format::Markdown);
            candidate(path, collection, Content::Page(Ok(page)))
        })
        .collect()
}

fn walk(
    root: &Path,
    folder: &Path,
    depth: usize,
    files: &mut HashSet<PathBuf>,
) -> Result<(), String> {
    if depth > DEEPEST || files.len() > MOST_FILES {
        return Ok(());
    }
    let entries = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    for entry in entries {
        let entry = entry.map_err(|error| error.to_string())?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || name == "node_modules" {
            continue;
        }
        let kind = entry.file_type().map_err(|error| error.to_string())?;
        // Only a link can lead out of the folder or to a file that is already known.
        let path = if kind.is_symlink() {
            match entry.path().canonicalize() {
                Ok(path) if path.starts_with(root) && path.is_file() => path,
                _ => continue,
            }
        } else {
            entry.path()
        };
        if kind.is_dir() {
            walk(root, &path, depth + 1, files)?;
        } else if Format::of_name(&name).is_some() {
            files.insert(path);
        }
    }
    Ok(())
}

/// Gives documents whose address belongs to another source an address with the name of their
/// folder. If that belongs to another source too, the document is reported as a clash.
pub(super) fn avoid_clashes(
    found: &mut [Candidate],
    root: &Path,
    collection: &str,
    foreign: &HashMap<String, DocumentVersion>,
) {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let top = match root.is_file() {
        true => root.parent().map(file_name).unwrap_or_default(),
        false => file_name(&root),
    };
    let bare = super::file_address(collection, "");
    for candidate in found {
        if !foreign.contains_key(&candidate.url) {
            continue;
        }
        let inside = candidate.url.strip_prefix(&bare).unwrap_or_default();
        let qualified = format!("{bare}{}/{inside}", escaped(&top));
        match foreign.get(&qualified) {
            Some(other) => candidate.content = Content::Clash(other.source.clone()),
            None => candidate.url = qualified,
        }
    }
}

/// The folder of a path; empty at the top.
fn folder(path: &str) -> String {
    path.rsplit_once('/')
        .map_or_else(String::new, |(folder, _)| folder.to_owned())
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// Percent-encodes a path for use in an address.
pub(super) fn escaped(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let mut address = String::with_capacity(path.len());
    for byte in path.bytes() {
        if plain(byte) {
            address.push(char::from(byte));
        } else {
            address.push_str(&format!("%{byte:02X}"));
        }
    }
    address
}

/// Reads a file within the size limit.
pub(super) async fn read(path: &Path) -> Result<Page, String> {
    let size = tokio::fs::metadata(path)
        .await
        .map_err(|error| error.to_string())?
        .len();
    if size > LARGEST_FILE {
        return Err(ExtractError::TooLarge(size.div_ceil(1024 * 1024)).to_string());
    }
    let bytes = tokio::fs::read(path)
        .await
        .map_err(|error| error.to_string())?;
    let format = Format::of_name(&file_name(path)).unwrap_or(Format::Text);
    Ok(Page::of_file(bytes, format))
}

//! Documents on the local disk. A symbolic link is followed only to a file inside the
//! folder.

use std::path::{Path, PathBuf};

use frontdesk_core::search::SearchError;

use super::{Candidate, Content, Page, Source, UploadedFile};
use crate::extract::{ExtractError, Format, LARGEST_FILE};

/// Limits on the depth of a walk and the number of files.
const DEEPEST: usize = 32;
const MOST_FILES: usize = 100_000;

const READABLE: &str = "only Markdown, HTML, PDF, DOCX and text files can be indexed";

/// Lists the documents of a source that is not a site.
pub(super) fn list_documents(
    source: &Source,
    collection: &str,
) -> Result<Vec<Candidate>, SearchError> {
    match source {
        Source::Path(path) => list(path, collection)
            .map_err(|problem| SearchError::Invalid(format!("{}: {problem}", path.display()))),
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
    let stem = Path::new(path).file_stem().unwrap_or_default();
    Ok(Candidate {
        url: super::file_address(collection, path),
        name: stem.to_string_lossy().into_owned(),
        content: Content::Page(Ok(Page {
            bytes: file.bytes.clone(),
            format,
            charset: None,
            etag: None,
        })),
    })
}

/// The readable files of a folder, or the one file.
fn list(path: &Path, collection: &str) -> Result<Vec<Candidate>, String> {
    let root = path.canonicalize().map_err(|error| error.to_string())?;
    if root.is_file() {
        let name = file_name(&root);
        return match Format::of_name(&name) {
            Some(_) => Ok(vec![on_disk(&root, &name, collection)]),
            None => Err(READABLE.to_owned()),
        };
    }
    let mut files = Vec::new();
    walk(&root, &root, 0, &mut files)?;
    files.sort();
    Ok(files
        .iter()
        .map(|file| {
            let inside = file.strip_prefix(&root).unwrap_or(file);
            let parts: Vec<String> = inside
                .components()
                .map(|part| part.as_os_str().to_string_lossy().into_owned())
                .collect();
            on_disk(file, &parts.join("/"), collection)
        })
        .collect())
}

/// Documents as pairs of path and Markdown.
fn markdown<'d>(
    documents: impl Iterator<Item = (&'d str, &'d str)>,
    collection: &str,
) -> Vec<Candidate> {
    documents
        .map(|(path, text)| Candidate {
            url: super::file_address(collection, path),
            name: path.to_owned(),
            content: Content::Page(Ok(Page {
                bytes: text.as_bytes().to_vec(),
                format: Format::Markdown,
                charset: None,
                etag: None,
            })),
        })
        .collect()
}

fn walk(root: &Path, folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), String> {
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
        let Ok(path) = entry.path().canonicalize() else {
            continue;
        };
        if !path.starts_with(root) {
            continue;
        }
        if path.is_dir() {
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            if !is_link {
                walk(root, &path, depth + 1, files)?;
            }
        } else if Format::of_name(&name).is_some() && !files.contains(&path) {
            files.push(path);
        }
    }
    Ok(())
}

fn on_disk(file: &Path, inside: &str, collection: &str) -> Candidate {
    Candidate {
        url: super::file_address(collection, inside),
        name: file
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
            .unwrap_or_default(),
        content: Content::File(file.to_owned()),
    }
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
    Ok(Page {
        bytes,
        format,
        charset: None,
        etag: None,
    })
}

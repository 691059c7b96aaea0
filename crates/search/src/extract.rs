//! Turns bytes into a document: a title and Markdown text. The format is detected from the
//! content first and the name second; an unreadable file is refused with the reason.

mod archive;
mod charset;
mod docx;
mod epub;
mod html;
mod office;
mod pdf;
mod xml;

use std::collections::BTreeMap;

use archive::Archive;

pub use html::Links;

/// In bytes. Larger files are refused before they are read into memory.
pub const LARGEST_FILE: u64 = 50 * 1024 * 1024;
/// In bytes. Limits unpacked and extracted text.
const LARGEST_TEXT: usize = 20 * 1024 * 1024;
/// In bytes. Markup makes the XML of a document longer than its text.
const LARGEST_XML: usize = 4 * LARGEST_TEXT;
/// In characters. Pages with less text are navigation, errors or empty.
pub const SHORTEST_PAGE: usize = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Markdown,
    Html,
    Pdf,
    /// Word, PowerPoint, Excel and EPUB files; the members tell which.
    Archive,
    Text,
}

/// The formats, for messages to people.
pub const READABLE: &str =
    "only Markdown, HTML, PDF, Word, PowerPoint, Excel, EPUB and text files can be indexed";

impl Format {
    /// Detects the format by file extension, for choosing files in a folder.
    pub fn of_name(name: &str) -> Option<Self> {
        let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
        match ending.as_str() {
            "md" | "markdown" | "mdx" => Some(Self::Markdown),
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "pdf" => Some(Self::Pdf),
            "docx" | "pptx" | "xlsx" | "epub" => Some(Self::Archive),
            "txt" | "text" | "rst" | "log" | "csv" | "tsv" => Some(Self::Text),
            _ => None,
        }
    }

    /// Detects the format by content type, for pages.
    pub fn of_media_type(media_type: &str) -> Option<Self> {
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        match essence.to_ascii_lowercase().as_str() {
            "text/html" | "application/xhtml+xml" => Some(Self::Html),
            "text/markdown" => Some(Self::Markdown),
            "application/pdf" => Some(Self::Pdf),
            "application/epub+zip" => Some(Self::Archive),
            "text/plain" | "text/csv" => Some(Self::Text),
            essence if essence.starts_with("application/vnd.openxmlformats-officedocument.") => {
                Some(Self::Archive)
            }
            _ => None,
        }
    }

    fn by_content(bytes: &[u8], claimed: Self) -> Self {
        if bytes.starts_with(b"%PDF-") {
            Self::Pdf
        } else if bytes.starts_with(b"PK\x03\x04") {
            Self::Archive
        } else {
            claimed
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Empty if the document has no title.
    pub title: String,
    /// Markdown.
    pub text: String,
    /// Link targets as written; filled for HTML only.
    pub links: Links,
    /// The byte offset of each page in `text`; filled for PDF only.
    pub pages: Vec<usize>,
    /// The front matter of a Markdown file, as written.
    pub metadata: BTreeMap<String, String>,
}

/// The reason a file or page cannot be indexed; shown to the person who supplied it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExtractError {
    #[error("the file has {0} MB; at most {max} MB are accepted", max = LARGEST_FILE / 1024 / 1024)]
    TooLarge(u64),
    #[error("the unpacked text would exceed {max} MB", max = LARGEST_TEXT / 1024 / 1024)]
    Bomb,
    #[error("the file has no text")]
    NoText,
    #[error("the PDF has no text; run text recognition on scanned pages first")]
    Scanned,
    #[error("reading the file takes too long")]
    TooSlow,
    #[error("the file is encrypted")]
    Encrypted,
    #[error("the file is binary data, not text")]
    Binary,
    #[error("the file is damaged: {0}")]
    Damaged(String),
}

/// Reads a document. `claimed` is the format that the name or the server claims.
pub fn document(
    bytes: &[u8],
    claimed: Format,
    charset: Option<&str>,
) -> Result<Document, ExtractError> {
    let size = bytes.len() as u64;
    if size > LARGEST_FILE {
        return Err(ExtractError::TooLarge(size.div_ceil(1024 * 1024)));
    }
    let format = Format::by_content(bytes, claimed);
    let document = match format {
        Format::Pdf => pdf::document(bytes)?,
        Format::Archive => packed(bytes)?,
        Format::Html => html::document(&charset::decode(bytes, charset, charset::Html)?)?,
        Format::Markdown => markdown(&charset::decode(bytes, charset, charset::Plain)?),
        Format::Text => text(&charset::decode(bytes, charset, charset::Plain)?),
    };
    if document.text.trim().is_empty() {
        return Err(match format {
            Format::Pdf => ExtractError::Scanned,
            Format::Markdown | Format::Html | Format::Archive | Format::Text => {
                ExtractError::NoText
            }
        });
    }
    if document.text.len() > LARGEST_TEXT {
        return Err(ExtractError::Bomb);
    }
    Ok(document)
}

/// An office document or a book; its members tell which.
fn packed(bytes: &[u8]) -> Result<Document, ExtractError> {
    let mut archive = Archive::open(bytes)?;
    let names = archive.names();
    let has = |name: &str| names.iter().any(|member| member == name);
    if has("word/document.xml") {
        docx::document(&mut archive)
    } else if has("ppt/presentation.xml") {
        office::slides(&mut archive)
    } else if has("xl/workbook.xml") {
        office::sheets(&mut archive)
    } else if has("META-INF/container.xml") {
        epub::document(&mut archive)
    } else {
        Err(ExtractError::Damaged(
            "it is not a Word, PowerPoint, Excel or EPUB file".to_owned(),
        ))
    }
}

/// Removes the front matter and keeps its values.
fn markdown(source: &str) -> Document {
    let source = source.replace("\r\n", "\n");
    let (front, text) = source
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
        .unwrap_or(("", &source));
    let mut metadata = front_matter(front);
    let heading = || {
        text.lines()
            .find_map(|line| line.strip_prefix("# "))
            .map(|heading| heading.trim().to_owned())
    };
    Document {
        title: metadata
            .remove("title")
            .or_else(heading)
            .unwrap_or_default(),
        text: text.to_owned(),
        metadata,
        ..Document::default()
    }
}

/// The plain `key: value` lines of a front matter. Lists and nested values are left out.
fn front_matter(front: &str) -> BTreeMap<String, String> {
    front
        .lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(key, value)| (key.trim(), value.trim().trim_matches(['"', '\''])))
        .filter(|(key, value)| is_metadata_key(key) && !value.is_empty())
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect()
}

/// Metadata keys appear in filters: short, of letters, digits, `-` and `_`.
pub fn is_metadata_key(key: &str) -> bool {
    (1..=40).contains(&key.len())
        && key
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

fn text(source: &str) -> Document {
    Document {
        text: source.replace("\r\n", "\n"),
        ..Document::default()
    }
}

#[cfg(test)]
#[path = "extract_tests.rs"]
mod extract_tests;

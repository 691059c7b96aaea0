//! Turns bytes into a document: a title and Markdown text. The format is detected from the
//! content first and the name second; an unreadable file is refused with the reason.

mod charset;
mod docx;
mod html;
mod pdf;
mod zip;

pub use html::Links;

/// In bytes. Larger files are refused before they are read into memory.
pub const LARGEST_FILE: u64 = 50 * 1024 * 1024;
/// In bytes. Limits unpacked and extracted text.
const LARGEST_TEXT: usize = 20 * 1024 * 1024;
/// In characters. Pages with less text are navigation, errors or empty.
pub const SHORTEST_PAGE: usize = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Markdown,
    Html,
    Pdf,
    Docx,
    Text,
}

impl Format {
    /// Detects the format by file extension, for choosing files in a folder.
    pub fn of_name(name: &str) -> Option<Self> {
        let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
        match ending.as_str() {
            "md" | "markdown" | "mdx" => Some(Self::Markdown),
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "pdf" => Some(Self::Pdf),
            "docx" => Some(Self::Docx),
            "txt" | "text" | "rst" | "log" => Some(Self::Text),
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
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => {
                Some(Self::Docx)
            }
            "text/plain" => Some(Self::Text),
            _ => None,
        }
    }

    fn by_content(bytes: &[u8], claimed: Self) -> Self {
        if bytes.starts_with(b"%PDF-") {
            Self::Pdf
        } else if bytes.starts_with(b"PK\x03\x04") {
            Self::Docx
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
}

/// The reason a file or page cannot be indexed; shown to the person who supplied it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExtractError {
    #[error("the file has {0} MB; at most {max} MB are accepted", max = LARGEST_FILE / 1024 / 1024)]
    TooLarge(u64),
    #[error("the unpacked text would exceed {max} MB", max = LARGEST_TEXT / 1024 / 1024)]
    Bomb,
    #[error("the file has no text; run text recognition on a scanned PDF first")]
    NoText,
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
    let document = match Format::by_content(bytes, claimed) {
        Format::Pdf => pdf::document(bytes)?,
        Format::Docx => docx::document(bytes)?,
        Format::Html => html::document(&charset::decode(bytes, charset, charset::Html)?),
        Format::Markdown => markdown(&charset::decode(bytes, charset, charset::Plain)?),
        Format::Text => text(&charset::decode(bytes, charset, charset::Plain)?),
    };
    if document.text.trim().is_empty() {
        return Err(ExtractError::NoText);
    }
    if document.text.len() > LARGEST_TEXT {
        return Err(ExtractError::Bomb);
    }
    Ok(document)
}

/// Drops the front matter after taking the title from it.
fn markdown(source: &str) -> Document {
    let (front, text) = match source
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
    {
        Some((front, text)) => (front, text),
        None => ("", source),
    };
    let named = front
        .lines()
        .find_map(|line| line.strip_prefix("title:"))
        .map(|title| title.trim().trim_matches(['"', '\'']).to_owned());
    let heading = || {
        text.lines()
            .find_map(|line| line.strip_prefix("# "))
            .map(|heading| heading.trim().to_owned())
    };
    Document {
        title: named.or_else(heading).unwrap_or_default(),
        text: text.replace("\r\n", "\n"),
        links: Links::default(),
    }
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

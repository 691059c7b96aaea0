//! Documents are stored unchanged. The checks confirm the declared structure and
//! completeness.

use std::io::Cursor;

use zip::ZipArchive;

use crate::upload::{Kind, UploadError};

const PDF: &[u8] = b"%PDF-";
/// In bytes. Readers search the end mark in the last kilobyte; writers may append a little.
const PDF_TAIL: usize = 2_048;

const ZIP_ENTRY: &[u8] = b"PK\x03\x04";
/// A document with a thousand pictures has little more.
const MAX_ENTRIES: usize = 4_096;
/// Maximum unpacked size of a document as declared in its directory, in bytes.
const MAX_UNPACKED: u64 = 256 * 1024 * 1024;

const WRONG_ZIP: UploadError = UploadError::Damaged("the document is truncated or malformed");

/// Detects the kind of document and checks it.
pub(crate) fn check(bytes: &[u8]) -> Result<Kind, UploadError> {
    if bytes.starts_with(PDF) {
        check_pdf(bytes)
    } else if bytes.starts_with(ZIP_ENTRY) {
        check_docx(bytes).map_err(|refused| match begins_as_docx(bytes) {
            true => refused,
            // Some other archive, which is not accepted.
            false => UploadError::Unsupported,
        })
    } else {
        check_text(bytes)
    }
}

fn check_pdf(bytes: &[u8]) -> Result<Kind, UploadError> {
    let tail = &bytes[bytes.len().saturating_sub(PDF_TAIL)..];
    match find(tail, b"%%EOF") {
        Some(_) => Ok(Kind::Pdf),
        None => Err(UploadError::Damaged("the PDF is truncated")),
    }
}

/// True if the first zip entry has a name that office programs write first.
fn begins_as_docx(bytes: &[u8]) -> bool {
    const FIRST: [&[u8]; 4] = [b"[Content_Types].xml", b"_rels/", b"word/", b"docProps/"];
    let name = bytes.get(30..).unwrap_or_default();
    FIRST.iter().any(|first| name.starts_with(first))
}

/// Accepts a zip file with the entries of a text document. Unpacks nothing.
fn check_docx(bytes: &[u8]) -> Result<Kind, UploadError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| WRONG_ZIP)?;
    if archive.len() > MAX_ENTRIES {
        return Err(UploadError::Damaged("the document has too many parts"));
    }
    let is_program = |name: &str| name.ends_with("vbaProject.bin") || name.ends_with(".exe");
    // Documents with embedded programs are refused, whatever their extension.
    if archive.file_names().any(is_program) {
        return Err(UploadError::Unsupported);
    }
    let has = |name| archive.index_for_name(name).is_some();
    let is_docx = has("[Content_Types].xml") && has("word/document.xml");
    let mut unpacked: u64 = 0;
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(|_| WRONG_ZIP)?;
        unpacked = unpacked.saturating_add(entry.size());
    }
    if unpacked > MAX_UNPACKED {
        return Err(UploadError::Damaged("the unpacked document is too large"));
    }
    match is_docx {
        true => Ok(Kind::Docx),
        false => Err(UploadError::Unsupported),
    }
}

/// UTF-8 text: HTML, which is only ever served as a download, or plain text.
fn check_text(bytes: &[u8]) -> Result<Kind, UploadError> {
    let text = std::str::from_utf8(bytes).map_err(|_| UploadError::Unsupported)?;
    let readable = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t' | '\u{c}');
    if !text.chars().all(readable) {
        return Err(UploadError::Unsupported);
    }
    let start: String = text
        .trim_start_matches('\u{feff}')
        .trim_start()
        .chars()
        .take(16)
        .collect::<String>()
        .to_ascii_lowercase();
    let begins = |marks: &[&str]| marks.iter().any(|mark| start.starts_with(mark));
    if begins(&["<!doctype html", "<html", "<head", "<body"]) {
        Ok(Kind::Html)
    } else if begins(&["<!doctype", "<svg", "<?xml", "<script", "<!--", "#!", "%!"]) {
        // Scripts, and drawings that could contain one.
        Err(UploadError::Unsupported)
    } else {
        Ok(Kind::Text)
    }
}

fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes
        .windows(needle.len())
        .position(|window| window == needle)
}

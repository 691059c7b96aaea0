//! Documents are stored unchanged. The checks confirm the declared structure and
//! completeness.

use crate::upload::{Kind, UploadError};

const PDF: &[u8] = b"%PDF-";
/// In bytes. Readers search the end mark in the last kilobyte; writers may append a little.
const PDF_TAIL: usize = 2_048;

const ZIP_ENTRY: &[u8] = b"PK\x03\x04";
const ZIP_DIRECTORY_ENTRY: &[u8] = b"PK\x01\x02";
const ZIP_END: &[u8] = b"PK\x05\x06";
const ZIP_END_BYTES: usize = 22;
/// Maximum length of a zip file's comment, in bytes.
const ZIP_LONGEST_COMMENT: usize = 65_535;
/// A document with a thousand pictures has little more.
const MAX_ENTRIES: usize = 4_096;
/// Maximum unpacked size of a document as declared in its directory, in bytes.
const MAX_UNPACKED: u64 = 256 * 1024 * 1024;

const WRONG_ZIP: UploadError = UploadError::Damaged("its directory is malformed");

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
    let from = bytes
        .len()
        .saturating_sub(ZIP_END_BYTES + ZIP_LONGEST_COMMENT);
    let end = bytes[from..]
        .windows(ZIP_END.len())
        .rposition(|window| window == ZIP_END)
        .and_then(|at| bytes.get(from + at..from + at + ZIP_END_BYTES))
        .ok_or(UploadError::Damaged("the document is truncated"))?;
    let entries = usize::from(small(end, 10)?);
    let mut at = large(end, 16)? as usize;
    if entries > MAX_ENTRIES {
        return Err(UploadError::Damaged("the document has too many parts"));
    }
    let (mut unfolded, mut types, mut text) = (0, false, false);
    for _ in 0..entries {
        let entry = bytes
            .get(at..)
            .filter(|rest| rest.starts_with(ZIP_DIRECTORY_ENTRY))
            .ok_or(WRONG_ZIP)?;
        unfolded += u64::from(large(entry, 24)?);
        let name_length = usize::from(small(entry, 28)?);
        let more = usize::from(small(entry, 30)?) + usize::from(small(entry, 32)?);
        let name = entry.get(46..46 + name_length).ok_or(WRONG_ZIP)?;
        types |= name == b"[Content_Types].xml";
        text |= name == b"word/document.xml";
        // Documents with embedded programs are refused, whatever their extension.
        if name.ends_with(b"vbaProject.bin") || name.ends_with(b".exe") {
            return Err(UploadError::Unsupported);
        }
        at += 46 + name_length + more;
    }
    if unfolded > MAX_UNPACKED {
        return Err(UploadError::Damaged("the unpacked document is too large"));
    }
    match types && text {
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

fn small(bytes: &[u8], at: usize) -> Result<u16, UploadError> {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk::<2>());
    found.map(|two| u16::from_le_bytes(*two)).ok_or(WRONG_ZIP)
}

fn large(bytes: &[u8], at: usize) -> Result<u32, UploadError> {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>());
    found.map(|four| u32::from_le_bytes(*four)).ok_or(WRONG_ZIP)
}

fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes
        .windows(needle.len())
        .position(|window| window == needle)
}

//! Documents are kept as they are. What is checked is that they are what they look like and that they are whole.

use crate::upload::{Kind, Refused};

const PDF: &[u8] = b"%PDF-";
/// Readers look for the end mark of a PDF in its last kilobyte; writers leave a little behind it.
const PDF_TAIL: usize = 2_048;

const ZIP_ENTRY: &[u8] = b"PK\x03\x04";
const ZIP_LISTED: &[u8] = b"PK\x01\x02";
const ZIP_END: &[u8] = b"PK\x05\x06";
const ZIP_END_BYTES: usize = 22;
/// A zip file may end in a comment of this length.
const ZIP_LONGEST_COMMENT: usize = 65_535;
/// A document with a thousand pictures has little more.
const MAX_ENTRIES: usize = 4_096;
/// What a document may unfold to, by its own account.
const MAX_UNFOLDED: u64 = 256 * 1024 * 1024;

const WRONG_ZIP: Refused = Refused::Damaged("its list of parts is wrong");

/// Which document this is.
pub(crate) fn check(bytes: &[u8]) -> Result<Kind, Refused> {
    if bytes.starts_with(PDF) {
        check_pdf(bytes)
    } else if bytes.starts_with(ZIP_ENTRY) {
        check_docx(bytes).map_err(|refused| match begins_as_docx(bytes) {
            true => refused,
            // Some other archive: whole or not, it is none that we take.
            false => Refused::NotTaken,
        })
    } else {
        check_text(bytes)
    }
}

fn check_pdf(bytes: &[u8]) -> Result<Kind, Refused> {
    let tail = &bytes[bytes.len().saturating_sub(PDF_TAIL)..];
    match find(tail, b"%%EOF") {
        Some(_) => Ok(Kind::Pdf),
        None => Err(Refused::Damaged("the PDF has no end")),
    }
}

/// Whether the first part of a zip file has a name that office programs begin with.
fn begins_as_docx(bytes: &[u8]) -> bool {
    const FIRST: [&[u8]; 4] = [b"[Content_Types].xml", b"_rels/", b"word/", b"docProps/"];
    let name = bytes.get(30..).unwrap_or_default();
    FIRST.iter().any(|first| name.starts_with(first))
}

/// A zip file whose parts are a text document's. Nothing is unpacked.
fn check_docx(bytes: &[u8]) -> Result<Kind, Refused> {
    let from = bytes
        .len()
        .saturating_sub(ZIP_END_BYTES + ZIP_LONGEST_COMMENT);
    let end = bytes[from..]
        .windows(ZIP_END.len())
        .rposition(|window| window == ZIP_END)
        .and_then(|at| bytes.get(from + at..from + at + ZIP_END_BYTES))
        .ok_or(Refused::Damaged("the document has no end"))?;
    let entries = usize::from(small(end, 10)?);
    let mut at = large(end, 16)? as usize;
    if entries > MAX_ENTRIES {
        return Err(Refused::Damaged("the document has too many parts"));
    }
    let (mut unfolded, mut types, mut text) = (0, false, false);
    for _ in 0..entries {
        let entry = bytes
            .get(at..)
            .filter(|rest| rest.starts_with(ZIP_LISTED))
            .ok_or(WRONG_ZIP)?;
        unfolded += u64::from(large(entry, 24)?);
        let name_length = usize::from(small(entry, 28)?);
        let more = usize::from(small(entry, 30)?) + usize::from(small(entry, 32)?);
        let name = entry.get(46..46 + name_length).ok_or(WRONG_ZIP)?;
        types |= name == b"[Content_Types].xml";
        text |= name == b"word/document.xml";
        // A document that carries programs is none that we take, whatever its ending.
        if name.ends_with(b"vbaProject.bin") || name.ends_with(b".exe") {
            return Err(Refused::NotTaken);
        }
        at += 46 + name_length + more;
    }
    if unfolded > MAX_UNFOLDED {
        return Err(Refused::Damaged("the document unfolds to too much"));
    }
    match types && text {
        true => Ok(Kind::Docx),
        false => Err(Refused::NotTaken),
    }
}

/// UTF-8 that people can read: a page, which is only ever served as a download, or plain text.
fn check_text(bytes: &[u8]) -> Result<Kind, Refused> {
    let text = std::str::from_utf8(bytes).map_err(|_| Refused::NotTaken)?;
    let readable = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t' | '\u{c}');
    if !text.chars().all(readable) {
        return Err(Refused::NotTaken);
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
        // Programs and drawings that could carry one.
        Err(Refused::NotTaken)
    } else {
        Ok(Kind::Text)
    }
}

fn small(bytes: &[u8], at: usize) -> Result<u16, Refused> {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk::<2>());
    found.map(|two| u16::from_le_bytes(*two)).ok_or(WRONG_ZIP)
}

fn large(bytes: &[u8], at: usize) -> Result<u32, Refused> {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>());
    found.map(|four| u32::from_le_bytes(*four)).ok_or(WRONG_ZIP)
}

fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes
        .windows(needle.len())
        .position(|window| window == needle)
}

//! Every supported kind, detected by content; foreign, truncated and oversized files get
//! the right error.

use proptest::prelude::*;

use super::{Kind, UploadError, accept};
use crate::picture::Format;

const LIMIT: usize = 1_000_000;
const JPEG: &[u8] = include_bytes!("../fixtures/gps.jpg");
const PDF: &[u8] = b"%PDF-1.7\n1 0 obj << >> endobj\ntrailer << >>\n%%EOF\n";

/// A zip file with empty entries of these names.
fn zip(names: &[&str]) -> Vec<u8> {
    let (mut parts, mut list) = (Vec::new(), Vec::new());
    for name in names {
        let at = parts.len() as u32;
        let length = (name.len() as u16).to_le_bytes();
        parts.extend_from_slice(b"PK\x03\x04");
        parts.extend_from_slice(&[0; 22]);
        parts.extend_from_slice(&length);
        parts.extend_from_slice(&[0, 0]);
        parts.extend_from_slice(name.as_bytes());
        list.extend_from_slice(b"PK\x01\x02");
        list.extend_from_slice(&[0; 24]);
        list.extend_from_slice(&length);
        list.extend_from_slice(&[0; 12]);
        list.extend_from_slice(&at.to_le_bytes());
        list.extend_from_slice(name.as_bytes());
    }
    let (count, size, at) = (names.len() as u16, list.len() as u32, parts.len() as u32);
    parts.extend_from_slice(&list);
    parts.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    parts.extend_from_slice(&count.to_le_bytes());
    parts.extend_from_slice(&count.to_le_bytes());
    parts.extend_from_slice(&size.to_le_bytes());
    parts.extend_from_slice(&at.to_le_bytes());
    parts.extend_from_slice(&[0, 0]);
    parts
}

fn docx() -> Vec<u8> {
    zip(&["[Content_Types].xml", "_rels/.rels", "word/document.xml"])
}

fn kind(bytes: &[u8]) -> Result<Kind, UploadError> {
    accept(bytes.to_vec(), LIMIT).map(|upload| upload.kind)
}

#[test]
fn files_are_detected_by_content() {
    assert_eq!(kind(JPEG), Ok(Kind::Picture(Format::Jpeg)));
    assert_eq!(kind(PDF), Ok(Kind::Pdf));
    assert_eq!(kind(&docx()), Ok(Kind::Docx));
    assert_eq!(kind("Grüße, 世界 🎉\n\ttab".as_bytes()), Ok(Kind::Text));
    assert_eq!(kind("\u{feff}a,b\r\n1,2".as_bytes()), Ok(Kind::Text));
}

#[test]
fn documents_are_kept_unchanged_and_pictures_re_encoded() {
    for bytes in [PDF.to_vec(), docx(), b"plain".to_vec()] {
        assert_eq!(accept(bytes.clone(), LIMIT).unwrap().bytes, bytes);
    }
    let picture = accept(JPEG.to_vec(), LIMIT).unwrap().bytes;
    assert!(!picture.windows(9).any(|window| window == b"SECRETCAM"));
}

#[test]
fn other_kinds_are_unsupported() {
    let macros = zip(&[
        "[Content_Types].xml",
        "word/document.xml",
        "word/vbaProject.bin",
    ]);
    let sheet = zip(&["[Content_Types].xml", "xl/workbook.xml"]);
    let foreign: [&[u8]; 16] = [
        b"MZ\x90\x00\x03\x00\x00\x00this program cannot be run in DOS mode",
        b"\x7fELF\x02\x01\x01",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"<!DOCTYPE svg><svg/>",
        b"<?xml version='1.0'?><svg/>",
        b"<script>alert(1)</script>",
        b"#!/bin/sh\nrm -rf /",
        b"%!PS-Adobe-3.0",
        b"RIFF\x10\x00\x00\x00WEBPVP8 ",
        b"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1miaf",
        b"GIF89a\x01\x00\x01\x00",
        b"II*\x00\x08\x00\x00\x00",
        b"BM\x46\x00\x00\x00",
        b"caf\xe9 in Latin-1",
        &macros,
        &sheet,
    ];
    for bytes in foreign {
        assert_eq!(kind(bytes), Err(UploadError::Unsupported), "{bytes:?}");
    }
}

#[test]
fn a_page_is_a_document() {
    for page in [
        "<!DOCTYPE html><p>Hi</p>",
        " \n<html><body>Hi</body></html>",
    ] {
        assert_eq!(kind(page.as_bytes()), Ok(Kind::Html), "{page}");
    }
}

#[test]
fn incomplete_files_are_damaged() {
    let whole = docx();
    for bytes in [&PDF[..20], &whole[..whole.len() - 30]] {
        assert!(
            matches!(kind(bytes), Err(UploadError::Damaged(_))),
            "{bytes:?}"
        );
    }
    // An archive that does not begin like a document is not one, complete or not.
    assert_eq!(kind(b"PK\x03\x04zip"), Err(UploadError::Unsupported));
    assert_eq!(kind(b""), Err(UploadError::Empty));
}

#[test]
fn the_size_limit_is_exact() {
    let text = |length: usize| "x".repeat(length).into_bytes();
    assert!(accept(text(99), 100).is_ok());
    assert!(accept(text(100), 100).is_ok());
    assert_eq!(
        accept(text(101), 100),
        Err(UploadError::TooLarge { limit: 100 })
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// A hostile document is refused or kept; it never panics.
    #[test]
    fn flipped_bits_in_documents_never_cause_a_panic(
        which in 0..2usize,
        flips in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = [PDF.to_vec(), docx()][which].clone();
        for (at, value) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= value;
        }
        let _ = accept(bytes, LIMIT);
    }
}

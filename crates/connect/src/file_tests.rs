//! Kinds of files and size limits.

use super::*;

const PHOTOS: [MediaKind; 3] = [MediaKind::Jpeg, MediaKind::Png, MediaKind::Heic];

fn rules(max_bytes: u64) -> Parameter {
    Parameter {
        accept: PHOTOS.to_vec(),
        max_bytes: Some(max_bytes),
        ..Parameter::default()
    }
}

fn admit(rules: Parameter, bytes: &[u8]) -> Result<Option<MediaKind>, BadFile> {
    rules.admit(bytes, bytes.len() as u64)
}

fn check(bytes: &'static [u8], expected: Result<MediaKind, BadFile>) {
    assert_eq!(admit(rules(64), bytes), expected.map(Some), "{bytes:?}");
}

// design: 003 unit files formats
#[test]
fn a_photo_is_recognised_by_its_content() {
    check(b"\xFF\xD8\xFF\xE1 Exif", Ok(MediaKind::Jpeg));
    check(b"\x89PNG\r\n\x1a\n...", Ok(MediaKind::Png));
    check(
        b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic",
        Ok(MediaKind::Heic),
    );
    check(b"", Err(BadFile::Empty));
    check(b"MZ\x90\x00 renamed to .jpg", Err(BadFile::WrongKind));
    check(
        b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        Err(BadFile::WrongKind),
    );
    check(
        b"\x00\x00\x00\x18ftypavif\x00\x00\x00\x00mif1avif",
        Err(BadFile::WrongKind),
    );
    check(b"\x00\x00\x00\x00ftyp", Err(BadFile::WrongKind));
    check(b"\x00\x00\xFF\xFFftypheic", Err(BadFile::WrongKind));
}

// design: 003 unit files sizes
#[test]
fn a_photo_may_be_as_large_as_the_limit_and_no_larger() {
    let photo = |bytes: usize| {
        let mut photo = b"\xFF\xD8\xFF".to_vec();
        photo.resize(bytes, 0);
        photo
    };
    let limit = 5_242_880;
    assert!(admit(rules(limit as u64), &photo(limit - 1)).is_ok());
    assert!(admit(rules(limit as u64), &photo(limit)).is_ok());
    assert_eq!(
        admit(rules(limit as u64), &photo(limit + 1)),
        Err(BadFile::TooLarge)
    );
}

#[test]
fn a_site_may_accept_fewer_formats() {
    let only_png = Parameter {
        accept: vec![MediaKind::Png],
        ..rules(64)
    };
    assert_eq!(
        admit(only_png.clone(), b"\xFF\xD8\xFF\xE0"),
        Err(BadFile::WrongKind)
    );
    assert_eq!(only_png.kinds_in_words(), "PNG");
    assert_eq!(rules(1).kinds_in_words(), "JPEG, PNG or HEIC");
    assert_eq!(rules(5_242_880).limit_in_words(), "5 MB (5242880 bytes)");
    assert_eq!(rules(1000).limit_in_words(), "1000 bytes");
}

/// Pictures are re-encoded when they are uploaded: the limit applies to what the person sent.
#[test]
fn the_limit_applies_to_what_was_sent() {
    let small = b"\xFF\xD8\xFF\xE0 re-encoded";
    assert_eq!(rules(64).admit(small, 65), Err(BadFile::TooLarge));
    assert!(rules(64).admit(small, 64).is_ok());
    let mut grown = small.to_vec();
    grown.resize(100, 0);
    assert!(rules(64).admit(&grown, 64).is_ok());
}

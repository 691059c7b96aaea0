//! Photo formats and size limits.

use super::*;

fn rules(max_bytes: u64) -> PhotoRules {
    PhotoRules {
        max_bytes,
        formats: vec![Format::Jpeg, Format::Png, Format::Heic],
    }
}

fn check(bytes: &'static [u8], expected: Result<Format, Unfit>) {
    let admitted = rules(64).admit(Bytes::from_static(bytes));
    assert_eq!(admitted.map(|photo| photo.format), expected, "{bytes:?}");
}

// design: 003 unit files formats
#[test]
fn a_photo_is_recognised_by_its_content() {
    check(b"\xFF\xD8\xFF\xE1 Exif", Ok(Format::Jpeg));
    check(b"\x89PNG\r\n\x1a\n...", Ok(Format::Png));
    check(
        b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic",
        Ok(Format::Heic),
    );
    check(b"", Err(Unfit::Empty));
    check(b"MZ\x90\x00 renamed to .jpg", Err(Unfit::WrongFormat));
    check(
        b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        Err(Unfit::WrongFormat),
    );
    check(
        b"\x00\x00\x00\x18ftypavif\x00\x00\x00\x00mif1avif",
        Err(Unfit::WrongFormat),
    );
    check(b"\x00\x00\x00\x00ftyp", Err(Unfit::WrongFormat));
    check(b"\x00\x00\xFF\xFFftypheic", Err(Unfit::WrongFormat));
}

// design: 003 unit files sizes
#[test]
fn a_photo_may_be_as_large_as_the_limit_and_no_larger() {
    let photo = |bytes: usize| {
        let mut photo = b"\xFF\xD8\xFF".to_vec();
        photo.resize(bytes, 0);
        Bytes::from(photo)
    };
    let limit = 5_242_880;
    assert!(rules(limit as u64).admit(photo(limit - 1)).is_ok());
    assert!(rules(limit as u64).admit(photo(limit)).is_ok());
    assert_eq!(
        rules(limit as u64).admit(photo(limit + 1)),
        Err(Unfit::TooLarge)
    );
}

#[test]
fn a_site_may_accept_fewer_formats() {
    let only_png = PhotoRules {
        max_bytes: 64,
        formats: vec![Format::Png],
    };
    assert_eq!(
        only_png.admit(Bytes::from_static(b"\xFF\xD8\xFF\xE0")),
        Err(Unfit::WrongFormat)
    );
    assert_eq!(only_png.formats_in_words(), "PNG");
    assert_eq!(rules(1).formats_in_words(), "JPEG, PNG or HEIC");
    assert_eq!(rules(5_242_880).limit_in_words(), "5 MB (5242880 bytes)");
    assert_eq!(rules(1000).limit_in_words(), "1000 bytes");
}

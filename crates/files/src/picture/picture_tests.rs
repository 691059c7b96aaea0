//! Photos from cameras and from attackers: only the picture is kept, upright and within its
//! limits.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use proptest::prelude::*;

use super::{Format, Picture, accept_picture as accept};
use crate::UploadError;

const LIMIT: usize = 5_242_880;
const GPS_JPEG: &[u8] = include_bytes!("../../fixtures/gps.jpg");
const GPS_PNG: &[u8] = include_bytes!("../../fixtures/gps.png");
const GPS_HEIC: &[u8] = include_bytes!("../../fixtures/gps.heic");
const PROGRESSIVE: &[u8] = include_bytes!("../../fixtures/prog.jpg");
const PLAIN_PNG: &[u8] = include_bytes!("../../fixtures/plain.png");
const CMYK: &[u8] = include_bytes!("../../fixtures/cmyk.jpg");
const GREY: &[u8] = include_bytes!("../../fixtures/grey.jpg");

fn accepted(bytes: &[u8]) -> Picture {
    accept(bytes.to_vec(), LIMIT).unwrap()
}

fn refused(bytes: &[u8]) -> UploadError {
    accept(bytes.to_vec(), LIMIT).unwrap_err()
}

fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

fn size(photo: &Picture) -> (u32, u32) {
    let picture = image::load_from_memory(&photo.bytes).unwrap();
    (picture.width(), picture.height())
}

fn encoded(picture: DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    picture.write_to(&mut out, format).unwrap();
    out.into_inner()
}

/// A PNG that claims `width` × `height` pixels and has almost no data.
fn png_claiming(width: u32, height: u32) -> Vec<u8> {
    let mut png = PLAIN_PNG.to_vec();
    png[16..20].copy_from_slice(&width.to_be_bytes());
    png[20..24].copy_from_slice(&height.to_be_bytes());
    png
}

#[test]
fn photos_are_detected_by_content() {
    let kinds = [
        (GPS_JPEG, Format::Jpeg),
        (PROGRESSIVE, Format::Jpeg),
        (CMYK, Format::Jpeg),
        (GREY, Format::Jpeg),
        (GPS_PNG, Format::Png),
        (PLAIN_PNG, Format::Png),
        (GPS_HEIC, Format::Heic),
    ];
    for (bytes, format) in kinds {
        assert_eq!(accepted(bytes).format, format);
    }
}

// design: 003 unit files formats
#[test]
fn other_files_are_refused_by_content() {
    let foreign: [&[u8]; 12] = [
        b"MZ\x90\x00\x03\x00\x00\x00this program cannot be run in DOS mode",
        b"PK\x03\x04zip",
        b"%PDF-1.7",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"<!doctype html><script>alert(1)</script>",
        b"RIFF\x10\x00\x00\x00WEBPVP8 ",
        b"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1miaf",
        b"GIF89a\x01\x00\x01\x00",
        b"II*\x00\x08\x00\x00\x00",
        b"BM\x46\x00\x00\x00",
        b"\x7fELF\x02\x01\x01",
        b"\xff\xd8",
    ];
    for bytes in foreign {
        assert_eq!(refused(bytes), UploadError::Unsupported, "{bytes:?}");
    }
    assert_eq!(refused(b""), UploadError::Empty);
}

#[test]
fn the_size_limit_is_exact() {
    let mut photo = GPS_JPEG.to_vec();
    let limit = photo.len() + 10;
    photo.resize(limit, 0);
    assert!(accept(photo.clone(), limit).is_ok());
    photo.push(0);
    assert_eq!(accept(photo, limit), Err(UploadError::TooLarge { limit }));
}

// design: promises P12 content, E3
#[test]
fn nothing_but_the_picture_is_kept() {
    for bytes in [GPS_JPEG, GPS_PNG, GPS_HEIC] {
        assert!(contains(bytes, b"SECRETCAM"), "the fixture has its control");
        let kept = accepted(bytes);
        assert!(!contains(&kept.bytes, b"SECRETCAM"), "{:?}", kept.format);
        assert!(!contains(&kept.bytes, b"Exif\0\0MM") && !contains(&kept.bytes, b"eXIf"));
    }
}

#[test]
fn the_picture_is_turned_upright() {
    assert_eq!(
        size(&accepted(GPS_JPEG)),
        (64, 96),
        "orientation 6 swaps the sides of 96 × 64"
    );
    assert_eq!(size(&accepted(GPS_PNG)), (64, 96));
    assert_eq!(size(&accepted(PLAIN_PNG)), (96, 64));
}

#[test]
fn a_large_photo_is_scaled_down() {
    let wide = RgbImage::from_fn(3_000, 30, |x, _| Rgb([(x / 12) as u8, 90, 30]));
    for format in [ImageFormat::Jpeg, ImageFormat::Png] {
        let photo = accepted(&encoded(wide.clone().into(), format));
        assert_eq!(size(&photo).0, 1_920);
    }
}

#[test]
fn a_tail_after_the_picture_is_dropped() {
    for bytes in [GPS_JPEG, PLAIN_PNG] {
        let polyglot = [bytes, b"<html><script>alert(1)</script>PK\x03\x04"].concat();
        let kept = accepted(&polyglot);
        assert!(!contains(&kept.bytes, b"<script>") && !contains(&kept.bytes, b"PK\x03\x04"));
    }
}

// design: promises E4
#[test]
fn oversized_pictures_are_refused_before_decoding() {
    let too_big = |width, height| UploadError::TooManyPixels { width, height };
    assert_eq!(
        refused(&png_claiming(50_000, 50_000)),
        too_big(50_000, 50_000)
    );
    assert_eq!(refused(&png_claiming(12_001, 1)), too_big(12_001, 1));
    assert_eq!(refused(&png_claiming(0, 10)), too_big(0, 10));
    assert_eq!(
        refused(&png_claiming(10_000, 4_001)),
        too_big(10_000, 4_001)
    );
    assert_eq!(
        refused(&png_claiming(u32::MAX, u32::MAX)),
        too_big(u32::MAX, u32::MAX)
    );
    let mut jpeg = GPS_JPEG.to_vec();
    let frame = jpeg
        .windows(2)
        .position(|pair| pair == [0xFF, 0xC0])
        .unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0xC3, 0x50, 0xC3, 0x50]);
    assert_eq!(refused(&jpeg), too_big(50_000, 50_000));
}

#[test]
fn a_picture_that_would_need_too_much_memory_is_refused() {
    // Nine million pixels: 27 MB as a picture, and as much again for a progressive file's
    // coefficients.
    let mut jpeg = PROGRESSIVE.to_vec();
    let frame = jpeg
        .windows(2)
        .position(|pair| pair == [0xFF, 0xC2])
        .unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0x09, 0xC4, 0x0E, 0x10]);
    assert_eq!(refused(&jpeg), UploadError::TooMuchMemory);
}

// design: promises E4
#[test]
fn five_thousand_scans_are_refused_before_decoding() {
    let scan = PROGRESSIVE
        .windows(2)
        .position(|pair| pair == [0xFF, 0xDA])
        .unwrap();
    let next = scan
        + 2
        + PROGRESSIVE[scan + 2..]
            .windows(2)
            .position(|pair| pair[0] == 0xFF && pair[1] != 0 && !(0xD0..=0xD7).contains(&pair[1]))
            .unwrap();
    let mut jpeg = PROGRESSIVE[..next].to_vec();
    for _ in 0..5_000 {
        jpeg.extend_from_slice(&PROGRESSIVE[scan..next]);
    }
    jpeg.extend_from_slice(&[0xFF, 0xD9]);
    assert_eq!(
        refused(&jpeg),
        UploadError::Damaged("the JPEG has too many scans")
    );
}

#[test]
fn a_truncated_photo_is_refused_wherever_it_ends() {
    for bytes in [GPS_JPEG, PROGRESSIVE, GPS_PNG, GPS_HEIC] {
        for end in (12..bytes.len() - 1).step_by(7) {
            assert!(
                accept(bytes[..end].to_vec(), LIMIT).is_err(),
                "cut at {end}"
            );
        }
        let most = refused(&bytes[..bytes.len() * 9 / 10]);
        assert!(matches!(most, UploadError::Damaged(_)), "{most:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// A hostile file is refused or becomes a harmless photo; it never panics.
    // design: promises P12 content
    #[test]
    fn flipped_bits_never_cause_a_panic(
        which in 0..6usize,
        flips in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let source = [GPS_JPEG, PROGRESSIVE, GPS_PNG, PLAIN_PNG, GPS_HEIC, CMYK][which];
        let mut bytes = source.to_vec();
        for (at, value) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= value;
        }
        if let Ok(photo) = accept(bytes, LIMIT) {
            prop_assert!(photo.format == Format::Heic || image::load_from_memory(&photo.bytes).is_ok());
        }
    }

    #[test]
    fn random_bytes_behind_a_signature_never_cause_a_panic(which in 0..3usize, tail in proptest::collection::vec(any::<u8>(), 0..400)) {
        let head: &[u8] = [&GPS_JPEG[..4], &PLAIN_PNG[..8], &GPS_HEIC[..28]][which];
        let _ = accept([head, &tail].concat(), LIMIT);
    }
}

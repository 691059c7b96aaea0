//! HEIC is never decoded: everything but the picture is zeroed, and inconsistent boxes are
//! refused.

use super::accept_picture as accept;
use crate::UploadError;

const LIMIT: usize = 5_242_880;
const CAMERA: &[u8] = include_bytes!("../../fixtures/gps.heic");

fn find(bytes: &[u8], needle: &[u8]) -> usize {
    bytes
        .windows(needle.len())
        .position(|window| window == needle)
        .unwrap()
}

fn check(bytes: Vec<u8>, expected: UploadError) {
    assert_eq!(accept(bytes, LIMIT), Err(expected));
}

fn boxed(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let size = (body.len() as u32 + 8).to_be_bytes();
    [&size[..], kind, body].concat()
}

const WRONG: UploadError = UploadError::Damaged("its HEIC boxes are malformed");

#[test]
fn the_picture_stays_byte_for_byte_and_the_exif_item_is_zeros() {
    let kept = accept(CAMERA.to_vec(), LIMIT).unwrap().bytes;
    // By the file's own location table: picture at 420, 1084 bytes; Exif at 1504, 162
    // bytes.
    assert_eq!(kept.len(), CAMERA.len());
    assert_eq!(kept[..1504], CAMERA[..1504]);
    assert!(kept[1504..1666].iter().all(|byte| *byte == 0));
    assert_eq!(
        accept(kept.clone(), LIMIT).unwrap().bytes,
        kept,
        "taking it again changes nothing"
    );
}

#[test]
fn foreign_boxes_and_unreferenced_bytes_are_zeroed() {
    let secret = b"24.8600N 67.0100E";
    for kind in [b"free", b"uuid", b"mpvd", b"mdat"] {
        let file = [CAMERA, &boxed(kind, secret)].concat();
        let kept = accept(file, LIMIT).unwrap().bytes;
        assert!(
            !kept.windows(secret.len()).any(|window| window == secret),
            "{kind:?}"
        );
    }
}

// design: promises E4
#[test]
fn sequences_and_overlays_are_refused() {
    // Sequence tables and overlays of mixed depth have broken decoders; neither is a gate
    // photo.
    let sequence = [CAMERA, &boxed(b"moov", &[0; 64])].concat();
    check(
        sequence,
        UploadError::Damaged("it is a HEIC sequence, not a still picture"),
    );
    let mut overlay = CAMERA.to_vec();
    let item = find(&overlay, b"Exif");
    overlay[item..item + 4].copy_from_slice(b"iovl");
    check(
        overlay,
        UploadError::Damaged("it is a HEIC overlay, not a camera picture"),
    );
}

#[test]
fn another_codec_in_the_same_container_is_refused() {
    let mut av1 = CAMERA.to_vec();
    let item = find(&av1, b"hvc1");
    av1[item..item + 4].copy_from_slice(b"av01");
    check(av1, UploadError::Unsupported);
}

// design: promises E4
#[test]
fn boxes_and_extents_that_leave_the_file_are_refused() {
    let mut long_box = CAMERA.to_vec();
    long_box[28..32].copy_from_slice(&0xFFFF_0000u32.to_be_bytes());
    check(long_box, WRONG);
    let mut short_box = CAMERA.to_vec();
    short_box[28..32].copy_from_slice(&3u32.to_be_bytes());
    check(short_box, WRONG);
    let iloc = find(CAMERA, b"iloc");
    // Byte 4 of the box holds the sizes of its numbers, 8 the first item.
    for (offset, value) in [(8, 0x55u8), (20, 0xFF), (24, 0xFF)] {
        let mut far = CAMERA.to_vec();
        far[iloc + offset] = value;
        check(far, WRONG);
    }
    check([CAMERA, b"tail"].concat(), WRONG);
}

#[test]
fn stated_dimensions_are_checked_though_nothing_is_decoded() {
    let mut wide = CAMERA.to_vec();
    let ispe = find(&wide, b"ispe");
    wide[ispe + 8..ispe + 12].copy_from_slice(&50_000u32.to_be_bytes());
    check(
        wide,
        UploadError::TooManyPixels {
            width: 50_000,
            height: 64,
        },
    );
}

//! A QR reader decodes the picture to the address of the pass.

use crate::pass::PassNumber;
use crate::qr::{Qr, target};

fn read_back(png: &[u8]) -> String {
    let picture = image::load_from_memory(png).unwrap().into_luma8();
    let mut prepared = rqrr::PreparedImage::prepare(picture);
    let codes = prepared.detect_grids();
    assert_eq!(codes.len(), 1);
    codes[0].decode().unwrap().1
}

#[test]
fn a_reader_decodes_the_picture_to_the_page_of_the_pass() {
    for (base, sequence) in [
        ("http://127.0.0.1:8080", 1),
        ("https://desk.example.com/", 9_999),
        (
            "https://a-rather-long-host-name.of-a-department.example.com/site/karachi",
            999_999,
        ),
    ] {
        let number = PassNumber::of(2026, sequence).unwrap();
        let link = target(base, &number);
        assert_eq!(
            link,
            format!("{}/gatepass?gid={number}", base.trim_end_matches('/'))
        );
        assert_eq!(read_back(&Qr::of(&link).unwrap().png().unwrap()), link);
    }
}

//! The printed pass is always one page, and its code can be scanned from paper.

use super::{Fact, Fonts, Pdf, PhotoSlot, Sheet, print};
use crate::pass::Status;
use crate::qr::Qr;

const LINK: &str = "https://desk.example.com/gatepass?gid=GP-2026-0042";
const PHOTO: &[u8] = include_bytes!("../../../crates/files/fixtures/gps.jpg");

fn fonts() -> Fonts {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/print/fixtures/fonts");
    Fonts::new(Some(folder)).unwrap()
}

fn fact(label: &'static str, value: &str, by: &str) -> Fact {
    Fact {
        label,
        value: Some(value.to_owned()),
        by: Some(by.to_owned()),
    }
}

fn printed(person_name: &str, description: &str, status: Status, with_photos: bool) -> Pdf {
    let jpeg = || {
        with_photos
            .then(|| frontdesk_files::for_print(frontdesk_files::Format::Jpeg, PHOTO).unwrap())
    };
    let qr = Qr::of(LINK).unwrap();
    let sheet = Sheet {
        site_name: "Indus Textiles, Karachi",
        number: "GP-2026-0042",
        person_name,
        description,
        status,
        is_returnable: true,
        facts: vec![
            fact("CREATED", "15 Nov 2026, 14:05", "by Ayesha Siddiqui"),
            fact("APPROVED", "15 Nov 2026, 14:20", "by Omar Farooq"),
            fact(
                "LEFT THE SITE",
                "15 Nov 2026, 15:02",
                "recorded by Bilal Ahmed",
            ),
            Fact {
                label: "CAME BACK",
                value: None,
                by: None,
            },
        ],
        qr: &qr,
        photos: vec![
            PhotoSlot {
                label: "EXIT PHOTO · 15 Nov 2026, 15:02".to_owned(),
                jpeg: jpeg(),
                instead: "No exit photo yet",
            },
            PhotoSlot {
                label: "RETURN PHOTO".to_owned(),
                jpeg: None,
                instead: "No return photo yet",
            },
        ],
        note: "Printed 15 Nov 2026, 15:10 · All times are Asia/Karachi (UTC+05:00)".to_owned(),
        link: LINK,
    };
    print(&fonts(), sheet).unwrap()
}

fn pages(pdf: &Pdf) -> usize {
    let text = String::from_utf8_lossy(&pdf.bytes);
    text.matches("/Type/Page/").count() + text.matches("/Type /Page\n").count()
}

/// Renders with poppler if it is installed.
fn rendered(pdf: &Pdf) -> Option<image::GrayImage> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pass.pdf");
    std::fs::write(&file, &pdf.bytes).unwrap();
    let done = std::process::Command::new("pdftoppm")
        .args(["-r", "150", "-png", "-singlefile"])
        .arg(&file)
        .arg(folder.path().join("pass"))
        .status();
    if done.is_err() {
        eprintln!(
            "skipped: pdftoppm (poppler-utils) is not installed, the printed page was not looked at"
        );
        return None;
    }
    assert!(done.unwrap().success());
    Some(
        image::open(folder.path().join("pass.png"))
            .unwrap()
            .into_luma8(),
    )
}

#[test]
fn whatever_is_written_fits_one_page() {
    let texts = [
        ("Ali Khan".to_owned(), "Bank visit".to_owned()),
        ("W".repeat(200), "W".repeat(2_000)),
        ("\u{fdfd}".repeat(200), "\u{fdfd}".repeat(2_000)),
        (
            "محمد علی خان".to_owned(),
            "وزیٹر سے ملاقات کے لیے ".repeat(40),
        ),
        ("王小明".to_owned(), "请假外出会议材料".repeat(250)),
    ];
    for (name, description) in texts {
        let pdf = printed(&name, &description, Status::Exited, true);
        assert!(pdf.bytes.starts_with(b"%PDF-"));
        assert_eq!(pages(&pdf), 1, "{name}");
    }
}

#[test]
fn letters_that_no_font_has_are_reported() {
    let pdf = printed("ᚠᚢᚦ Runes", "ok", Status::Approved, false);
    assert_eq!(pdf.missing, vec!['ᚠ', 'ᚢ', 'ᚦ']);
    assert!(
        printed("محمد Иван Αλέξης", "ok", Status::Approved, false)
            .missing
            .is_empty()
    );
}

#[test]
fn the_code_on_the_printed_page_can_be_scanned() {
    let Some(page) = rendered(&printed("Ali Khan", "Bank visit", Status::Approved, false)) else {
        return;
    };
    let mut prepared = rqrr::PreparedImage::prepare(page);
    let codes = prepared.detect_grids();
    assert_eq!(codes.len(), 1);
    assert_eq!(codes[0].decode().unwrap().1, LINK);
}

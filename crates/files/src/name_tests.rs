//! File names with paths, bidi marks, device names and double extensions.

use proptest::prelude::*;

use super::shown_name;
use crate::picture::Format;
use crate::upload::Kind;

#[track_caller]
fn check(given: &str, expected: &str) {
    assert_eq!(
        shown_name(Some(given), Kind::Picture(Format::Jpeg)),
        expected
    );
}

#[test]
fn hostile_names_are_sanitised() {
    check("badge.jpg", "badge.jpg");
    check("badge.JPEG", "badge.jpeg");
    check("badge.png", "badge.jpg");
    check("../../etc/passwd", "passwd.jpg");
    check("C:\\Windows\\CON", "CON.jpg");
    check("a\0b\nc.jpg", "abc.jpg");
    check("gpj\u{202e}exe.jpg", "gpjexe.jpg");
    check("b]\n[file:9.jpg", "bfile9.jpg");
    check(".htaccess", "htaccess.jpg");
    check("...", "file.jpg");
    check("", "file.jpg");
    check(&"x".repeat(4_096), &format!("{}.jpg", "x".repeat(80)));
    assert_eq!(shown_name(None, Kind::Docx), "file.docx");
    assert_eq!(shown_name(Some("notes.md"), Kind::Text), "notes.md");
    assert_eq!(shown_name(Some("page.html"), Kind::Text), "page.txt");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_name_is_one_short_line_without_folders(given in any::<String>()) {
        let name = shown_name(Some(&given), Kind::Pdf);
        prop_assert!(name.ends_with(".pdf") && name.len() > 4);
        prop_assert!(name.chars().count() <= 84);
        prop_assert!(!name.contains(['/', '\\', '\n', '\r', '\0', '"', '[', ']']));
        prop_assert!(!name.starts_with('.'));
    }
}

//! Scripts and their fonts, joined Arabic letters, and lines within their width.

use std::path::PathBuf;

use crate::fonts::{Fonts, Weight};
use crate::text::{Paragraph, Typesetter};

fn built_in() -> Fonts {
    Fonts::new(None).unwrap()
}

fn with_folder() -> Fonts {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/fonts");
    Fonts::new(Some(folder)).unwrap()
}

fn broken(fonts: &Fonts, text: &str, ems: f32) -> Vec<String> {
    let typesetter = Typesetter::new(fonts, text);
    let paragraph = Paragraph::new(&typesetter, Weight::Regular, text);
    paragraph
        .broken(ems)
        .into_iter()
        .map(|range| text[range].to_owned())
        .collect()
}

fn missing(fonts: &Fonts, text: &str) -> String {
    Paragraph::new(&Typesetter::new(fonts, text), Weight::Bold, text)
        .missing()
        .into_iter()
        .collect()
}

#[test]
fn latin_greek_cyrillic_and_arabic_are_built_in() {
    let fonts = built_in();
    for text in [
        "Zażółć gęślą jaźń, Ångström, İstanbul, Nguyễn",
        "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
        "Съешь ещё этих мягких французских булок, Ґанок, Љубав",
        "وزیٹر کو گیٹ پاس جاری کیا گیا ہے۔",
        "مرحبا بالعالم ١٢٣",
        "– — ‘quotes’ “double” € £ ₹ ₽ №",
    ] {
        assert_eq!(missing(&fonts, text), "", "{text}");
    }
}

#[test]
fn other_scripts_come_from_the_folder_and_are_boxes_without_it() {
    assert_eq!(missing(&built_in(), "王 Wang"), "王");
    assert_eq!(missing(&with_folder(), "王小明"), "");
    let coverage = |fonts: &Fonts, script| {
        fonts
            .coverage()
            .iter()
            .any(|c| c.script == script && c.covered)
    };
    assert!(!coverage(&built_in(), "Chinese"));
    assert!(coverage(&with_folder(), "Chinese"));
    assert!(coverage(&built_in(), "Arabic and Urdu"));
}

#[test]
fn a_folder_that_is_not_there_leaves_boxes() {
    let fonts = Fonts::new(Some(PathBuf::from("/no/such/folder"))).unwrap();
    assert_eq!(missing(&fonts, "王"), "王");
}

#[test]
fn lines_break_at_spaces_and_inside_words_only_when_they_must() {
    let fonts = built_in();
    assert_eq!(broken(&fonts, "one two three", 4.5), ["one two ", "three"]);
    assert_eq!(broken(&fonts, "", 4.0), Vec::<String>::new());
    let long = broken(&fonts, &"x".repeat(100), 10.0);
    assert!(long.len() > 3 && long.concat() == "x".repeat(100));
    assert!(
        broken(&with_folder(), "王小明李雷", 2.1).len() == 3,
        "ideographs break anywhere"
    );
}

#[test]
fn arabic_runs_from_the_right_and_its_letters_join() {
    let fonts = built_in();
    let text = "پاس نمبر 42";
    let typesetter = Typesetter::new(&fonts, text);
    let paragraph = Paragraph::new(&typesetter, Weight::Regular, text);
    let line = paragraph.line(0..text.len());
    assert!(line.right_to_left);
    assert_eq!(
        line.runs[0].text, "42",
        "the number, last in the text, stands leftmost"
    );
    // Joined letters are narrower than isolated ones.
    let alone: f32 = "پاس"
        .chars()
        .map(|c| {
            let letter = c.to_string();
            let paragraph = Paragraph::new(&typesetter, Weight::Regular, &letter);
            paragraph.line(0..letter.len()).width
        })
        .sum();
    let joined = Paragraph::new(&typesetter, Weight::Regular, "پاس");
    assert!(joined.line(0.."پاس".len()).width < alone * 0.9);
}

#[test]
fn every_line_of_any_text_fits_its_width() {
    use proptest::prelude::*;
    let fonts = built_in();
    let typesetter = Typesetter::new(&fonts, "");
    proptest!(ProptestConfig::with_cases(100), |(text in "[a-zA-Zа-яא-ת۰-۹ا-ی一-龥 ,.-]{1,50}", ems in 8.0..40.0f32)| {
        let paragraph = Paragraph::new(&typesetter, Weight::Regular, &text);
        let lines = paragraph.broken(ems);
        let all: String = lines.iter().map(|range| &text[range.clone()]).collect();
        prop_assert_eq!(&all, &text);
        for range in lines {
            // Letters measured separately and set together differ by kerning at most.
            prop_assert!(paragraph.line(range).width <= ems * 1.05);
        }
    });
}

//! Documents in Markdown, as text and as Word files.

use proptest::prelude::*;

use super::{Block, Document};

fn sample() -> Document {
    Document {
        title: "Title *with* stars & <tags>".into(),
        blocks: vec![
            Block::Heading("Heading".into()),
            Block::Subheading("C# and C++".into()),
            Block::Paragraph("First line\nsecond line\n• item_one\n• item two\nafter".into()),
            Block::Bullets(vec!["one".into(), "- two".into()]),
            Block::Numbered(vec!["a".into(), "b".into()]),
            Block::Table {
                header: vec!["A".into(), "B".into()],
                rows: vec![vec!["x|y".into(), "1. z".into()]],
            },
            Block::NoteSpace("Notes:".into()),
        ],
    }
}

#[test]
fn markdown_is_clean_and_text_cannot_turn_into_markup() {
    let line = "________________________________________________________________";
    assert_eq!(
        sample().to_markdown(),
        format!(
            "# Title \\*with\\* stars & \\<tags>\n\n## Heading\n\n### C# and C++\n\nFirst line\\\nsecond line\n\n* item\\_one\n* item \
             two\n\nafter\n\n* one\n* \\- two\n\n1. a\n2. b\n\n| A | B |\n| --- | --- |\n| x\\|y | 1. z |\n\nNotes:\n\n{line}\n"
        )
    );
}

#[test]
fn text_is_ready_to_paste() {
    let line = "________________________________________________________________";
    assert_eq!(
        sample().to_text(),
        format!(
            "Title *with* stars & <tags>\n\nHeading\n\nC# and C++\n\nFirst line\nsecond line\n• item_one\n• item two\nafter\n\n• \
             one\n• - two\n\n1. a\n2. b\n\nA\tB\nx|y\t1. z\n\nNotes:\n{line}\n"
        )
    );
}

/// Reads an archive back the way a word processor does: from its directory at the end.
fn unzip(bytes: &[u8]) -> Vec<(String, String)> {
    let u16_at = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let u32_at =
        |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let end = bytes.len() - 22;
    assert_eq!(u32_at(end), 0x0605_4b50);
    let mut at = u32_at(end + 16) as usize;
    let mut files = Vec::new();
    for _ in 0..u16_at(end + 10) {
        assert_eq!(u32_at(at), 0x0201_4b50);
        let (crc, size, name_length) = (u32_at(at + 16), u32_at(at + 24) as usize, u16_at(at + 28));
        let local = u32_at(at + 42) as usize;
        let name = String::from_utf8(bytes[at + 46..at + 46 + name_length].to_vec()).unwrap();
        assert_eq!(u32_at(local), 0x0403_4b50);
        let start = local + 30 + u16_at(local + 26) + u16_at(local + 28);
        let content = &bytes[start..start + size];
        assert_eq!(crc32fast::hash(content), crc);
        files.push((name, String::from_utf8(content.to_vec()).unwrap()));
        at += 46 + name_length;
    }
    assert_eq!(at, end);
    files
}

/// Every opening tag has its end, in order.
fn assert_well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    for part in xml.split('<').skip(1) {
        let tag = part.split('>').next().unwrap();
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{xml}"),
            None if tag.starts_with('?') || tag.ends_with('/') => {}
            None => open.push(tag.split_whitespace().next().unwrap()),
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

#[test]
fn a_word_file_is_a_sound_package() {
    let files = unzip(&sample().to_docx());
    let names: Vec<&str> = files.iter().map(|(n, _)| n.as_str()).collect();
    assert_eq!(
        names,
        [
            "[Content_Types].xml",
            "_rels/.rels",
            "word/document.xml",
            "word/_rels/document.xml.rels",
            "word/styles.xml",
            "word/numbering.xml"
        ]
    );
    files
        .iter()
        .for_each(|(_, content)| assert_well_formed(content));
    let body = &files[2].1;
    assert!(body.contains("<w:pStyle w:val=\"Title\"/></w:pPr><w:r><w:t xml:space=\"preserve\">Title *with* stars &amp; &lt;tags&gt;</w:t>"));
    assert!(body.contains("<w:numId w:val=\"1\"/></w:numPr></w:pPr><w:r><w:t xml:space=\"preserve\">item_one</w:t>"), "{body}");
    assert!(body.contains(
        "<w:numId w:val=\"2\"/></w:numPr></w:pPr><w:r><w:t xml:space=\"preserve\">a</w:t>"
    ));
    // Every list that the body uses is defined, and every part is declared.
    assert_eq!(files[5].1.matches("<w:num ").count(), 2);
    for part in [
        "/word/document.xml",
        "/word/styles.xml",
        "/word/numbering.xml",
    ] {
        assert!(files[0].1.contains(part));
    }
    assert_eq!(sample().to_docx(), sample().to_docx());
}

proptest! {
    #[test]
    fn any_text_makes_a_sound_word_file(text in "\\PC{0,80}|[\\x00-\\x1f<>&\"']{0,20}") {
        let doc = Document { title: text.clone(), blocks: vec![Block::Paragraph(text.clone()), Block::Bullets(vec![text])] };
        for (_, content) in unzip(&doc.to_docx()) {
            assert_well_formed(&content);
            let forbidden = |c: char| matches!(c, '\u{0}'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
            prop_assert!(!content.contains(forbidden));
        }
    }
}

//! Code is separated from comments and string literals.

use proptest::prelude::*;

use super::*;

fn code(text: &str) -> String {
    read(text)
        .code
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

fn texts(text: &str) -> Vec<String> {
    read(text).texts.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn comments_are_not_code() {
    assert_eq!(code("a // b\nc /* d /* e */ f */ g //! h"), "a c g");
    assert_eq!(code("let url = x / y;"), "let url = x / y;");
}

#[test]
fn line_comments_are_collected() {
    let source = read("/// a\nlet url = \"//b\"; // c\n");
    let comments = [(1, "/// a".to_owned()), (2, "// c".to_owned())];
    assert_eq!(source.comments, comments);
}

#[test]
fn texts_are_not_code() {
    assert_eq!(code(r#"f("a \" // b", c)"#), r#"f(" ", c)"#);
    assert_eq!(texts(r#"f("a \" b", "")"#), [r#"a \" b"#, ""]);
    assert_eq!(
        texts("r\"a\" r#\"b \" c\"# br##\"d \"# e\"##"),
        ["a", "b \" c", "d \"# e"]
    );
}

#[test]
fn characters_and_lifetimes_are_distinguished() {
    assert_eq!(
        code("fn f<'a>(x: &'a str) { '\"' }"),
        "fn f<'a>(x: &'a str) { ' ' }"
    );
    assert_eq!(
        code(r"['\'', '\\', '\u{1f600}', 'x'] // y"),
        "[' ', ' ', ' ', ' ']"
    );
}

#[test]
fn raw_identifiers_are_code() {
    assert_eq!(code("r#type + bar#b"), "r#type + bar#b");
}

#[test]
fn an_open_text_or_comment_ends_with_the_file() {
    assert_eq!(code("a \"b"), "a \"");
    assert_eq!(code("a /* b"), "a");
}

#[test]
fn functions_are_measured_from_name_to_brace() {
    let text = "trait T {\n    fn none(&self);\n    fn array() -> [u8; 2] {\n        [0; 2]\n    }\n}\n\
                fn outer(f: fn (u8)) {\n    // }\n    let s = \"}\";\n    fn inner() {}\n}\n";
    let found: Vec<_> = read(text)
        .functions()
        .into_iter()
        .map(|f| (f.name, f.line, f.lines))
        .collect();
    let expected = [("array", 3, 3), ("outer", 7, 5), ("inner", 10, 1)];
    assert_eq!(
        found,
        expected.map(|(name, line, lines)| (name.to_owned(), line, lines))
    );
}

#[test]
fn attributes_are_read_whole() {
    let source = read("#![a]\n#[b(c = [1], d = \"]\")]\nfn f() {} // #[e]\n");
    let attributes: Vec<usize> = source.attributes().iter().map(|(line, _)| *line).collect();
    assert_eq!(attributes, [1, 2]);
    assert!(source.attributes()[1].1.starts_with("b(c = [1], d ="));
}

proptest! {
    /// Blanking keeps every line in place.
    #[test]
    fn every_text_keeps_its_lines(text in "(?s)[a\"'/*\\\\#r\n {}]{0,60}") {
        let source = read(&text);
        prop_assert_eq!(
            source.code.matches('\n').count(),
            text.matches('\n').count()
        );
        let _ = (source.functions(), source.attributes(), source.words().count());
    }
}

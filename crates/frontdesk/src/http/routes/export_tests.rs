//! Markdown as it is printed.

use super::plain;

#[test]
fn markdown_is_printed_without_its_marks() {
    let check = |markdown: &str, expected: &str| assert_eq!(plain(markdown), expected);
    check("## Passes\n\n**2** pending", "Passes\n\n2 pending");
    check("* one\n  - two `three`", "• one\n  • two three");
    check(
        "| Number | Person |\n|---|:---:|\n| GP-1 | Sara |",
        "Number · Person\nGP-1 · Sara",
    );
    check("a - b | c", "a - b | c");
}

//! A suite of attacks that plants nothing is refused.

use super::*;

#[test]
fn a_place_where_nothing_is_planted_is_named_with_its_line() {
    let text = "[[place]]\nname = 'a'\nas = 'hr'\nsay = '{order}'\n\n[[place]]\nname = 'b'\nas = 'hr'\nsay = 'x'\n\n[[goal]]\nname = 'g'\n";
    assert!(Attacks::is_one(text));
    let error = Attacks::parse(text).unwrap_err().to_string();
    assert!(
        error.starts_with("line 6: nothing is planted here"),
        "{error}"
    );
    let error = Attacks::parse("[[goal]]\nname = 1\n")
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("line "), "{error}");
}

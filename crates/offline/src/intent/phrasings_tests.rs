//! Tests of `phrasings`.

use super::*;

#[test]
fn headings_name_tools_and_values() {
    let list = "# comment\nlost\n[open, open_all: wide=true, side=left]\nopen it\n\n[nothing]\nhm";
    let parsed = Phrasings::parse(list);
    assert_eq!(parsed.groups.len(), 2);
    assert_eq!(parsed.groups[0].tools, ["open", "open_all"]);
    assert_eq!(
        parsed.groups[0].values,
        [
            ("wide".to_owned(), Value::Bool(true)),
            ("side".to_owned(), Value::from("left"))
        ]
    );
    assert_eq!(parsed.groups[0].sentences, ["open it"]);
    assert!(parsed.groups[1].tools.is_empty());
}

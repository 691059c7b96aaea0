//! An index holds what a tool declares, once, whichever way its words are written.

use super::super::tests::toolboxes;
use super::*;

#[test]
fn an_example_is_known_apart_from_its_values() {
    let index = Index::new(&toolboxes::named("procurement"), None);
    let tool = &index.tools[index.by_name("save_answers").expect("the tool")];
    let words: Vec<&str> = tool.lessons[0]
        .without_values
        .words
        .iter()
        .map(|w| w.lower.as_str())
        .collect();
    assert_eq!(words, ["we", "are", "a"]);
    assert!(
        tool.lessons[0]
            .without_values
            .words
            .iter()
            .all(|w| w.function)
    );
}

//! The examples that models and the offline classifier learn from.

use super::*;

#[test]
fn every_example_has_arguments_that_the_tool_takes() {
    let text = include_str!("filter_candidates/examples.txt");
    assert_eq!(examples().count(), text.lines().count() - 1);
    for (say, arguments) in examples() {
        let read: Result<Query, _> = serde_json::from_value(arguments);
        assert!(read.is_ok_and(|query| query != Query::default()), "{say}");
    }
}

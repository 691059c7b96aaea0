//! Tests of `context`.

use super::*;
use serde_json::json;

#[test]
fn the_words_before_a_value_of_an_example_are_kept() {
    let examples = [Example {
        say: "calculate it with a rate of 30 an hour".into(),
        arguments: json!({ "rate": 30.0 }),
    }];
    let found = contexts(&examples);
    assert_eq!(found["rate"].before, [["of", "rate"]]);
    assert_eq!(found["rate"].after, ["an"]);
    let sentence = words("what about a rate of 25");
    assert_eq!(found["rate"].agreement(&sentence, 5), 2);
    assert_eq!(found["rate"].agreement(&sentence, 1), 0);
}

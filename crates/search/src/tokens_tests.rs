//! The estimate against counts of the real tokeniser.

use serde::Deserialize;

use super::count;

/// A reference count from the real tokeniser.
#[derive(Deserialize)]
struct TokenCount {
    text: String,
    tokens: f64,
}

#[test]
fn estimates_are_near_the_real_count() {
    let counted: Vec<TokenCount> =
        serde_json::from_str(include_str!("../tests/data/cl100k.json")).unwrap();
    let mut total = 0.0;
    for one in &counted {
        let ratio = f64::from(count(&one.text)) / one.tokens;
        assert!((0.8..=1.2).contains(&ratio), "{ratio}: {:.60}", one.text);
        total += (ratio - 1.0).abs();
    }
    assert!(total / (counted.len() as f64) < 0.1);
}

#[test]
fn an_empty_text_has_no_tokens() {
    assert_eq!(count(""), 0);
    assert_eq!(count("word"), 1);
    assert_eq!(count("two words"), 2);
}

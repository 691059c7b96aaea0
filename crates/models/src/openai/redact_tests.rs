//! Keys in provider messages never reach the log, even if only their beginning is shown.

use proptest::prelude::*;
use secrecy::SecretString;

use super::{MAX_CHARS, redact};

#[track_caller]
fn check(text: &str, expected: &str) {
    let key = SecretString::from("Zk9:secret-key/with+signs");
    assert_eq!(redact(text, Some(&key)), expected);
}

#[test]
fn keys_are_removed_and_words_are_kept() {
    check(
        "wrong key Zk9:secret-key/with+signs given",
        "wrong key [redacted] given",
    );
    check("key sk-proj-abc****wxyz.", "key [redacted]");
    check("api_key=sk-abcdefghij", "[redacted]");
    check(
        "Authorization: BEARER abc, ok",
        "Authorization: BEARER [redacted], ok",
    );
    check("token eyJhbGciOiJIUzI1NiJ9.x.y", "token [redacted]");
    check("a risk-averse task-list", "a risk-averse task-list");
    check("two\nlines\t and\u{7}bell", "two lines and bell");
}

#[test]
fn a_masked_key_is_recognised_by_its_prefix() {
    let key = SecretString::from("abcd1234efgh5678");
    assert_eq!(redact("key abcd1234********", Some(&key)), "key [redacted]");
    assert_eq!(redact("key abcd12", Some(&key)), "key abcd12");
}

#[test]
fn a_long_text_is_cut() {
    let long = redact(&"word ".repeat(1000), None);
    assert!(long.ends_with('…') && long.chars().count() <= MAX_CHARS + 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_text_around_a_key_keeps_it_in(before in any::<String>(), key in "[!-~]{8,60}", after in any::<String>()) {
        let text = format!("{before}{key}{after}");
        let clean = redact(&text, Some(&SecretString::from(key.clone())));
        let mark = super::REDACTED;
        prop_assert!(mark.contains(&key) || !clean.contains(&key), "{}", clean);
    }
}

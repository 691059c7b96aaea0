//! Names and purposes in any script are kept; invisible characters are refused.

use proptest::prelude::*;

use super::text::{NAME_MAX, TextViolation, clean};

fn check(text: &str, expected: Result<&str, TextViolation>) {
    assert_eq!(clean(text, NAME_MAX), expected, "{text:?}");
}

#[test]
fn visible_text_of_any_script_is_kept_and_trimmed() {
    check("  Ali Khan ", Ok("Ali Khan"));
    check("علی خان", Ok("علی خان"));
    check("می\u{200c}خواهم", Ok("می\u{200c}خواهم"));
    check("王小明", Ok("王小明"));
    check("Zoë O’Brien-Ångström", Ok("Zoë O’Brien-Ångström"));
    check(
        "Robert'); DROP TABLE passes;--",
        Ok("Robert'); DROP TABLE passes;--"),
    );
    check("<script>alert(1)</script>", Ok("<script>alert(1)</script>"));
    check(&"é".repeat(200), Ok(&"é".repeat(200)));
}

#[test]
fn invisible_characters_are_refused() {
    for blank in ["", "   ", "\u{200d}\u{200c}", "\u{3000}"] {
        check(blank, Err(TextViolation::Blank));
    }
    for control in [
        "a\0b",
        "a\nb",
        "a\tb",
        "a\u{1b}[31mb",
        "a\u{85}b",
        "a\u{7f}",
    ] {
        check(control, Err(TextViolation::Control));
    }
    for invisible in [
        "a\u{202e}b",
        "a\u{200b}b",
        "a\u{2066}b",
        "a\u{feff}b",
        "a\u{e0041}b",
    ] {
        check(invisible, Err(TextViolation::Invisible));
    }
    check(
        &"x".repeat(10_000),
        Err(TextViolation::TooLong {
            is: 10_000,
            max: 200,
        }),
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Accepted text is within its limits, trimmed, free of control characters, and
    /// idempotent.
    #[test]
    fn accepted_text_keeps_the_rules(text in "\\PC{0,300}|.{0,300}") {
        if let Ok(kept) = clean(&text, NAME_MAX) {
            prop_assert!((1..=NAME_MAX).contains(&kept.chars().count()));
            prop_assert!(!kept.chars().any(char::is_control));
            prop_assert_eq!(clean(kept, NAME_MAX), Ok(kept));
            prop_assert!(text.contains(kept));
        }
    }
}

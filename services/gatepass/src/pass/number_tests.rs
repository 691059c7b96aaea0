//! Valid and invalid pass numbers, and numbers beyond 9999.

use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::Value;

use super::number::{LAST_OF_YEAR, MalformedNumber, PassNumber};

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(crate::OPENAPI).unwrap());

fn check(text: &str, well_formed: bool) {
    assert_eq!(text.parse::<PassNumber>().is_ok(), well_formed, "{text:?}");
}

// design: 003 GatePass.pass_number
#[test]
fn only_the_pattern_is_a_number() {
    for good in [
        "GP-2026-0001",
        "GP-0000-0000",
        "GP-2026-10000",
        "GP-2026-999999",
    ] {
        check(good, true);
    }
    for bad in [
        "",
        "GP",
        "GP-2026",
        "GP-2026-001",
        "GP-2026-1000000",
        "gp-2026-0001",
        " GP-2026-0001",
        "GP-2026-0001\n",
        "GP-2026-0001/../../admin",
        "GP-2026-0001?x=1",
        "GP-2026-0001%2f",
        "GP-٢٠٢٦-٠٠٠١",
        "GP-26-0001",
        "GP-2026-00-01",
        "GP-2026-+001",
        "undefined",
        "1 OR 1=1",
    ] {
        check(bad, false);
    }
    assert_eq!("x".parse::<PassNumber>(), Err(MalformedNumber));
}

#[test]
fn the_number_widens_past_9999_and_ends_at_six_digits() {
    let number = |sequence| PassNumber::of(2026, sequence).map(|n| n.to_string());
    assert_eq!(number(1).as_deref(), Some("GP-2026-0001"));
    assert_eq!(number(9_999).as_deref(), Some("GP-2026-9999"));
    assert_eq!(number(10_000).as_deref(), Some("GP-2026-10000"));
    assert_eq!(number(LAST_OF_YEAR).as_deref(), Some("GP-2026-999999"));
    assert_eq!(number(LAST_OF_YEAR + 1), None);
    assert_eq!(number(0), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Every issued number is valid and unique.
    #[test]
    fn issued_numbers_validate_and_are_distinct(
        year in 2000..2200i32,
        a in 1..=LAST_OF_YEAR,
        b in 1..=LAST_OF_YEAR,
    ) {
        let (first, second) = (PassNumber::of(year, a).unwrap(), PassNumber::of(year, b).unwrap());
        prop_assert_eq!(first.as_str().parse::<PassNumber>(), Ok(first.clone()));
        prop_assert_eq!(first == second, a == b);
    }

    /// The hand-written check and the published pattern agree.
    #[test]
    fn the_parser_agrees_with_the_published_pattern(text in "(GP|gp|G)?-?[0-9x]{3,5}-?[0-9 ]{3,8}") {
        let schema = &DOCUMENT["components"]["parameters"]["pass_number"]["schema"];
        prop_assert_eq!(
            text.parse::<PassNumber>().is_ok(),
            jsonschema::is_valid(schema, &serde_json::json!(text))
        );
    }
}

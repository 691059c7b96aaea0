//! Exchange rates as they are configured.

use super::*;

#[test]
fn a_rate_converts_both_ways_and_nothing_without_one() {
    let rates = Rates::parse("USD/RUB=90, EUR/RUB = 100").unwrap();
    assert_eq!(rates.convert(900, "USD", "RUB"), Some(81_000));
    assert_eq!(rates.convert(81_000, "RUB", "USD"), Some(900));
    assert_eq!(rates.convert(900, "USD", "USD"), Some(900));
    assert_eq!(rates.convert(900, "USD", "EUR"), None);
    assert_eq!(
        rates.stated("USD", "RUB"),
        Some("1 USD = 90 RUB".to_owned())
    );
    assert_eq!(Rates::parse("").unwrap(), Rates::default());
}

#[test]
fn a_rate_that_cannot_be_read_is_refused_with_the_form_to_write() {
    for wrong in [
        "USD=90",
        "usd/rub=90",
        "USD/RUB=0",
        "USD/RUB=-1",
        "USD/RUB=much",
        "US/RUB=1",
    ] {
        let problem = Rates::parse(wrong).unwrap_err();
        assert!(
            problem.contains(wrong) && problem.contains("USD/RUB=92.5"),
            "{problem}"
        );
    }
}

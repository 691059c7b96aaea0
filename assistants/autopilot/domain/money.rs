//! Amounts in US dollars as people write and read them.

/// "$1,645", "−$2,400", "$8.50": cents only where there are some.
pub(crate) fn dollars(amount: f64) -> String {
    let cents = (amount.abs() * 100.0).round();
    let sign = if amount < 0.0 && cents > 0.0 {
        "−"
    } else {
        ""
    };
    let whole = (cents / 100.0).floor();
    let rest = cents - whole * 100.0;
    let whole = grouped(whole);
    if rest > 0.0 {
        return format!("{sign}${whole}.{rest:02.0}");
    }
    format!("{sign}${whole}")
}

/// Whole dollars, for estimates.
pub(crate) fn about_dollars(amount: f64) -> String {
    dollars(amount.round())
}

/// A whole number with a comma after each three digits.
pub(crate) fn grouped(number: f64) -> String {
    let digits = format!("{:.0}", number.abs());
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    if number <= -0.5 {
        format!("−{text}")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{about_dollars, dollars, grouped};

    #[test]
    fn amounts_are_written_as_people_write_them() {
        assert_eq!(dollars(1645.0), "$1,645");
        assert_eq!(dollars(-2400.0), "−$2,400");
        assert_eq!(dollars(8.5), "$8.50");
        assert_eq!(dollars(0.0), "$0");
        assert_eq!(dollars(-0.001), "$0");
        assert_eq!(about_dollars(1_234_567.4), "$1,234,567");
        assert_eq!(grouped(-1000.0), "−1,000");
    }
}

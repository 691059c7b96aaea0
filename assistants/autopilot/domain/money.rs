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
#[path = "money_tests.rs"]
mod money_tests;

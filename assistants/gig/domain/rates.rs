//! Exchange rates from the setting `gig.rates`. Amounts in different currencies are compared only with
//! a stated rate.

use std::collections::BTreeMap;

/// Prices of one unit of a currency in another: `USD/RUB` is 92.5.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rates(BTreeMap<(String, String), f64>);

impl Rates {
    /// Reads `USD/RUB=92.5, EUR/RUB=100`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let parts = text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty());
        let pairs = parts.map(|part| {
            pair(part).ok_or_else(|| {
                format!("`{part}` is no exchange rate; write USD/RUB=92.5 for 1 USD = 92.5 RUB")
            })
        });
        Ok(Self(pairs.collect::<Result<_, _>>()?))
    }

    /// An amount in another currency, rounded; `None` without a rate between the two.
    pub fn convert(&self, amount: i64, from: &str, to: &str) -> Option<i64> {
        if from == to {
            return Some(amount);
        }
        let rate = self.between(from, to)?;
        Some((amount as f64 * rate).round() as i64)
    }

    fn between(&self, from: &str, to: &str) -> Option<f64> {
        let key = |from: &str, to: &str| (from.to_owned(), to.to_owned());
        let direct = self.0.get(&key(from, to)).copied();
        direct.or_else(|| self.0.get(&key(to, from)).map(|rate| 1.0 / rate))
    }

    /// "1 USD = 92.5 RUB", for each rate into this currency that converted something.
    pub fn stated(&self, from: &str, to: &str) -> Option<String> {
        let rate = self.between(from, to).filter(|_| from != to)?;
        let rounded = (rate * 10_000.0).round() / 10_000.0;
        Some(format!("1 {from} = {rounded} {to}"))
    }
}

fn pair(text: &str) -> Option<((String, String), f64)> {
    let (currencies, rate) = text.split_once('=')?;
    let (from, to) = currencies.split_once('/')?;
    let code = |code: &str| {
        let code = code.trim();
        let fits = code.len() == 3 && code.bytes().all(|b| b.is_ascii_uppercase());
        fits.then(|| code.to_owned())
    };
    let rate: f64 = rate.trim().parse().ok()?;
    let fits = rate.is_finite() && rate > 0.0;
    fits.then_some(((code(from)?, code(to)?), rate))
}

#[cfg(test)]
#[path = "rates_tests.rs"]
mod rates_tests;

//! Token prices, if an operator configured them.

use frontdesk_core::model::Usage;

const MILLION: f64 = 1_000_000.0;

/// In the operator's currency per million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prices {
    pub input: Option<f64>,
    pub output: Option<f64>,
    /// Price of cached input tokens; the input price if absent.
    pub cached: Option<f64>,
}

impl Prices {
    /// `None` without prices.
    pub fn of(&self, usage: Usage) -> Option<f64> {
        let (input, output) = (self.input?, self.output?);
        // Providers include cached tokens in the input tokens.
        let cached = usage.cached_tokens.min(usage.input_tokens);
        let fresh = usage.input_tokens - cached;
        let sum = number(fresh) * input
            + number(cached) * self.cached.unwrap_or(input)
            + number(usage.output_tokens) * output;
        Some(sum / MILLION)
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "token counts are far below 2^52"
)]
fn number(tokens: u64) -> f64 {
    tokens as f64
}

#[cfg(test)]
mod price_tests {
    use super::*;

    #[test]
    fn cached_tokens_have_a_price_of_their_own() {
        let usage = Usage {
            input_tokens: 1_500_000,
            output_tokens: 100_000,
            cached_tokens: 1_000_000,
            estimated: false,
        };
        let mut prices = Prices {
            input: Some(2.0),
            output: Some(10.0),
            cached: Some(0.5),
        };
        assert_eq!(prices.of(usage), Some(2.5));
        prices.cached = None;
        assert_eq!(prices.of(usage), Some(4.0));
        prices.output = None;
        assert_eq!(prices.of(usage), None);
    }
}

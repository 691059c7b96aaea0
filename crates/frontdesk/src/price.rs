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
#[path = "price_tests.rs"]
mod price_tests;

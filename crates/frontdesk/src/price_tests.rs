//! Tests of `price`.

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

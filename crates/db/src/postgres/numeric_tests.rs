//! Binary `numeric`, byte for byte and as a property.

use bytes::BytesMut;
use proptest::prelude::*;

use super::{decode, encode};

fn bytes(decimal: &str) -> Option<Vec<u8>> {
    let mut out = BytesMut::new();
    encode(decimal, &mut out).map(|()| out.to_vec())
}

#[test]
fn encodings_match_numeric_send() {
    // Count, weight, sign, scale, groups; as `numeric_send` writes them.
    let check = |decimal: &str, expected: &[u8]| {
        assert_eq!(bytes(decimal).as_deref(), Some(expected), "{decimal}")
    };
    check("0", &[0, 0, 255, 255, 0, 0, 0, 0]);
    check("1", &[0, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
    check("-12.5", &[0, 2, 0, 0, 0x40, 0, 0, 1, 0, 12, 0x13, 0x88]);
    check("0.0001", &[0, 1, 255, 255, 0, 0, 0, 4, 0, 1]);
    check("10000", &[0, 2, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0]);
}

#[test]
fn non_decimals_are_refused() {
    for text in ["inf", "NaN", "1e5", "", "--1", "1.2.3"] {
        assert_eq!(bytes(text).filter(|_| !text.is_empty()), None, "{text}");
    }
    assert_eq!(decode(&[0, 1, 0, 0]), None);
    assert_eq!(decode(&[0, 1, 0, 0, 0xC0, 0, 0, 0, 0, 1]), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_finite_number_round_trips(number in any::<f64>().prop_filter("finite", |n| n.is_finite())) {
        let encoded = bytes(&number.to_string()).unwrap();
        prop_assert_eq!(decode(&encoded), Some(number));
    }

    #[test]
    fn damaged_bytes_never_panic(raw in proptest::collection::vec(any::<u8>(), 0..40)) {
        decode(&raw);
    }
}

//! Validation and normalisation of vectors.

use proptest::prelude::*;

use super::{EmbedError, Embedding};

#[test]
fn a_vector_of_another_length_is_refused() {
    let problem = Embedding::new(vec![1.0, 0.0], 3).unwrap_err();
    assert_eq!(
        problem,
        EmbedError::Dimension {
            expected: 3,
            got: 2
        }
    );
}

#[test]
fn nothing_that_is_no_number_gets_in() {
    for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert_eq!(
            Embedding::new(vec![1.0, wrong], 2),
            Err(EmbedError::NotANumber)
        );
    }
    assert_eq!(
        Embedding::new(vec![0.0, 0.0], 2),
        Err(EmbedError::NotANumber)
    );
    assert_eq!(Embedding::new(Vec::new(), 0), Err(EmbedError::NotANumber));
}

proptest! {
    #[test]
    fn vectors_have_unit_length_and_cosines_stay_in_bounds(
        a in prop::collection::vec(-1e6_f32..1e6, 8),
        b in prop::collection::vec(-1e6_f32..1e6, 8),
    ) {
        prop_assume!(a.iter().any(|v| v.abs() > 1e-3) && b.iter().any(|v| v.abs() > 1e-3));
        let a = Embedding::new(a, 8).unwrap();
        let b = Embedding::new(b, 8).unwrap();
        let length: f32 = a.values().iter().map(|v| v * v).sum();
        prop_assert!((length - 1.0).abs() < 1e-4);
        prop_assert!((-1.0..=1.0).contains(&a.cosine(&b)));
        prop_assert!((a.cosine(&a) - 1.0).abs() < 1e-4);
        prop_assert!((a.cosine(&b) - b.cosine(&a)).abs() < 1e-6);
    }
}

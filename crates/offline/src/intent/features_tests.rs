//! Tests of `features`.

use super::*;

#[test]
fn numbers_codes_and_names_stand_for_each_other() {
    let texts = ["print GP-1 for Anna Berg", "print GP-2 for Tom Ek"];
    let dictionary = Dictionary::build(texts.into_iter());
    assert_eq!(dictionary.features(texts[0]), dictionary.features(texts[1]));
    assert!(dictionary.numbers.contains_key("print"));
    assert!(!dictionary.numbers.contains_key("anna"));
}

#[test]
fn features_have_length_one() {
    let dictionary = Dictionary::build(["show the list", "show the map"].into_iter());
    let squares: f32 = dictionary
        .features("show me the list")
        .iter()
        .map(|(_, w)| w * w)
        .sum();
    assert!((squares - 1.0).abs() < 1e-4);
    assert!(dictionary.features("???").is_empty());
}

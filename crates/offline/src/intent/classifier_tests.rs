//! Tests of `classifier`.

use super::*;
use crate::intent::Dictionary;

fn trained() -> (Dictionary, Classifier) {
    let sentences = [
        ("open the door", 0),
        ("please open the window", 0),
        ("open it", 0),
        ("close the door", 1),
        ("please close the window", 1),
        ("close it", 1),
    ];
    let dictionary = Dictionary::build(sentences.iter().map(|(text, _)| *text));
    let samples: Vec<_> = sentences
        .iter()
        .map(|(t, c)| (dictionary.features(t), *c))
        .collect();
    let model = Classifier::train(&samples, dictionary.len(), 2);
    (dictionary, model)
}

#[test]
fn it_tells_two_classes_apart_and_its_probabilities_sum_to_one() {
    let (dictionary, model) = trained();
    let open = model.probabilities(&dictionary.features("could you open the gate"));
    assert!(open[0] > 0.7, "{open:?}");
    assert!((open.iter().sum::<f32>() - 1.0).abs() < 1e-4);
}

#[test]
fn training_is_deterministic() {
    assert_eq!(trained().1.weights, trained().1.weights);
}

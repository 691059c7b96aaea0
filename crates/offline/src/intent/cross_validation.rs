//! Measures the classifier on held-out sentences by tenfold cross-validation. The thresholds of
//! `decide` come from here.

use std::path::Path;
use std::time::Instant;

use super::{Classifier, Dictionary, NOTHING, Phrasings};

const FOLDS: usize = 10;

/// Sentences labelled with the first tool of their group.
fn labelled(list: &str) -> (Vec<(String, usize)>, usize) {
    let parsed = Phrasings::parse(list);
    let mut tools: Vec<&str> = Vec::new();
    let mut sentences = Vec::new();
    for group in &parsed.groups {
        let class = match group.tools.first() {
            None => NOTHING,
            Some(first) => {
                let known = tools.iter().position(|tool| tool == first);
                known.unwrap_or_else(|| {
                    tools.push(first);
                    tools.len() - 1
                }) + 1
            }
        };
        sentences.extend(group.sentences.iter().map(|text| (text.clone(), class)));
    }
    (sentences, tools.len() + 1)
}

fn train(sentences: &[&(String, usize)], classes: usize) -> (Dictionary, Classifier) {
    let dictionary = Dictionary::build(sentences.iter().map(|(text, _)| text.as_str()));
    let samples: Vec<_> = sentences
        .iter()
        .map(|(text, class)| (dictionary.features(text), *class))
        .collect();
    let model = Classifier::train(&samples, dictionary.len(), classes);
    (dictionary, model)
}

fn best(probabilities: &[f32]) -> (usize, f32) {
    let both = probabilities.iter().copied().enumerate();
    both.fold(
        (0, 0.0),
        |best, one| if one.1 > best.1 { one } else { best },
    )
}

#[test]
#[ignore = "prints accuracy by threshold; takes minutes without optimisation"]
fn accuracy_on_held_out_phrasings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assistants");
    let mut lists: Vec<_> = std::fs::read_dir(root)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    lists.sort();
    for folder in lists {
        let Ok(list) = std::fs::read_to_string(folder.join("phrasings.txt")) else {
            continue;
        };
        let (sentences, classes) = labelled(&list);
        let mut results: Vec<(f32, bool)> = Vec::new();
        let began = Instant::now();
        for fold in 0..FOLDS {
            let held = |place: usize| place % FOLDS == fold;
            let numbered = || sentences.iter().enumerate();
            let rest: Vec<_> = numbered()
                .filter(|(n, _)| !held(*n))
                .map(|(_, s)| s)
                .collect();
            let (dictionary, model) = train(&rest, classes);
            for (_, (text, class)) in numbered().filter(|(n, _)| held(*n)) {
                let (guess, sure) = best(&model.probabilities(&dictionary.features(text)));
                results.push((sure, guess == *class));
            }
        }
        let seconds = began.elapsed().as_secs_f64() / FOLDS as f64;
        println!(
            "{}: {} sentences, {classes} classes, {seconds:.3} s",
            folder.display(),
            sentences.len()
        );
        for threshold in [0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8] {
            let confident: Vec<_> = results
                .iter()
                .filter(|(sure, _)| *sure >= threshold)
                .collect();
            let right = confident.iter().filter(|(_, right)| *right).count();
            let share = |n: usize, of: usize| 100.0 * n as f64 / of.max(1) as f64;
            println!(
                "  ≥ {threshold:.1}: answers {:.1} %, right {:.1} %",
                share(confident.len(), results.len()),
                share(right, confident.len())
            );
        }
    }
}

//! Chooses the assistant for a message: a classifier trained on the texts and phrasings of all of
//! them. Probabilities of classifiers trained apart cannot be compared, so there is one for each
//! set of assistants.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex};

use frontdesk_core::tool::ToolDef;
use frontdesk_core::toolbox::Offer;

use crate::catalog::cached;
use crate::intent::{Classifier, Dictionary, NOTHING, Phrasings, small_talk};

/// An assistant that a message may go to.
pub struct Destination {
    /// Its title, description and suggestions.
    pub texts: Vec<String>,
    pub offer: Arc<Offer>,
}

/// Keeps its trained classifiers.
#[derive(Default)]
pub struct Router {
    trained: Mutex<HashMap<u64, Arc<TrainedRouter>>>,
}

struct TrainedRouter {
    dictionary: Dictionary,
    classifier: Classifier,
}

impl Router {
    /// The index of the most probable destination. `None` for small talk, for a text without known
    /// words, and if there is no destination.
    pub fn choose(&self, destinations: &[Destination], text: &str) -> Option<usize> {
        let sentences = sentences(destinations);
        let mut hasher = DefaultHasher::new();
        sentences.hash(&mut hasher);
        let trained = cached(&self.trained, hasher.finish(), || {
            train(&sentences, destinations.len())
        });
        let features = trained.dictionary.features(text);
        if features.is_empty() {
            return None;
        }
        let probabilities = trained.classifier.probabilities(&features);
        let classes = probabilities.into_iter().enumerate();
        let (best, _) = classes.max_by(|a, b| a.1.total_cmp(&b.1))?;
        best.checked_sub(NOTHING + 1)
    }
}

/// Training sentences with their classes; class `n + 1` is the destination `n`.
fn sentences(destinations: &[Destination]) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (destination, class) in destinations.iter().zip(NOTHING + 1..) {
        let offer = &destination.offer;
        let phrasings = Phrasings::parse(&offer.phrasings);
        let groups = phrasings.groups.into_iter();
        let asked = groups.filter(|group| !group.tools.is_empty());
        let defs = offer.tools.iter();
        let defs = defs.chain(offer.elsewhere.iter().map(|other| &other.tool));
        let texts = destination.texts.iter().cloned();
        let texts = texts
            .chain(asked.flat_map(|group| group.sentences))
            .chain(defs.flat_map(texts_of));
        found.extend(texts.map(|text| (text, class)));
    }
    found.extend(small_talk().map(|line| (line.to_owned(), NOTHING)));
    found
}

fn texts_of(def: &ToolDef) -> Vec<String> {
    let examples = def.spec.examples.iter();
    let mut texts: Vec<String> = examples.map(|example| example.say.to_string()).collect();
    texts.push(def.title());
    texts
}

fn train(sentences: &[(String, usize)], destinations: usize) -> TrainedRouter {
    let texts = sentences.iter().map(|(text, _)| text.as_str());
    let dictionary = Dictionary::build(texts);
    let samples: Vec<_> = sentences
        .iter()
        .map(|(text, class)| (dictionary.features(text), *class))
        .collect();
    let classifier = Classifier::train(&samples, dictionary.len(), destinations + 1);
    TrainedRouter {
        dictionary,
        classifier,
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    fn destination(about: &str, phrasings: &str) -> Destination {
        Destination {
            texts: vec![about.to_owned()],
            offer: Arc::new(Offer {
                json: Bytes::from_static(b"[]"),
                tools: Vec::new(),
                elsewhere: Vec::new(),
                phrasings: phrasings.into(),
            }),
        }
    }

    fn two() -> [Destination; 2] {
        [
            destination(
                "Open and close gates",
                "[gate]\nopen the gate\nplease open the north gate\nclose the gate\n[nothing]\nhm",
            ),
            destination(
                "Books of the library",
                "[book]\nlend me a book\nwhich book is new\nreturn the book",
            ),
        ]
    }

    #[test]
    fn a_message_goes_where_such_messages_go() {
        let router = Router::default();
        let choose = |text| router.choose(&two(), text);
        assert_eq!(choose("could you open the gate"), Some(0));
        assert_eq!(choose("I want to return the book"), Some(1));
    }

    #[test]
    fn unknown_words_choose_nothing() {
        let router = Router::default();
        assert_eq!(router.choose(&two(), "xyzzy"), None);
        assert_eq!(router.choose(&two(), "hello"), None);
        assert_eq!(router.choose(&[], "open the gate"), None);
    }
}

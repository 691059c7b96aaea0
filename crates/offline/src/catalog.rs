//! The tools of an offer with their parameters, examples and classifiers. Built once per offer.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use frontdesk_core::tool::{Example, ToolDef};
use frontdesk_core::toolbox::{Elsewhere, Offer};
use serde_json::{Map, Value};

use crate::context::{Contexts, contexts};
use crate::intent::{Classifier, Dictionary, NOTHING, Phrasings, Training};
use crate::schema::{Kind, Param, params};
use crate::text::words;

/// A tool that the person may use now.
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) writes: bool,
    /// Runs without a decision, so its arguments must be complete.
    pub(crate) undoable: bool,
    pub(crate) gets_user_text: bool,
    pub(crate) params: Vec<Param>,
    pub(crate) examples: Vec<Example>,
    /// Words around values in the examples, by parameter.
    pub(crate) contexts: HashMap<String, Contexts>,
}

impl Tool {
    pub(crate) fn required(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|param| param.required)
    }

    pub(crate) fn takes_passage(&self) -> bool {
        self.params
            .iter()
            .any(|param| matches!(param.kind, Kind::Passage))
    }

    /// The search text: the only required value of a tool that reads.
    pub(crate) fn search_param(&self) -> Option<&Param> {
        let mut required = self.required();
        let text = required
            .next()
            .filter(|param| matches!(param.kind, Kind::Text))?;
        (required.next().is_none() && !self.writes).then_some(text)
    }

    /// The required values that a call lacks.
    pub(crate) fn missing(&self, arguments: &Map<String, Value>) -> Vec<&Param> {
        self.required()
            .filter(|param| !arguments.contains_key(&param.name))
            .collect()
    }

    /// True if a call becomes a form that the person completes.
    pub(crate) fn is_proposed(&self) -> bool {
        self.writes && !self.undoable
    }
}

pub(crate) struct Catalog {
    pub(crate) tools: Vec<Tool>,
    /// Tools that the person cannot use now.
    pub(crate) elsewhere: Vec<Elsewhere>,
    pub(crate) phrasings: Phrasings,
    learned: Arc<TrainedModels>,
}

/// The trained classifiers and their vocabulary.
pub(crate) struct TrainedModels {
    dictionary: Dictionary,
    /// Words that the sentences write in lower case, so not names.
    ordinary: HashSet<String>,
    intents: Classifier,
    /// Classifiers of choices, by class of the tool and parameter.
    choices: HashMap<(usize, String), ChoiceModel>,
}

struct ChoiceModel {
    /// JSON texts; the first one means "not mentioned".
    values: Vec<String>,
    model: Classifier,
}

/// The request of a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Intent {
    Tool(usize),
    Elsewhere(usize),
    Nothing,
}

impl Catalog {
    /// All intents with their probabilities, the most probable first.
    pub(crate) fn intents(&self, text: &str) -> Vec<(Intent, f32)> {
        let learned = &self.learned;
        let features = learned.dictionary.features(text);
        let probabilities = learned.intents.probabilities(&features);
        let mut ranked: Vec<(Intent, f32)> = probabilities
            .into_iter()
            .enumerate()
            .map(|(class, probability)| (self.intent(class), probability))
            .collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked
    }

    fn intent(&self, class: usize) -> Intent {
        match class.checked_sub(1) {
            None => Intent::Nothing,
            Some(tool) if tool < self.tools.len() => Intent::Tool(tool),
            Some(other) => Intent::Elsewhere(other - self.tools.len()),
        }
    }

    /// The most probable value of a choice in a text. `None` if no sentences train it.
    pub(crate) fn choice(&self, tool: usize, param: &str, text: &str) -> Option<(Value, f32)> {
        let model = self.learned.choices.get(&(tool + 1, param.to_owned()))?;
        let features = self.learned.dictionary.features(text);
        if features.is_empty() {
            return None;
        }
        let probabilities = model.model.probabilities(&features);
        let candidates = probabilities.iter().copied().enumerate().skip(1);
        let (best, probability) = candidates.max_by(|a, b| a.1.total_cmp(&b.1))?;
        let value = serde_json::from_str(&model.values[best]).ok()?;
        Some((value, probability))
    }

    /// True if the word occurs in lower case in the training sentences.
    pub(crate) fn is_ordinary(&self, lower: &str) -> bool {
        self.learned.ordinary.contains(lower)
    }

    /// The tool with this title, ignoring case.
    pub(crate) fn titled(&self, text: &str) -> Option<usize> {
        let wanted = text.trim().to_lowercase();
        let mut tools = self.tools.iter();
        tools.position(|tool| tool.title.to_lowercase() == wanted)
    }

    pub(crate) fn named(&self, name: &str) -> Option<usize> {
        self.tools.iter().position(|tool| tool.name == name)
    }
}

impl TrainedModels {
    fn train(training: &Training) -> Self {
        let texts = training
            .sentences
            .iter()
            .map(|sentence| sentence.text.as_str());
        let dictionary = Dictionary::build(texts);
        let samples: Vec<_> = training
            .sentences
            .iter()
            .map(|sentence| (dictionary.features(&sentence.text), sentence.class))
            .collect();
        let classes = training.tools.len() + 1;
        let intents = Classifier::train(&samples, dictionary.len(), classes);
        let choices = train_choices(training, &dictionary);
        Self {
            dictionary,
            ordinary: ordinary_words(training),
            intents,
            choices,
        }
    }
}

fn ordinary_words(training: &Training) -> HashSet<String> {
    let mut ordinary = HashSet::new();
    for sentence in &training.sentences {
        let text = sentence.text.as_str();
        let small = words(text)
            .into_iter()
            .filter(|word| word.in_text(text) == word.lower);
        ordinary.extend(small.map(|word| word.lower));
    }
    ordinary
}

/// Trains a classifier per parameter whose values its tool's sentences express.
fn train_choices(
    training: &Training,
    dictionary: &Dictionary,
) -> HashMap<(usize, String), ChoiceModel> {
    /// A value needs this many sentences; the free texts of single examples are not choices.
    const FEWEST: usize = 3;
    let mut values: HashMap<(usize, String), Vec<(String, usize)>> = HashMap::new();
    for sentence in training.sentences.iter().filter(|s| s.class != NOTHING) {
        for (param, value) in &sentence.values {
            let known = values.entry((sentence.class, param.clone())).or_default();
            match known.iter_mut().find(|(one, _)| one == value) {
                Some((_, count)) => *count += 1,
                None => known.push((value.clone(), 1)),
            }
        }
    }
    let mut models = HashMap::new();
    for ((class, param), known) in values {
        let frequent = known.into_iter().filter(|(_, count)| *count >= FEWEST);
        let mut values = vec![String::new()];
        values.extend(frequent.map(|(value, _)| value));
        if values.len() == 1 {
            continue;
        }
        let own = training.sentences.iter().filter(|s| s.class == class);
        let samples: Vec<_> = own
            .map(|sentence| {
                let expressed = sentence.values.iter().find(|(name, _)| *name == param);
                let place = expressed.and_then(|(_, value)| values.iter().position(|v| v == value));
                (dictionary.features(&sentence.text), place.unwrap_or(0))
            })
            .collect();
        let model = Classifier::train(&samples, dictionary.len(), values.len());
        models.insert((class, param), ChoiceModel { values, model });
    }
    models
}

/// Prepared offers and trained classifiers. An assistant's phases mostly share a classifier.
#[derive(Default)]
pub(crate) struct Cache {
    catalogs: Mutex<HashMap<u64, Arc<Catalog>>>,
    learned: Mutex<HashMap<u64, Arc<TrainedModels>>>,
}

impl Cache {
    pub(crate) fn get(&self, offer: &Offer) -> Arc<Catalog> {
        cached(&self.catalogs, key(offer), || {
            let phrasings = Phrasings::parse(&offer.phrasings);
            let training = Training::of(offer, &phrasings);
            Catalog {
                tools: offer.tools.iter().map(tool).collect(),
                elsewhere: offer.elsewhere.clone(),
                learned: cached(&self.learned, training.key(), || {
                    TrainedModels::train(&training)
                }),
                phrasings,
            }
        })
    }
}

/// Returns the cached value or creates it. A full cache is cleared.
pub(crate) fn cached<T>(
    cache: &Mutex<HashMap<u64, Arc<T>>>,
    key: u64,
    make: impl FnOnce() -> T,
) -> Arc<T> {
    const MOST_KEPT: usize = 64;
    let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
    if cache.len() >= MOST_KEPT {
        cache.clear();
    }
    Arc::clone(cache.entry(key).or_insert_with(|| Arc::new(make())))
}

fn key(offer: &Offer) -> u64 {
    let mut hasher = DefaultHasher::new();
    offer.json.hash(&mut hasher);
    offer.phrasings.hash(&mut hasher);
    for tool in &offer.tools {
        (tool.spec.undoable, tool.spec.examples.len()).hash(&mut hasher);
    }
    for other in &offer.elsewhere {
        (other.tool.name.as_ref(), other.bar).hash(&mut hasher);
    }
    hasher.finish()
}

fn tool(def: &ToolDef) -> Tool {
    let params = params(def);
    let examples = def.spec.examples.clone();
    Tool {
        name: def.name.to_string(),
        title: def.title(),
        writes: def.spec.effect.writes(),
        undoable: def.spec.undoable,
        gets_user_text: def.spec.gets_user_text,
        contexts: contexts(&examples),
        params,
        examples,
    }
}

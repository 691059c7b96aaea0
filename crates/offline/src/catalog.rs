//! The tools of an offer, prepared for reading messages: parameters, examples and classifiers. Prepared
//! once for each offer and then shared.

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

    /// The text that a search looks for: the only value that a tool needs which reads.
    pub(crate) fn search_param(&self) -> Option<&Param> {
        let mut required = self.required();
        let text = required
            .next()
            .filter(|param| matches!(param.kind, Kind::Text))?;
        (required.next().is_none() && !self.writes).then_some(text)
    }

    /// The values that a call still lacks.
    pub(crate) fn missing(&self, arguments: &Map<String, Value>) -> Vec<&Param> {
        self.required()
            .filter(|param| !arguments.contains_key(&param.name))
            .collect()
    }

    /// Whether a call becomes a form that the person completes.
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

/// Everything that is trained.
pub(crate) struct TrainedModels {
    dictionary: Dictionary,
    /// Words that the sentences write with a small letter: no names.
    ordinary: HashSet<String>,
    intents: Classifier,
    /// Classifiers of choices, by class of the tool and parameter.
    choices: HashMap<(usize, String), ChoiceModel>,
}

struct ChoiceModel {
    /// JSON texts; the first one stands for "not said".
    values: Vec<String>,
    model: Classifier,
}

/// What a message asks for, with its probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Intent {
    Tool(usize),
    Elsewhere(usize),
    Nothing,
}

impl Catalog {
    /// All intents, the most probable first.
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

    /// The value of a choice that a text expresses, with its probability. `None` where the examples of
    /// the tool have no sentences for it.
    pub(crate) fn choice(&self, tool: usize, param: &str, text: &str) -> Option<(Value, f32)> {
        let model = self.learned.choices.get(&(tool + 1, param.to_owned()))?;
        let features = self.learned.dictionary.features(text);
        if features.is_empty() {
            return None;
        }
        let probabilities = model.model.probabilities(&features);
        let said = probabilities.iter().copied().enumerate().skip(1);
        let (best, probability) = said.max_by(|a, b| a.1.total_cmp(&b.1))?;
        let value = serde_json::from_str(&model.values[best]).ok()?;
        Some((value, probability))
    }

    /// Whether a word occurs with a small letter in what people say to this assistant.
    pub(crate) fn is_ordinary(&self, lower: &str) -> bool {
        self.learned.ordinary.contains(lower)
    }

    /// The tool with this title, whatever its case.
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

/// One classifier for each parameter for which the sentences express values. It learns from the
/// sentences of its tool alone.
fn train_choices(
    training: &Training,
    dictionary: &Dictionary,
) -> HashMap<(usize, String), ChoiceModel> {
    /// A value needs this many sentences; free texts of single examples are no choices.
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
                let said = sentence.values.iter().find(|(name, _)| *name == param);
                let place = said.and_then(|(_, value)| values.iter().position(|v| v == value));
                (dictionary.features(&sentence.text), place.unwrap_or(0))
            })
            .collect();
        let model = Classifier::train(&samples, dictionary.len(), values.len());
        models.insert((class, param), ChoiceModel { values, model });
    }
    models
}

/// Prepared offers and trained classifiers. An assistant's phases and roles mostly share one classifier.
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

/// The kept value of a key, made where there is none. A full cache starts anew.
fn cached<T>(kept: &Mutex<HashMap<u64, Arc<T>>>, key: u64, make: impl FnOnce() -> T) -> Arc<T> {
    const MOST_KEPT: usize = 64;
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.len() >= MOST_KEPT {
        kept.clear();
    }
    Arc::clone(kept.entry(key).or_insert_with(|| Arc::new(make())))
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

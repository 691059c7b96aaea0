//! The training sentences of an offer: texts of the tools and the assistant's phrasings, labelled
//! with the tool that this person would use.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use frontdesk_core::tool::ToolDef;
use frontdesk_core::toolbox::Offer;
use serde_json::Value;

use super::phrasings::{Group, Phrasings};

/// The class of messages without a request.
pub(crate) const NOTHING: usize = 0;

/// Sentences that ask for nothing in any assistant, in each language.
const SMALL_TALK: &str = include_str!("../small_talk.txt");

pub(crate) fn small_talk() -> impl Iterator<Item = &'static str> {
    SMALL_TALK.lines().filter(|line| !line.is_empty())
}

/// Sentences with their classes, and the values that some of them express.
#[derive(Hash)]
pub(crate) struct Training {
    /// Tool names; class `n + 1` is the tool `n`.
    pub(crate) tools: Vec<String>,
    pub(crate) sentences: Vec<Sentence>,
}

#[derive(Hash)]
pub(crate) struct Sentence {
    pub(crate) text: String,
    pub(crate) class: usize,
    /// Parameter, and the value as JSON text.
    pub(crate) values: Vec<(String, String)>,
}

impl Training {
    /// Includes tools that are not offered: they train the requests that cannot be made now.
    pub(crate) fn of(offer: &Offer, phrasings: &Phrasings) -> Self {
        let elsewhere = offer.elsewhere.iter().map(|other| &other.tool);
        let defs: Vec<&ToolDef> = offer.tools.iter().chain(elsewhere).collect();
        let mut training = Self {
            tools: defs.iter().map(|def| def.name.to_string()).collect(),
            sentences: Vec::new(),
        };
        let stand_ins = stand_ins(offer, phrasings);
        for group in &phrasings.groups {
            training.add_group(group, &stand_ins);
        }
        for def in defs {
            training.add_tool(def, &stand_ins);
        }
        for line in small_talk() {
            training.add(line, NOTHING, Vec::new());
        }
        training
    }

    pub(crate) fn key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    fn add_group(&mut self, group: &Group, stand_ins: &[(String, String)]) {
        let class = match group.tools.first() {
            None => NOTHING,
            Some(first) => {
                let offered = group.tools.iter().find(|tool| is_offered(tool, stand_ins));
                self.class_of(offered.unwrap_or(first), stand_ins)
            }
        };
        for text in &group.sentences {
            let values = group.values.iter();
            let values = values.map(|(name, value)| (name.clone(), value.to_string()));
            self.add(text, class, values.collect());
        }
    }

    fn add_tool(&mut self, def: &ToolDef, stand_ins: &[(String, String)]) {
        let class = self.class_of(&def.name, stand_ins);
        self.add(&def.title(), class, Vec::new());
        for sentence in def.spec.description.split_inclusive(". ").take(1) {
            self.add(sentence, class, Vec::new());
        }
        for example in &def.spec.examples {
            let fields = example.arguments.as_object().into_iter().flatten();
            let scalar = |value: &Value| value.is_boolean() || value.is_string();
            let values = fields.filter(|(_, value)| scalar(value));
            let values = values.map(|(name, value)| (name.clone(), value.to_string()));
            self.add(&example.say, class, values.collect());
        }
    }

    fn add(&mut self, text: &str, class: usize, values: Vec<(String, String)>) {
        let text = text.to_owned();
        self.sentences.push(Sentence {
            text,
            class,
            values,
        });
    }

    fn class_of(&self, tool: &str, stand_ins: &[(String, String)]) -> usize {
        let stand_in = stand_ins.iter().find(|(other, _)| other == tool);
        let name = stand_in.map_or(tool, |(_, own)| own);
        let place = self.tools.iter().position(|known| known == name);
        place.map_or(NOTHING, |place| place + 1)
    }
}

/// Maps each tool to the offered tool that does the same for this person: itself, or the one that
/// shares its group or title.
fn stand_ins(offer: &Offer, phrasings: &Phrasings) -> Vec<(String, String)> {
    let own = |def: &ToolDef| (def.name.to_string(), def.name.to_string());
    let mut pairs: Vec<(String, String)> = offer.tools.iter().map(own).collect();
    for other in &offer.elsewhere {
        let name = other.tool.name.as_ref();
        let titled = offer
            .tools
            .iter()
            .find(|def| def.title() == other.tool.title());
        let grouped = phrasings.groups.iter().find_map(|group| {
            let shares = group.tools.iter().any(|tool| tool == name);
            let mut offered = offer.tools.iter();
            let found = offered.find(|def| group.tools.iter().any(|tool| *tool == def.name));
            found.filter(|_| shares)
        });
        if let Some(def) = titled.or(grouped) {
            pairs.push((name.to_owned(), def.name.to_string()));
        }
    }
    pairs
}

fn is_offered(tool: &str, stand_ins: &[(String, String)]) -> bool {
    stand_ins
        .iter()
        .any(|(other, own)| other == tool && own == tool)
}

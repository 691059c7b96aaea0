//! Everything the model knows of an offer, worked out once: which words point to which
//! tool, what its parameters are, and what its examples teach.

mod cache;
mod lessons;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use frontdesk_core::tool::{ApprovalRule, ToolDef, WouldKeep};
use frontdesk_core::toolbox::Offer;
use serde_json::Value;

use super::cues::Cue;
use super::elsewhere::Elsewhere;
use super::learned::{Learned, Taught};
use super::lexicon::{Concept, LEXICON, Meaning};
use super::near::Vocabulary;
use super::param::{Kind, Param, name_in_words, params_of};
use super::tongue::Tongues;
use super::values::pattern::Pattern;
use super::words::{Text, Word};
pub(super) use cache::IndexCache;
pub(super) use lessons::{Lesson, template};

pub(super) struct Index {
    pub(super) tools: Vec<ToolIndex>,
    /// For each key the tools it points to, and how strongly.
    postings: HashMap<String, Vec<(usize, f32)>>,
    pub(super) vocabulary: Vocabulary,
    /// Words in names and titles.
    named: BTreeSet<String>,
    /// Every shape of code that some parameter declares, once.
    pub(super) patterns: Vec<Pattern>,
    /// The languages the examples are in.
    pub(super) tongues: Tongues,
    /// What the assistant has beside these tools.
    pub(super) elsewhere: Option<Box<Elsewhere>>,
    /// What the assistant's list of what people say teaches, where there is one.
    pub(super) taught: Option<Taught>,
}

pub(super) struct ToolIndex {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) writes: bool,
    pub(super) target: Option<String>,
    /// It keeps what people say about themselves; tells whether a message has anything for it.
    pub(super) listens: Option<WouldKeep>,
    /// It makes a document beside those that are there: a new one takes nothing away.
    pub(super) drafts: bool,
    pub(super) params: Vec<Param>,
    /// What it does, as far as that has a common word.
    pub(super) actions: BTreeSet<Concept>,
    /// First words of its name, its title and its examples.
    pub(super) openings: BTreeSet<String>,
    /// The first word of its name, which is a verb by custom.
    pub(super) verb: String,
    pub(super) name_terms: Vec<Vec<String>>,
    pub(super) title_terms: Vec<Vec<String>>,
    pub(super) lessons: Vec<Lesson>,
}

/// How much a word says, by where a tool uses it.
const IN_NAME: f32 = 1.0;
const IN_TITLE: f32 = 1.0;
const IN_EXAMPLE: f32 = 0.9;
const IN_FIRST_SENTENCE: f32 = 0.75;
const IN_DESCRIPTION: f32 = 0.5;
const IN_CHOICE: f32 = 0.5;
const IN_PARAMETER: f32 = 0.35;
/// Another word for the same thing says a little less than the word itself.
pub(super) const BY_MEANING: f32 = 0.85;

impl Index {
    pub(super) fn new(offer: &Offer, learned: Option<Arc<Learned>>) -> Self {
        let tools: Vec<&ToolDef> = offer.tools.iter().collect();
        let mut index = Self::of(&tools);
        if let Some(learned) = &learned {
            learned
                .small_words()
                .for_each(|word| index.vocabulary.add(word));
        }
        Self {
            taught: learned.map(|learned| Taught::new(learned, offer)),
            elsewhere: Elsewhere::new(offer).map(Box::new),
            ..index
        }
    }

    pub(super) fn of(tools: &[&ToolDef]) -> Self {
        let mut index = Self {
            tools: Vec::with_capacity(tools.len()),
            postings: HashMap::new(),
            vocabulary: Vocabulary::default(),
            named: BTreeSet::new(),
            patterns: Vec::new(),
            tongues: Tongues::learn(examples(tools)),
            elsewhere: None,
            taught: None,
        };
        for def in tools {
            index.add(def);
        }
        index
    }

    fn add(&mut self, def: &ToolDef) {
        let arguments: Vec<Value> = def
            .spec
            .examples
            .iter()
            .map(|example| example.arguments.clone())
            .collect();
        let params = to_be_said(def, &arguments);
        let lessons: Vec<Lesson> = def
            .spec
            .examples
            .iter()
            .map(|example| Lesson::learn(&example.say, &example.arguments, &params))
            .collect();
        let name = Text::new(&name_in_words(&def.name));
        let title = Text::new(&def.title());
        let tool = ToolIndex {
            name: def.name.to_string(),
            title: def.title(),
            description: def.spec.description.to_string(),
            writes: def.spec.effect.writes(),
            target: existing(def, &title, &params),
            listens: def.spec.listens,
            drafts: drafts(def),
            actions: actions(&name, &title, def, &lessons),
            openings: openings(&name, &title, &lessons),
            verb: name
                .words
                .first()
                .map(|word| word.lower.clone())
                .unwrap_or_default(),
            name_terms: terms(&name),
            title_terms: terms(&title),
            params,
            lessons,
        };
        let tool = tool.with_chosen_actions();
        let mut weights: HashMap<String, f32> = HashMap::new();
        self.note(&mut weights, &name, IN_NAME);
        self.note(&mut weights, &title, IN_TITLE);
        let called = name.words.iter().chain(&title.words);
        let called = called.filter(|word| !word.function);
        self.named.extend(called.map(|word| word.lower.clone()));
        for (position, sentence) in def.spec.description.split(". ").enumerate() {
            // What a tool is not for says nothing of what it is for.
            let sentence = sentence.split("not for ").next().unwrap_or(sentence);
            let weight = if position == 0 {
                IN_FIRST_SENTENCE
            } else {
                IN_DESCRIPTION
            };
            self.note(&mut weights, &Text::new(sentence), weight);
        }
        for lesson in &tool.lessons {
            self.note(&mut weights, &lesson.without_values, IN_EXAMPLE);
        }
        for param in &tool.params {
            self.note_param(&mut weights, param);
        }
        // Who asks how a thing stands wants to see it.
        if tool.tells_all() {
            for key in ["#status", "#history"] {
                weights.entry(key.to_owned()).or_insert(IN_DESCRIPTION);
            }
        }
        // Who takes what must not be there is asked who lacks it.
        let denies = |param: &Param| param.is_negative() && param.twin_in(&tool.params).is_some();
        if tool.params.iter().any(denies) {
            for key in ["#lack", "#know"] {
                weights.entry(key.to_owned()).or_insert(IN_DESCRIPTION);
            }
        }
        let number = self.tools.len();
        for (key, weight) in weights {
            self.postings.entry(key).or_default().push((number, weight));
        }
        self.tools.push(tool);
    }

    fn note(&mut self, weights: &mut HashMap<String, f32>, text: &Text, weight: f32) {
        weigh(weights, &mut self.vocabulary, text, weight);
    }

    fn note_param(&mut self, weights: &mut HashMap<String, f32>, param: &Param) {
        if let Some(pattern) = param.kind.pattern()
            && self.patterns.iter().all(|known| !known.same_as(pattern))
        {
            self.patterns.push(pattern.clone());
        }
        let name = Text::new(&name_in_words(&param.name));
        self.note(weights, &name, IN_PARAMETER);
        self.note(weights, &Text::new(&param.description), IN_PARAMETER);
        if let Kind::Enum(choices) = &param.kind {
            for choice in choices {
                let words = Text::new(&name_in_words(&choice.in_words()));
                self.note(weights, &words, IN_CHOICE);
            }
        }
    }

    /// The tools this key points to.
    pub(super) fn tools_by(&self, key: &str) -> &[(usize, f32)] {
        self.postings.get(key).map_or(&[], Vec::as_slice)
    }

    /// Whether this key points to the tool by more than so much.
    pub(super) fn points_to(&self, key: &str, tool: usize, weight: f32) -> bool {
        let mut tools = self.tools_by(key).iter();
        tools.any(|(to, own)| *to == tool && *own > weight)
    }

    /// Whether a tool is named after this verb.
    pub(super) fn has_verb(&self, lower: &str) -> bool {
        self.tools.iter().any(|tool| tool.verb == lower)
    }

    pub(super) fn by_name(&self, name: &str) -> Option<usize> {
        self.tools.iter().position(|tool| tool.name == name)
    }

    /// The one word in names and titles of tools that begins so and goes on.
    pub(super) fn named_by(&self, beginning: &str) -> Option<&str> {
        const MISSING: usize = 3;
        let length = beginning.chars().count();
        let mut found = self
            .named
            .iter()
            .filter(|word| word.starts_with(beginning) && word.chars().count() >= length + MISSING);
        let first = found.next()?;
        // "candidate" and "candidates" are one.
        let alike =
            |other: &String| other.starts_with(first.as_str()) || first.starts_with(other.as_str());
        found.all(alike).then_some(first)
    }

    /// Whether some tool takes texts that people paste.
    pub(super) fn takes_long_text(&self) -> bool {
        let mut params = self.tools.iter().flat_map(|tool| &tool.params);
        params.any(|param| matches!(param.kind, Kind::LongText))
    }

    /// Whether a line begins by ordering something that is offered.
    pub(super) fn is_order(&self, line: &str) -> bool {
        let text = Text::new(line);
        let begins = Cue::skip(&[Cue::Greeting, Cue::Polite, Cue::Join], &text, 0);
        let meanings = LEXICON.read(&text);
        let ordered = meanings.get(begins).map(|meaning| &meaning.commands);
        ordered.is_some_and(|all| all.iter().any(|action| self.offers_action(*action)))
    }

    /// Whether some tool answers questions by looking them up.
    pub(super) fn looks_up(&self) -> bool {
        let mut tools = self.tools.iter();
        tools.any(|tool| tool.question_param().is_some())
    }

    /// Whether some tool does this.
    pub(super) fn offers_action(&self, action: Concept) -> bool {
        self.tools.iter().any(|tool| tool.actions.contains(&action))
    }
}

impl ToolIndex {
    /// A tool that writes what was decided also does what can be decided.
    fn with_chosen_actions(mut self) -> Self {
        let decided = self
            .params
            .iter()
            .filter(|_| self.writes)
            .filter_map(|param| {
                if let Kind::Enum(choices) = &param.kind {
                    Some(choices)
                } else {
                    None
                }
            });
        let commands: Vec<Concept> = decided.flatten().flat_map(|c| c.commands.clone()).collect();
        self.actions.extend(commands);
        self
    }

    /// Whether its business is to say what it thinks of a text: it changes nothing that is there.
    pub(super) fn judges(&self) -> bool {
        let reviews = |keys: &Vec<String>| keys.iter().any(|key| key == "#review");
        let takes_text = |param: &Param| matches!(param.kind, Kind::LongText);
        let verb = self
            .name_terms
            .first()
            .into_iter()
            .chain(self.title_terms.first());
        self.target.is_none() && verb.into_iter().any(reviews) && self.params.iter().any(takes_text)
    }

    /// Whether its business is to tell all about one thing.
    pub(super) fn tells_all(&self) -> bool {
        let words = self.name_terms.iter().chain(&self.title_terms).flatten();
        let details = words.into_iter().any(|key| key == "#details");
        let required = self.params.iter().filter(|param| param.required).count();
        !self.writes && required == 1 && (details || self.shows_one_thing())
    }

    /// "Show a pass": to look, and nothing but the thing itself.
    fn shows_one_thing(&self) -> bool {
        let looks = |keys: &&Vec<String>| {
            let mut keys = keys.iter();
            keys.any(|key| ["#show", "#find"].contains(&key.as_str()))
        };
        let verbs = self.title_terms.iter().filter(looks).count();
        verbs == 1 && self.title_terms.len() == 2
    }

    pub(super) fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }

    /// The parameter that takes a whole question, where the tool looks something up.
    pub(super) fn question_param(&self) -> Option<&Param> {
        let query = LEXICON.named("query").map(|concept| LEXICON.key(concept))?;
        self.params.iter().find(|param| {
            let asks = param.labels.contains(&query) || param.hints.contains(&query);
            param.required && !self.writes && asks && matches!(param.kind, Kind::Text)
        })
    }
}

fn examples<'a>(tools: &'a [&ToolDef]) -> impl Iterator<Item = &'a str> + Clone {
    let all = tools.iter().flat_map(|def| &def.spec.examples);
    all.map(|example| example.say.as_ref())
}

fn weigh(
    weights: &mut HashMap<String, f32>,
    vocabulary: &mut Vocabulary,
    text: &Text,
    weight: f32,
) {
    for (word, meaning) in text.words.iter().zip(LEXICON.read(text)) {
        for (key, share) in keys_of(word, &meaning) {
            // To want something is not what a tool does.
            if key == "#need" {
                continue;
            }
            let known = weights.entry(key).or_insert(0.0);
            *known = known.max(weight * share);
        }
        if !word.function {
            vocabulary.add(&word.lower);
        }
    }
}

/// What belongs to who speaks, where examples say so ("questions for my first call").
const MINE: [&str; 11] = [
    "my", "mine", "min", "mitt", "mina", "mit", "mein", "meine", "meinen", "meinem", "meiner",
];

/// What a quality tells of what it is a quality of.
const OF_A_KIND: f32 = 0.8;

/// The keys of a word that carries meaning, with those of its meanings.
pub(super) fn keys_of(word: &Word, meaning: &Meaning) -> Vec<(String, f32)> {
    let own = word.keys.iter().map(|key| (key.clone(), 1.0));
    let kin = meaning
        .concepts
        .iter()
        .filter_map(|c| LEXICON.key_of_kin(*c));
    let meant = meaning.concepts.iter().map(|c| LEXICON.key(*c));
    let meant = meant.map(|key| (key, 1.0));
    let meant = meant.chain(kin.map(|key| (key, OF_A_KIND)));
    match (word.function || meaning.continues, meaning.phrase) {
        (true, false) if MINE.contains(&word.lower.as_str()) => vec![("#mine".to_owned(), 1.0)],
        (true, false) => Vec::new(),
        (_, true) => meant.collect(),
        (false, false) => own.chain(meant).collect(),
    }
}

/// What a person may say or be asked for. Who acts is known from the sign-in.
fn to_be_said(def: &ToolDef, examples: &[Value]) -> Vec<Param> {
    let mut params = params_of(&def.parameters, examples);
    params.retain(|param| def.spec.own_name.as_deref() != Some(param.name.as_str()));
    params
}

fn drafts(def: &ToolDef) -> bool {
    let waits = matches!(def.spec.approval, ApprovalRule::Always { .. });
    def.spec.produces.is_some() && def.spec.target.is_none() && !waits
}

/// What a tool acts on. Whoever makes something new names it, and acts on nothing yet.
fn existing(def: &ToolDef, title: &Text, params: &[Param]) -> Option<String> {
    let target = def.spec.target.as_deref()?;
    let verb = LEXICON.read(title).into_iter().next();
    let creates = verb.is_some_and(|verb| {
        let mut commands = verb.commands.iter();
        commands.any(|action| LEXICON.name(*action) == "create")
    });
    let mut named = params.iter().filter(|param| param.name == target);
    let free = named.any(|param| matches!(param.kind, Kind::Name | Kind::Text));
    (!creates || !free).then(|| target.to_owned())
}

fn terms(text: &Text) -> Vec<Vec<String>> {
    text.words
        .iter()
        .zip(LEXICON.read(text))
        .map(|(word, meaning)| {
            let keys = keys_of(word, &meaning);
            keys.into_iter().map(|(key, _)| key).collect::<Vec<_>>()
        })
        .filter(|keys| !keys.is_empty())
        .collect()
}

/// What the tool does: the commands in its name, at the start of title and description,
/// and in its examples.
fn actions(name: &Text, title: &Text, def: &ToolDef, lessons: &[Lesson]) -> BTreeSet<Concept> {
    let description = Text::new(&def.spec.description);
    let mut actions: BTreeSet<Concept> = BTreeSet::new();
    let mut add = |text: &Text, words: usize| {
        for meaning in LEXICON.read(text).into_iter().take(words) {
            actions.extend(meaning.commands);
        }
    };
    add(name, usize::MAX);
    add(title, 2);
    add(&description, 1);
    for lesson in lessons {
        let first = LEXICON
            .read(&lesson.without_values)
            .into_iter()
            .find(|m| !m.commands.is_empty());
        actions.extend(first.into_iter().flat_map(|m| m.commands));
    }
    // To wish for something new is to have it made.
    if let (Some(need), Some(create)) = (LEXICON.named("need"), LEXICON.named("create"))
        && actions.remove(&need)
    {
        actions.insert(create);
    }
    actions
}

fn openings(name: &Text, title: &Text, lessons: &[Lesson]) -> BTreeSet<String> {
    let said = lessons.iter().map(|lesson| &lesson.without_values);
    [name, title]
        .into_iter()
        .chain(said)
        .filter_map(|text| text.words.iter().find(|word| !word.function))
        .map(|word| word.lower.clone())
        .collect()
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod index_tests;

//! A tool's parameter as its JSON Schema declares it: what kind of value it takes, by
//! which words it is called, and how a person is asked for it.

mod kind;

use serde_json::Value;

use super::lexicon::LEXICON;
use super::words::{Text, Word, normal};
pub(super) use kind::{Choice, Kind, NumberRule};

#[derive(Clone, Debug)]
pub(super) struct Param {
    pub(super) name: String,
    pub(super) required: bool,
    pub(super) kind: Kind,
    /// How a person is asked for it.
    pub(super) ask: String,
    /// Keys of the words in its name that tell it from others.
    pub(super) labels: Vec<String>,
    /// Every word of its name.
    pub(super) called: Vec<String>,
    /// The first letters of the words that tell it from others, where there are two and more.
    pub(super) initials: Option<String>,
    /// Keys of the words in its description.
    pub(super) hints: Vec<String>,
    pub(super) description: String,
    pub(super) length: (usize, usize),
    /// How many a list must have.
    pub(super) least_items: usize,
    /// By its examples it holds a title: a few words with a capital, no sentence.
    pub(super) is_title: bool,
}

/// All parameters, in the schema's order with the required ones as they are declared.
pub(super) fn params_of(schema: &Value, examples: &[Value]) -> Vec<Param> {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Vec::new();
    };
    let mut params: Vec<Param> = properties
        .iter()
        .map(|(name, property)| {
            let seen: Vec<&Value> = examples.iter().filter_map(|args| args.get(name)).collect();
            let wanted = required.contains(&name.as_str());
            Param::new(schema, name, property, wanted, &seen)
        })
        .collect();
    let place = |param: &Param| required.iter().position(|name| *name == param.name);
    params.sort_by_key(|param| place(param).unwrap_or(usize::MAX));
    params
}

impl Param {
    /// Whether a word stands in its name.
    pub(super) fn is_called_by(&self, word: &Word) -> bool {
        word.keys.iter().any(|key| self.labels.contains(key))
    }

    fn new(root: &Value, name: &str, property: &Value, required: bool, seen: &[&Value]) -> Self {
        let schema = kind::plain(root, property);
        let text = |from: &Value| Some(from.get("description")?.as_str()?.trim().to_owned());
        let description = text(property).or_else(|| text(schema)).unwrap_or_default();
        let in_words = name_in_words(name);
        let kind = Kind::of(root, schema, &in_words, &description, seen);
        let length = |keyword: &str, default: usize| {
            let found = schema.get(keyword).and_then(Value::as_u64);
            found.map_or(default, |n| usize::try_from(n).unwrap_or(default))
        };
        Self {
            name: name.to_owned(),
            required,
            ask: ask_for(&in_words, &description, &kind),
            labels: label_keys(&in_words),
            called: normal(&in_words)
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
            initials: initials(&in_words),
            hints: label_keys(affirmed(&kind, &description)),
            length: (length("minLength", 0), length("maxLength", usize::MAX)),
            least_items: length("minItems", 0),
            is_title: matches!(kind, Kind::Text) && are_titles(seen),
            kind,
            description,
        }
    }

    /// Of `with_skill` and `without_skill` the other one.
    pub(super) fn twin_in<'a>(&self, params: &'a [Param]) -> Option<&'a Param> {
        let (own, base) = polarity(&self.name);
        let opposite = |other: &&Param| {
            let (its, name) = polarity(&other.name);
            name == base && own.is_some() && its.is_some() && its != own
        };
        params.iter().find(opposite)
    }

    /// The words of its name that tell what it holds, each by all that it may be known by.
    pub(super) fn name_words(&self) -> impl Iterator<Item = Vec<String>> {
        let in_words = self.name.replace('_', " ");
        let text = Text::new(&in_words);
        let meanings = LEXICON.read(&text);
        let words = text.words.into_iter().zip(meanings);
        words.filter_map(|(word, meaning)| {
            let small = word.function || GENERIC.contains(&word.lower.as_str());
            let means = meaning.concepts.iter().map(|c| LEXICON.key(*c));
            (!small).then(|| std::iter::once(word.lower).chain(means).collect())
        })
    }

    /// Whether it holds what must not be there.
    pub(super) fn is_negative(&self) -> bool {
        polarity(&self.name).0 == Some(false)
    }

    /// Whether a text may stand here as far as its length goes.
    pub(super) fn fits(&self, text: &str) -> bool {
        let (least, most) = self.length;
        (least.max(1)..=most).contains(&text.chars().count())
    }
}

/// Whether a parameter's name affirms or denies something, and what.
fn polarity(name: &str) -> (Option<bool>, &str) {
    const DENY: [&str; 6] = [
        "without_",
        "not_",
        "exclude_",
        "excluding_",
        "lacks_",
        "no_",
    ];
    const AFFIRM: [&str; 4] = ["with_", "has_", "include_", "including_"];
    let cut = |all: &[&str]| all.iter().find_map(|prefix| name.strip_prefix(prefix));
    if let Some(rest) = cut(&DENY) {
        return (Some(false), rest);
    }
    match cut(&AFFIRM) {
        Some(rest) => (Some(true), rest),
        None => (None, name),
    }
}

fn are_titles(seen: &[&Value]) -> bool {
    const LONGEST: usize = 5;
    let is_title = |value: &&Value| {
        value.as_str().is_some_and(|text| {
            let capital = text.chars().next().is_some_and(char::is_uppercase);
            capital && !text.ends_with(['.', '!', '?']) && text.split(' ').count() <= LONGEST
        })
    };
    !seen.is_empty() && seen.iter().all(is_title)
}

pub(super) fn name_in_words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let mut previous_lower = false;
    for c in name.chars() {
        match c {
            '_' | '-' | '.' => words.push(' '),
            upper if upper.is_uppercase() && previous_lower => {
                words.push(' ');
                words.extend(upper.to_lowercase());
            }
            other => words.push(other),
        }
        previous_lower = c.is_lowercase();
    }
    words
}

/// What a description says about the parameter itself: "… false if they leave" speaks of
/// the opposite of what a boolean is about.
fn affirmed<'a>(kind: &Kind, description: &'a str) -> &'a str {
    match description.to_lowercase().find("false") {
        Some(at) if matches!(kind, Kind::Boolean) => description.get(..at).unwrap_or(description),
        Some(_) | None => description,
    }
}

/// Words that stand in the names of all kinds of parameters and tell them not apart.
const GENERIC: [&str; 12] = [
    "is", "has", "id", "name", "number", "text", "value", "include", "of", "the", "number", "list",
];

fn label_keys(text: &str) -> Vec<String> {
    let text = Text::new(text);
    let mut keys: Vec<String> = Vec::new();
    let all_generic = text
        .words
        .iter()
        .all(|w| GENERIC.contains(&w.lower.as_str()));
    for (word, meaning) in text.words.iter().zip(LEXICON.read(&text)) {
        let generic = GENERIC.contains(&word.lower.as_str()) && !all_generic;
        if word.function || generic {
            continue;
        }
        keys.extend(word.keys.iter().cloned());
        keys.extend(meaning.concepts.iter().map(|c| LEXICON.key(*c)));
    }
    keys.sort();
    keys.dedup();
    keys
}

fn initials(in_words: &str) -> Option<String> {
    let words = in_words.split_whitespace();
    let telling: Vec<&str> = words.filter(|word| !GENERIC.contains(word)).collect();
    let letters: String = telling
        .iter()
        .filter_map(|word| word.chars().next())
        .collect();
    (telling.len() > 1).then(|| normal(&letters))
}

const LONGEST_ASK: usize = 160;

/// The first sentence of the description, or the name in words; the values where they
/// are few and not named already.
fn ask_for(in_words: &str, description: &str, kind: &Kind) -> String {
    let sentence = description
        .split_inclusive(". ")
        .next()
        .unwrap_or_default()
        .split('\n')
        .next()
        .unwrap_or_default()
        .trim()
        .trim_end_matches('.');
    let base: String = if sentence.is_empty() {
        capitalised(in_words)
    } else {
        sentence.chars().take(LONGEST_ASK).collect()
    };
    let Kind::Enum(choices) = kind else {
        return base;
    };
    // "Decision: INVITE (invite to an interview), …": asked for in the words of the description.
    let words = choices
        .iter()
        .map(|choice| words_for(&choice.value, description));
    if let (Some(words), Some((lead, _))) =
        (words.collect::<Option<Vec<&str>>>(), base.split_once(':'))
    {
        return format!("{lead} ({})", words.join(", "));
    }
    let names: Vec<String> = choices.iter().map(Choice::in_words).collect();
    let said = normal(&base);
    if names.iter().all(|name| said.contains(&normal(name))) {
        return base;
    }
    format!("{base} ({})", names.join(", "))
}

/// What a description says of one of its values, in brackets behind it.
pub(super) fn words_for<'a>(value: &Value, description: &'a str) -> Option<&'a str> {
    let value = value.as_str()?;
    let marked = |at: usize| {
        let before = description[..at].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && c != '_')
    };
    let mut places = description.match_indices(value).map(|(at, _)| at);
    let at = places.find(|at| marked(*at))?;
    let rest = description[at + value.len()..].strip_prefix(" (")?;
    rest.split_once(')').map(|(words, _)| words)
}

pub(super) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

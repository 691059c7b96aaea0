//! What kind of value a schema asks for.

mod strings;

use serde_json::Value;

use super::super::lexicon::{Concept, LEXICON};
use super::super::values::numbers::Unit;
use super::super::values::pattern::Pattern;
use super::super::words::{Text, Word, keys, normal};
use strings::string_kind;

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Pattern(Pattern),
    Enum(Vec<Choice>),
    Boolean,
    Number(NumberRule),
    /// A day, as `YYYY-MM-DD`; `strict` when the schema takes nothing else.
    Date {
        strict: bool,
    },
    /// `HH:MM`.
    Time {
        seconds: bool,
    },
    /// `zoned` when it is written with its distance from UTC.
    DateTime {
        zoned: bool,
    },
    /// A pasted block, by handle or in place.
    LongText,
    File,
    /// An identifier without a known shape.
    Id,
    /// What somebody or something is called.
    Name,
    /// Words of the person's own.
    Text,
    List(Box<Kind>),
    /// Nothing that can be found in a sentence; it takes the form.
    Other,
}

/// A value of an enumeration and the words for it.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) value: Value,
    /// The value as a sequence of words, each with its keys.
    pub(crate) words: Vec<Vec<String>>,
    pub(crate) concepts: Vec<Concept>,
    /// Keys of what the schema says about this value.
    pub(crate) hints: Vec<String>,
    /// What it commands, where the value is a decision ("INVITE").
    pub(crate) commands: Vec<Concept>,
}

impl Choice {
    /// Whether its name has several words, and this is one of them.
    pub(crate) fn has_part(&self, word: &Word) -> bool {
        let is_it = |keys: &Vec<String>| keys.iter().any(|key| word.keys.contains(key));
        self.words.len() > 1 && self.words.iter().any(is_it)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberRule {
    pub(crate) integer: bool,
    pub(crate) least: f64,
    pub(crate) most: f64,
    pub(crate) unit: Option<Unit>,
    pub(crate) money: bool,
}

/// The schema without references and without the `null` of an optional value.
pub(crate) fn plain<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    const DEEPEST: usize = 8;
    let mut schema = schema;
    for _ in 0..DEEPEST {
        let reference = schema.get("$ref").and_then(Value::as_str);
        if let Some(target) = reference.and_then(|r| root.pointer(r.strip_prefix('#')?)) {
            schema = target;
            continue;
        }
        let only = ["anyOf", "oneOf", "allOf"].iter().find_map(|keyword| {
            let branches = schema.get(keyword)?.as_array()?;
            let mut real = branches.iter().filter(|branch| !is_null(branch));
            let first = real.next()?;
            real.next().is_none().then_some(first)
        });
        match only {
            Some(branch) => schema = branch,
            None => return schema,
        }
    }
    schema
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("null")
        || schema.get("const") == Some(&Value::Null)
}

fn type_of(schema: &Value) -> &str {
    match schema.get("type") {
        Some(Value::String(name)) => name,
        Some(Value::Array(names)) => names
            .iter()
            .filter_map(Value::as_str)
            .find(|name| *name != "null")
            .unwrap_or(""),
        _ => "",
    }
}

impl Kind {
    /// Whether it is a list of names or of other words.
    pub(crate) fn lists_words(&self) -> bool {
        matches!(self, Kind::List(items) if matches!(items.as_ref(), Kind::Name | Kind::Text))
    }

    /// The shape of its values, also where there may be several.
    pub(crate) fn pattern(&self) -> Option<&Pattern> {
        if let Kind::Pattern(pattern) = self {
            return Some(pattern);
        }
        if let Kind::List(items) = self {
            return items.pattern();
        }
        None
    }

    pub(crate) fn of(
        root: &Value,
        schema: &Value,
        name: &str,
        description: &str,
        seen: &[&Value],
    ) -> Kind {
        let choices = choices_of(schema, description);
        if !choices.is_empty() {
            return Kind::Enum(choices);
        }
        match type_of(schema) {
            "boolean" => Kind::Boolean,
            "integer" | "number" => Kind::Number(number_rule(schema, name, description)),
            "string" => string_kind(schema, name, description, seen),
            "array" => match schema.get("items") {
                Some(items) => {
                    let items = plain(root, items);
                    let parts: Vec<&Value> = seen.iter().filter_map(|v| v.get(0)).collect();
                    let kind = Kind::of(root, items, name, description, &parts);
                    if matches!(kind, Kind::Other) {
                        return Kind::Other;
                    }
                    Kind::List(Box::new(kind))
                }
                None => Kind::Other,
            },
            _ => Kind::Other,
        }
    }
}

fn choices_of(schema: &Value, description: &str) -> Vec<Choice> {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let real = values.iter().filter(|value| !value.is_null());
        return real
            .map(|v| Choice::new(v, &said_of(v, description)))
            .collect();
    }
    let Some(branches) = schema.get("oneOf").and_then(Value::as_array) else {
        return Vec::new();
    };
    let mut choices = Vec::new();
    for branch in branches.iter().filter(|branch| !is_null(branch)) {
        let said = branch
            .get("description")
            .and_then(Value::as_str)
            .unwrap_or("");
        match (branch.get("const"), branch.get("enum")) {
            (Some(value), _) => choices.push(Choice::new(value, said)),
            (None, Some(Value::Array(values))) => {
                choices.extend(values.iter().map(|value| Choice::new(value, said)));
            }
            (None, _) => return Vec::new(),
        }
    }
    choices
}

/// What a description says in brackets or after a colon or dash behind a value:
/// "`exited` (has left), `returned` (is back)".
fn said_of(value: &Value, description: &str) -> String {
    let Some(value) = value.as_str() else {
        return String::new();
    };
    let Some(at) = description.find(value) else {
        return String::new();
    };
    let rest = description[at + value.len()..].trim_start_matches(['`', '\'', '"', ' ']);
    let said = if let Some(inside) = rest.strip_prefix('(') {
        inside.split(')').next()
    } else if let Some(after) = rest.strip_prefix([':', '=', '–', '—']) {
        after.split([',', ';', '.', '\n']).next()
    } else {
        None
    };
    said.unwrap_or_default().to_owned()
}

impl Choice {
    fn new(value: &Value, said: &str) -> Self {
        let spelled = match value.as_str() {
            Some(text) => super::name_in_words(text),
            None => value.to_string(),
        };
        let spelled = normal(&spelled);
        let hints = Text::new(said);
        let spoken = [&hints, &Text::new(&spelled)].map(|text| LEXICON.read(text));
        Self {
            commands: spoken
                .into_iter()
                .flatten()
                .flat_map(|m| m.commands)
                .collect(),
            value: value.clone(),
            words: spelled.split_whitespace().map(keys).collect(),
            concepts: LEXICON
                .of_keys(std::slice::from_ref(&spelled))
                .into_iter()
                .filter(|concept| !LEXICON.is_action(*concept))
                .collect(),
            hints: hints
                .words
                .iter()
                .filter(|word| !word.function)
                .flat_map(|word| {
                    // To need something new is not to be new.
                    let meant = LEXICON
                        .of_keys(&word.keys)
                        .into_iter()
                        .map(|c| LEXICON.key(c))
                        .filter(|key| key != "#need");
                    word.keys.iter().cloned().chain(meant)
                })
                .collect(),
        }
    }

    pub(crate) fn in_words(&self) -> String {
        match self.value.as_str() {
            Some(text) => text.to_owned(),
            None => self.value.to_string(),
        }
    }
}

fn number_rule(schema: &Value, name: &str, description: &str) -> NumberRule {
    let bound = |inclusive: &str, exclusive: &str, step: f64| {
        let at = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
        at(inclusive).or_else(|| Some(at(exclusive)? + step))
    };
    let integer = type_of(schema) == "integer";
    let step = if integer { 1.0 } else { f64::EPSILON };
    let words = normal(&format!("{name} {description}"));
    let mut said = words.split(|c: char| !c.is_alphanumeric());
    NumberRule {
        integer,
        least: bound("minimum", "exclusiveMinimum", step).unwrap_or(f64::MIN),
        most: bound("maximum", "exclusiveMaximum", -step).unwrap_or(f64::MAX),
        unit: said.clone().find_map(Unit::named),
        money: said.any(|word| {
            [
                "price",
                "cost",
                "costs",
                "dollar",
                "dollars",
                "euro",
                "euros",
                "kronor",
                "kroner",
                "wage",
                "fee",
                "budget",
                "spend",
                "salary",
                "amount",
                "rub",
                "usd",
                "eur",
                "цена",
                "бюджет",
                "стоимость",
                "руб",
                "рублей",
                "рублях",
            ]
            .contains(&word)
        }),
    }
}

#[cfg(test)]
#[path = "kind_tests.rs"]
mod kind_tests;

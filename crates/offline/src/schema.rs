//! A tool's JSON Schema as the kinds of values that can be found in a sentence.

use frontdesk_core::form;
use frontdesk_core::handle::SCHEMA_KEYWORD;
use frontdesk_core::tool::ToolDef;
use regex::{Regex, RegexBuilder};
use serde_json::Value;

use crate::text::words;

/// A parameter that a sentence may give a value for.
pub(crate) struct Param {
    pub(crate) name: String,
    pub(crate) label: String,
    pub(crate) required: bool,
    pub(crate) kind: Kind,
    /// Words of the name and the description, in lower case.
    pub(crate) keywords: Vec<String>,
    /// Words of the name alone: stronger evidence than those of the description.
    pub(crate) own_words: Vec<String>,
    pub(crate) limits: Limits,
}

/// What a parameter takes.
#[derive(Debug)]
pub(crate) enum Kind {
    /// A code that this pattern matches, found anywhere in a text.
    Pattern(Regex),
    /// An identifier without a pattern: a word with a digit in it.
    Identifier,
    Choice(Vec<Value>),
    Boolean,
    Integer,
    Number,
    Date,
    Time,
    /// The name of a person or thing.
    Name,
    Names,
    /// Words of the person, such as a purpose or a search.
    Text,
    /// A pasted text, by handle or in the message.
    Passage,
    File,
    /// A structure that no sentence gives.
    Other,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    pub(crate) minimum: Option<f64>,
    pub(crate) maximum: Option<f64>,
    pub(crate) longest: Option<usize>,
    pub(crate) most_items: Option<usize>,
    pub(crate) fewest_items: Option<usize>,
}

/// How schemas call the name of a person or thing, in the languages of the tools.
const NAME_WORDS: [&str; 7] = ["name", "names", "имя", "имена", "namn", "navn", "namen"];
const IDENTIFIER_WORDS: [&str; 3] = ["id", "identifier", "uuid"];

/// The parameters of a tool, required ones first. Those that the server fills are left out.
pub(crate) fn params(def: &ToolDef) -> Vec<Param> {
    let properties = &def.parameters["properties"];
    form::fields(def)
        .into_iter()
        .filter(|field| properties[&field.name].get("readOnly") != Some(&Value::Bool(true)))
        .map(|field| {
            let property = plain(&def.parameters, &properties[&field.name]);
            let own_words: Vec<String> = lower_words(&field.label);
            let mut keywords = own_words.clone();
            keywords.extend(lower_words(&field.help));
            Param {
                kind: kind(&field, &properties[&field.name], property, &own_words),
                limits: limits(property),
                name: field.name,
                label: field.label,
                required: field.required,
                keywords,
                own_words,
            }
        })
        .collect()
}

fn lower_words(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| word.lower).collect()
}

fn kind(field: &form::Field, declared: &Value, property: &Value, own_words: &[String]) -> Kind {
    let named = |list: &[&str]| own_words.iter().any(|word| list.contains(&word.as_str()));
    let described_as_name = {
        let first = lower_words(&field.help);
        first
            .iter()
            .take(4)
            .any(|word| NAME_WORDS.contains(&word.as_str()))
    };
    match &field.input {
        form::Input::File => Kind::File,
        form::Input::LongText if declared.get(SCHEMA_KEYWORD).is_some() => Kind::Passage,
        form::Input::LongText => Kind::Text,
        form::Input::Choice(values) => Kind::Choice(values.clone()),
        form::Input::YesNo => Kind::Boolean,
        form::Input::Integer => Kind::Integer,
        form::Input::Number => Kind::Number,
        form::Input::Date => Kind::Date,
        form::Input::Time => Kind::Time,
        form::Input::Text => {
            let pattern = property.get("pattern").and_then(Value::as_str);
            match pattern.and_then(inside) {
                Some(pattern) => Kind::Pattern(pattern),
                None if named(&IDENTIFIER_WORDS) => Kind::Identifier,
                None if field.help.contains("YYYY-MM-DD") => Kind::Date,
                None if named(&NAME_WORDS) || described_as_name => Kind::Name,
                None => Kind::Text,
            }
        }
        form::Input::List(item) if **item == form::Input::Text => {
            if named(&NAME_WORDS) || described_as_name {
                Kind::Names
            } else {
                Kind::Other
            }
        }
        form::Input::List(_) | form::Input::DateTime | form::Input::Json => Kind::Other,
    }
}

/// The pattern without its anchors, in any case of letters; `None` where it is not one of ours.
fn inside(pattern: &str) -> Option<Regex> {
    const LARGEST: usize = 1 << 20;
    let bare = pattern.strip_prefix('^').unwrap_or(pattern);
    let bare = bare.strip_suffix('$').unwrap_or(bare);
    let pattern = format!(r"\b(?:{bare})\b");
    let built = RegexBuilder::new(&pattern)
        .case_insensitive(true)
        .size_limit(LARGEST)
        .build();
    built.ok()
}

fn limits(property: &Value) -> Limits {
    let size = |keyword: &str| {
        let size = property.get(keyword)?.as_u64()?;
        usize::try_from(size).ok()
    };
    Limits {
        minimum: property.get("minimum").and_then(Value::as_f64),
        maximum: property.get("maximum").and_then(Value::as_f64),
        longest: size("maxLength"),
        most_items: size("maxItems"),
        fewest_items: size("minItems"),
    }
}

/// The schema behind references and optional branches.
fn plain<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    const DEEPEST: usize = 8;
    let mut schema = schema;
    for _ in 0..DEEPEST {
        let target = schema.get("$ref").and_then(Value::as_str);
        let target = target.and_then(|path| root.pointer(path.strip_prefix('#')?));
        let branch = || {
            let branches = schema.get("anyOf")?.as_array()?;
            branches.iter().find(|branch| branch["type"] != "null")
        };
        match target.or_else(branch) {
            Some(next) => schema = next,
            None => break,
        }
    }
    schema
}

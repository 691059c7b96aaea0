//! A tool's JSON Schema, reduced to the kinds of values that a sentence can contain.

use frontdesk_core::form::{self, Input};
use frontdesk_core::handle::SCHEMA_KEYWORD;
use frontdesk_core::tool::ToolDef;
use regex::{Regex, RegexBuilder};
use serde_json::Value;

use crate::lists;
use crate::text::words;

/// A parameter that a sentence may contain a value for.
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

/// The kind of a parameter's value.
#[derive(Debug)]
pub(crate) enum Kind {
    /// A code that this pattern matches anywhere in a text.
    Pattern(Regex),
    /// An identifier without a pattern: a word with a digit.
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
    /// The person's own words, such as a purpose or a search.
    Text,
    /// A pasted text, by handle or in the message.
    Passage,
    File,
    /// A structure that a sentence cannot express.
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

impl Param {
    /// True if the text is within the length limit.
    pub(crate) fn fits(&self, text: &str) -> bool {
        self.limits
            .longest
            .is_none_or(|longest| text.chars().count() <= longest)
    }

    /// True if it accepts a few words at most.
    pub(crate) fn is_short(&self) -> bool {
        self.limits.longest.is_some_and(|longest| longest <= 120)
    }

    /// True if a learned value is one of its choices.
    pub(crate) fn admits(&self, value: &Value) -> bool {
        if let Kind::Choice(values) = &self.kind {
            return values.contains(value);
        }
        value.is_boolean()
    }
}

/// The parameters of a tool, required ones first, without those that the server sets.
pub(crate) fn params(def: &ToolDef) -> Vec<Param> {
    let properties = &def.parameters["properties"];
    let open = |field: &form::Field| properties[&field.name]["readOnly"] != true;
    let fields = form::fields(def).into_iter().filter(open);
    let param = |field: form::Field| {
        let property = plain(&def.parameters, &properties[&field.name]);
        let own_words = lower_words(&field.label);
        Param {
            kind: kind(&field, &properties[&field.name], property, &own_words),
            limits: limits(property),
            keywords: [own_words.clone(), lower_words(&field.help)].concat(),
            name: field.name,
            label: field.label,
            required: field.required,
            own_words,
        }
    };
    fields.map(param).collect()
}

fn lower_words(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| word.lower).collect()
}

fn kind(field: &form::Field, declared: &Value, property: &Value, own_words: &[String]) -> Kind {
    /// Number of words at the start of a description that name the parameter.
    const HEAD: usize = 4;
    let help = lower_words(&field.help);
    let head = own_words.iter().chain(help.iter().take(HEAD));
    let is_name = head.into_iter().any(|word| lists::contains("name", word));
    let is_id = own_words.iter().any(|word| word == "id" || word == "uuid");
    match &field.input {
        Input::File => Kind::File,
        Input::LongText if declared.get(SCHEMA_KEYWORD).is_some() => Kind::Passage,
        Input::LongText => Kind::Text,
        Input::Choice(values) => Kind::Choice(values.clone()),
        Input::YesNo => Kind::Boolean,
        Input::Integer => Kind::Integer,
        Input::Number => Kind::Number,
        Input::Date => Kind::Date,
        Input::Time => Kind::Time,
        Input::Text => match property["pattern"].as_str().and_then(inside) {
            Some(pattern) => Kind::Pattern(pattern),
            None if is_id => Kind::Identifier,
            None if field.help.contains("YYYY-MM-DD") => Kind::Date,
            None if is_name => Kind::Name,
            None => Kind::Text,
        },
        Input::List(item) if is_name && **item == Input::Text => Kind::Names,
        Input::List(_) | Input::DateTime | Input::Json => Kind::Other,
    }
}

/// The pattern without its anchors, ignoring case; `None` if it does not compile.
fn inside(pattern: &str) -> Option<Regex> {
    const LARGEST: usize = 1 << 20;
    let bare = pattern.strip_prefix('^').unwrap_or(pattern);
    let bare = bare.strip_suffix('$').unwrap_or(bare);
    let mut builder = RegexBuilder::new(&format!(r"\b(?:{bare})\b"));
    builder
        .case_insensitive(true)
        .size_limit(LARGEST)
        .build()
        .ok()
}

fn limits(property: &Value) -> Limits {
    let size = |keyword: &str| {
        property[keyword]
            .as_u64()
            .and_then(|size| size.try_into().ok())
    };
    Limits {
        minimum: property["minimum"].as_f64(),
        maximum: property["maximum"].as_f64(),
        longest: size("maxLength"),
        most_items: size("maxItems"),
        fewest_items: size("minItems"),
    }
}

/// Follows references and optional branches.
fn plain<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let target = |schema: &'a Value| {
        let path = schema["$ref"]
            .as_str()
            .and_then(|path| path.strip_prefix('#'));
        path.and_then(|path| root.pointer(path)).unwrap_or(schema)
    };
    let branches = schema["anyOf"].as_array();
    let branch = branches.and_then(|all| all.iter().find(|branch| branch["type"] != "null"));
    target(branch.unwrap_or(schema))
}

//! A tool's schema as a form: its fields in order, their inputs, and parsing of typed values.
//! Clients render it; the resulting call is granted like any other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::handle::SCHEMA_KEYWORD;
use crate::tool::ToolDef;

/// One field of a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "FormField")]
pub struct Field {
    /// The name of the argument.
    pub name: String,
    /// The name in words.
    pub label: String,
    /// The argument's description; may be empty.
    pub help: String,
    pub input: Input,
    pub required: bool,
    /// Used if the field is left empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
}

/// The input of a field. `of` is the list of choices, or the input of each list item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "FormInput")]
#[serde(tag = "kind", content = "of", rename_all = "snake_case")]
pub enum Input {
    Text,
    LongText,
    /// A file of this conversation.
    File,
    Integer,
    Number,
    YesNo,
    Choice(Vec<Value>),
    Date,
    Time,
    DateTime,
    List(Box<Input>),
    /// A structure without a simpler input.
    Json,
}

/// Longer texts get a multi-line input.
const LONG_CHARS: u64 = 500;

/// Maximum number of references to follow.
const DEEPEST: usize = 8;

/// A tool's fields: first those in `required`, in that order, because properties are unordered.
pub fn fields(tool: &ToolDef) -> Vec<Field> {
    let root = &tool.parameters;
    let Some(properties) = root.get("properties").and_then(Value::as_object) else {
        return Vec::new();
    };
    let required = root.get("required").and_then(Value::as_array);
    let place = |name: &str| {
        let mut all = required.into_iter().flatten();
        all.position(|one| one.as_str() == Some(name))
    };
    // The sign-in determines the acting person.
    let own_name = tool.spec.own_name.as_deref();
    let mut fields: Vec<Field> = properties
        .iter()
        .filter(|(name, _)| own_name != Some(name.as_str()))
        .map(|(name, property)| Field {
            name: name.clone(),
            label: words(name),
            help: text_of(property, "description")
                .or_else(|| text_of(plain(root, property), "description"))
                .unwrap_or_default(),
            input: input(root, property, 0),
            required: place(name).is_some(),
            default: property
                .get("default")
                .filter(|value| !value.is_null())
                .cloned(),
        })
        .collect();
    fields.sort_by_key(|field| place(&field.name).unwrap_or(usize::MAX));
    fields
}

impl Field {
    /// Parses a typed value. The error explains the expected form.
    pub fn read(&self, typed: &str) -> Result<Value, String> {
        self.input.read(typed.trim())
    }
}

impl Input {
    fn read(&self, typed: &str) -> Result<Value, String> {
        match self {
            Input::Text | Input::LongText | Input::File => Ok(Value::from(typed)),
            Input::Integer => whole(typed)
                .map(Value::from)
                .ok_or_else(|| "Enter a whole number, such as 3.".to_owned()),
            Input::Number => decimal(typed)
                .map(Value::from)
                .ok_or_else(|| "Enter a number, such as 2.5.".to_owned()),
            Input::YesNo => yes_or_no(typed)
                .map(Value::from)
                .ok_or_else(|| "Enter yes or no.".to_owned()),
            Input::Choice(choices) => chosen(choices, typed),
            Input::Date => parsed(typed, "%Y-%m-%d", "Enter a date like 2026-11-15."),
            Input::Time => time(typed),
            Input::DateTime => date_time(typed),
            Input::List(item) => typed
                .split([',', ';', '\n'])
                .map(str::trim)
                .filter(|part| !part.is_empty())
                .map(|part| item.read(part))
                .collect::<Result<Vec<Value>, String>>()
                .map(Value::from),
            Input::Json => {
                serde_json::from_str(typed).map_err(|error| format!("This must be JSON: {error}."))
            }
        }
    }

    /// A short hint for the input.
    pub fn hint(&self) -> String {
        match self {
            Input::Text => "text".to_owned(),
            Input::LongText => "text on several lines".to_owned(),
            Input::File => "file".to_owned(),
            Input::Integer => "whole number".to_owned(),
            Input::Number => "number".to_owned(),
            Input::YesNo => "yes or no".to_owned(),
            Input::Choice(_) => "one of these".to_owned(),
            Input::Date => "date, such as 2026-11-15".to_owned(),
            Input::Time => "time, such as 14:00".to_owned(),
            Input::DateTime => "date and time, such as 2026-11-15 14:00".to_owned(),
            Input::List(item) => format!("several, separated by commas; each: {}", item.hint()),
            Input::Json => "JSON".to_owned(),
        }
    }
}

/// Formats a value for display.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Null | Value::Number(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}

fn input(root: &Value, property: &Value, depth: usize) -> Input {
    let schema = plain(root, property);
    let keyword = property.get(SCHEMA_KEYWORD).or(schema.get(SCHEMA_KEYWORD));
    match keyword.and_then(Value::as_str) {
        Some("file") => return Input::File,
        Some(_) => return Input::LongText,
        None => {}
    }
    if let Some(choices) = choices(root, schema) {
        return Input::Choice(choices);
    }
    match kind(schema) {
        Some("string") => text_input(schema),
        Some("integer") => Input::Integer,
        Some("number") => Input::Number,
        Some("boolean") => Input::YesNo,
        Some("array") if depth == 0 => match schema.get("items") {
            Some(items) => match input(root, items, depth + 1) {
                Input::Json | Input::List(_) => Input::Json,
                Input::LongText => Input::List(Box::new(Input::Text)),
                simple @ (Input::Text
                | Input::File
                | Input::Integer
                | Input::Number
                | Input::YesNo
                | Input::Choice(_)
                | Input::Date
                | Input::Time
                | Input::DateTime) => Input::List(Box::new(simple)),
            },
            None => Input::Json,
        },
        Some(_) | None => Input::Json,
    }
}

fn text_input(schema: &Value) -> Input {
    match schema.get("format").and_then(Value::as_str) {
        Some("date") => return Input::Date,
        Some("time" | "partial-time") => return Input::Time,
        Some("date-time" | "partial-date-time") => return Input::DateTime,
        Some(_) | None => {}
    }
    let longest = schema.get("maxLength").and_then(Value::as_u64);
    if longest.is_some_and(|longest| longest > LONG_CHARS) {
        Input::LongText
    } else {
        Input::Text
    }
}

/// The type, ignoring `null`.
fn kind(schema: &Value) -> Option<&str> {
    let kind = schema.get("type")?;
    if let Some(single) = kind.as_str() {
        return Some(single);
    }
    let mut kinds = kind.as_array()?.iter().filter_map(Value::as_str);
    let found = kinds.find(|kind| *kind != "null")?;
    let single = kinds.all(|kind| kind == "null");
    single.then_some(found)
}

/// The values of an enumeration, in any of its JSON Schema notations.
fn choices(root: &Value, schema: &Value) -> Option<Vec<Value>> {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return Some(values.iter().filter(|v| !v.is_null()).cloned().collect());
    }
    let branches = schema.get("oneOf").or(schema.get("anyOf"))?.as_array()?;
    let constant = |branch: &Value| plain(root, branch).get("const").cloned();
    branches.iter().map(constant).collect()
}

/// Follows references and drops the `null` alternative.
fn plain<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let mut schema = schema;
    for _ in 0..DEEPEST {
        let target = schema.get("$ref").and_then(Value::as_str);
        let target = target.and_then(|path| root.pointer(path.strip_prefix('#')?));
        let only = |keyword: &str| {
            let branches = schema.get(keyword)?.as_array()?;
            let is_null = |b: &&Value| b.get("type").and_then(Value::as_str) == Some("null");
            let mut real = branches.iter().filter(|branch| !is_null(branch));
            let first = real.next()?;
            real.next().is_none().then_some(first)
        };
        let next = target
            .or_else(|| only("anyOf"))
            .or_else(|| only("oneOf"))
            .or_else(|| only("allOf"));
        let Some(next) = next else {
            break;
        };
        schema = next;
    }
    schema
}

fn text_of(schema: &Value, keyword: &str) -> Option<String> {
    schema.get(keyword)?.as_str().map(str::to_owned)
}

/// Turns `is_returnable` into words.
pub fn words(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    let mut before_small = false;
    for c in name.chars() {
        if c == '_' || c == '-' {
            text.push(' ');
        } else if c.is_uppercase() && before_small {
            text.push(' ');
            text.extend(c.to_lowercase());
        } else {
            text.push(c);
        }
        before_small = c.is_lowercase() || c.is_ascii_digit();
    }
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => text,
    }
}

fn whole(typed: &str) -> Option<i64> {
    typed.replace([' ', '\u{a0}', '_'], "").parse().ok()
}

/// Parses a number with a decimal point or comma.
fn decimal(typed: &str) -> Option<f64> {
    let typed = typed.replace([' ', '\u{a0}', '_'], "");
    let commas = typed.matches(',').count();
    let typed = if commas == 1 && !typed.contains('.') {
        typed.replace(',', ".")
    } else {
        typed
    };
    typed.parse().ok().filter(|number: &f64| number.is_finite())
}

fn yes_or_no(typed: &str) -> Option<bool> {
    match typed.to_lowercase().as_str() {
        "y" | "yes" | "true" | "1" | "ja" | "да" | "j" => Some(true),
        "n" | "no" | "false" | "0" | "nej" | "nei" | "nein" | "нет" => Some(false),
        _ => None,
    }
}

/// Selects by number, by the whole word, or by an unambiguous prefix.
fn chosen(choices: &[Value], typed: &str) -> Result<Value, String> {
    let lower = typed.to_lowercase();
    let same = |value: &&Value| shown(value).to_lowercase() == lower;
    if let Some(value) = choices.iter().find(same) {
        return Ok(value.clone());
    }
    let place = typed.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
    if let Some(value) = place.and_then(|place| choices.get(place)) {
        return Ok(value.clone());
    }
    let mut starting = choices
        .iter()
        .filter(|value| !lower.is_empty() && shown(value).to_lowercase().starts_with(&lower));
    match (starting.next(), starting.next()) {
        (Some(only), None) => Ok(only.clone()),
        (_, Some(_)) | (None, None) => {
            let all: Vec<String> = choices.iter().map(shown).collect();
            Err(format!("Enter one of: {}.", all.join(", ")))
        }
    }
}

fn parsed(typed: &str, format: &str, otherwise: &str) -> Result<Value, String> {
    match chrono::NaiveDate::parse_from_str(typed, format) {
        Ok(date) => Ok(Value::from(date.to_string())),
        Err(_) => Err(otherwise.to_owned()),
    }
}

fn time(typed: &str) -> Result<Value, String> {
    let read = |format| chrono::NaiveTime::parse_from_str(typed, format).ok();
    match read("%H:%M").or_else(|| read("%H:%M:%S")) {
        Some(time) => Ok(Value::from(time.format("%H:%M:%S").to_string())),
        None => Err("Enter a time like 14:00.".to_owned()),
    }
}

/// Keeps an explicit offset; assumes UTC without one.
fn date_time(typed: &str) -> Result<Value, String> {
    if chrono::DateTime::parse_from_rfc3339(typed).is_ok() {
        return Ok(Value::from(typed));
    }
    let read = |format| chrono::NaiveDateTime::parse_from_str(typed, format).ok();
    match read("%Y-%m-%d %H:%M").or_else(|| read("%Y-%m-%dT%H:%M")) {
        Some(moment) => Ok(Value::from(moment.format("%Y-%m-%dT%H:%M:%SZ").to_string())),
        None => Err("Enter a date and a time like 2026-11-15 14:00.".to_owned()),
    }
}

#[cfg(test)]
#[path = "form_tests.rs"]
mod form_tests;

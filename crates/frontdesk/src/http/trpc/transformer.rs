//! Plain JSON, or superjson's `{json, meta}`: the response uses the client's format.

use serde_json::{Map, Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    Plain,
    SuperJson,
}

impl Spelling {
    pub(super) fn read(input: Value) -> (Value, Spelling) {
        let Value::Object(mut wrapped) = input else {
            return (input, Spelling::Plain);
        };
        let known = |key: &String| key == "json" || key == "meta";
        if !wrapped.contains_key("json") || !wrapped.keys().all(known) {
            return (Value::Object(wrapped), Spelling::Plain);
        }
        let mut input = wrapped.remove("json").unwrap_or_default();
        let marks = wrapped.get("meta").and_then(|meta| meta.get("values"));
        for (path, mark) in marks.and_then(Value::as_object).into_iter().flatten() {
            if mark.get(0).and_then(Value::as_str) == Some("undefined") {
                // superjson encodes `undefined` as null.
                remove(&mut input, path);
            }
        }
        (input, Spelling::SuperJson)
    }

    pub(super) fn write(self, data: Value, dates: &[&str]) -> Value {
        match self {
            Spelling::Plain => data,
            Spelling::SuperJson => {
                let mut marks = Map::new();
                mark_dates(&data, dates, "", &mut marks);
                match marks.is_empty() {
                    true => json!({ "json": data }),
                    false => json!({ "json": data, "meta": { "values": marks } }),
                }
            }
        }
    }
}

fn remove(value: &mut Value, path: &str) {
    let (parents, last) = path.rsplit_once('.').unwrap_or(("", path));
    let mut at = value;
    for step in parents.split('.').filter(|step| !step.is_empty()) {
        let next = match at {
            Value::Object(fields) => fields.get_mut(step),
            Value::Array(items) => step.parse::<usize>().ok().and_then(|i| items.get_mut(i)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        };
        let Some(next) = next else { return };
        at = next;
    }
    if let Value::Object(fields) = at {
        fields.remove(last);
    }
}

fn mark_dates(value: &Value, dates: &[&str], path: &str, marks: &mut Map<String, Value>) {
    let below = |step: &str| match path {
        "" => step.to_owned(),
        path => format!("{path}.{step}"),
    };
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                if field.is_string() && dates.contains(&name.as_str()) {
                    marks.insert(below(name), json!(["Date"]));
                }
                mark_dates(field, dates, &below(name), marks);
            }
        }
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                mark_dates(item, dates, &below(&place.to_string()), marks);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
#[path = "transformer_tests.rs"]
mod transformer_tests;

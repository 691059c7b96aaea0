//! JSON Schemas of tool parameters.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::handle::SCHEMA_KEYWORD;

/// The schema of an argument type in the plain form of function calling: sub-schemas inlined, no
/// `$schema`, no Rust type name as title.
pub fn parameters_of<A: JsonSchema>() -> Value {
    let generator = SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        })
        .into_generator();
    let mut schema = generator.into_root_schema_for::<A>().to_value();
    if let Some(object) = schema.as_object_mut() {
        object.remove("title");
        object.remove("description");
        object
            .entry("properties")
            .or_insert_with(|| Value::Object(serde_json::Map::new()));
    }
    drop_rust_formats(&mut schema);
    schema
}

/// Removes the handle keyword, which is not meant for models.
pub fn without_handle_keywords(schema: &Value) -> Value {
    let mut offered = schema.clone();
    if let Some(properties) = offered.get_mut("properties").and_then(Value::as_object_mut) {
        for property in properties.values_mut() {
            if let Some(object) = property.as_object_mut() {
                object.remove(SCHEMA_KEYWORD);
            }
        }
    }
    offered
}

/// Removes formats such as `uint32`: they are not JSON Schema, and strict servers refuse them.
fn drop_rust_formats(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            let rust_number = object
                .get("format")
                .and_then(Value::as_str)
                .is_some_and(|f| {
                    f.starts_with("int") || f.starts_with("uint") || f == "double" || f == "float"
                });
            if rust_number {
                object.remove("format");
            }
            object.values_mut().for_each(drop_rust_formats);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_rust_formats),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

//! Rewrites schemas into forms that code generators accept. Each is valid JSON Schema already, and
//! means the same afterwards.

use serde_json::{Map, Value, json};

/// Applies all rewrites to the schemas of the document.
pub(super) fn make_portable(schemas: &mut Map<String, Value>) {
    for schema in schemas.values_mut() {
        simplify(schema);
    }
    let names: Vec<String> = schemas.keys().cloned().collect();
    for name in names {
        name_variants(schemas, &name);
    }
}

/// Drops formats that only Rust has, writes `true` as `{}`, and drops defaults: generators make a
/// field with a default mandatory, though a client may leave it out.
pub(super) fn simplify(schema: &mut Value) {
    match schema {
        Value::Bool(true) => *schema = json!({}),
        Value::Object(object) => simplify_object(object),
        Value::Array(_)
        | Value::Bool(false)
        | Value::Null
        | Value::Number(_)
        | Value::String(_) => {}
    }
}

fn simplify_object(object: &mut Map<String, Value>) {
    object.remove("default");
    let of_rust = object
        .get("format")
        .and_then(Value::as_str)
        .is_some_and(|format| {
            format.starts_with("int") || format.starts_with("uint") || format == "double"
        });
    if of_rust {
        object.remove("format");
    }
    for (keyword, value) in object.iter_mut() {
        match (keyword.as_str(), value) {
            ("properties" | "$defs", Value::Object(schemas)) => {
                schemas.values_mut().for_each(simplify);
            }
            ("oneOf" | "anyOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
                schemas.iter_mut().for_each(simplify);
            }
            ("items" | "not", schema) | ("additionalProperties", schema @ Value::Object(_)) => {
                simplify(schema);
            }
            _ => {}
        }
    }
}

/// Gives each variant of a tagged union, and its `data`, a schema of its own: generators name
/// anonymous variants by number, or not at all if the union is recursive.
fn name_variants(schemas: &mut Map<String, Value>, union: &str) {
    let Some(Value::Array(variants)) = schemas
        .get_mut(union)
        .and_then(|schema| schema.get_mut("oneOf"))
    else {
        return;
    };
    let mut named = Vec::new();
    for variant in variants {
        let Some(tag) = tag_of(variant) else {
            continue;
        };
        let name = format!("{union}{}", pascal_case(&tag));
        let mut schema = std::mem::replace(variant, reference(&name));
        if let Some(data) = schema.pointer_mut("/properties/data")
            && data["type"] == "object"
        {
            let data_name = format!("{name}Data");
            named.push((
                data_name.clone(),
                std::mem::replace(data, reference(&data_name)),
            ));
        }
        named.push((name, schema));
    }
    schemas.extend(named);
}

/// The constant that distinguishes an object variant.
fn tag_of(variant: &Value) -> Option<String> {
    let properties = variant.get("properties")?.as_object()?;
    let tag = properties.values().find_map(|schema| schema.get("const"))?;
    tag.as_str().map(str::to_owned)
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn pascal_case(tag: &str) -> String {
    tag.split(|c: char| !c.is_ascii_alphanumeric())
        .map(|word| {
            let mut letters = word.chars();
            let first = letters.next().map(|letter| letter.to_ascii_uppercase());
            first.into_iter().chain(letters).collect::<String>()
        })
        .collect()
}

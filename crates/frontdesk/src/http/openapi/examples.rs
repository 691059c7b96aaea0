//! One example per schema, from `examples.json`. A test validates each example against its schema.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

/// By the name of the schema; those of streams by what they carry.
static EXAMPLES: LazyLock<Map<String, Value>> = LazyLock::new(|| {
    let text = include_str!("examples.json");
    let text = text.replace("{assistant}", frontdesk_assistants::IN_EXAMPLES);
    // A test reads every example.
    serde_json::from_str(&text).unwrap_or_default()
});

pub(super) fn of(name: &str) -> Option<Value> {
    EXAMPLES.get(name).cloned()
}

pub(super) fn list(item: Value) -> Value {
    json!({ "items": [item], "cursor": null, "has_more": false })
}

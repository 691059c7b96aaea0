//! The envelope of every list over HTTP.

use std::borrow::Cow;

use frontdesk_core::store::Page;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

/// A page of items, such as `ConversationListResponse`.
#[derive(Clone, Debug, Serialize)]
pub struct ListResponse<T> {
    pub items: Vec<T>,
    pub cursor: Option<String>,
    pub has_more: bool,
}

impl<T> ListResponse<T> {
    pub fn of<S: Into<T>>(page: Page<S>) -> Self {
        Self {
            items: page.items.into_iter().map(S::into).collect(),
            cursor: page.cursor,
            has_more: page.has_more,
        }
    }

    /// A list that always fits one page.
    pub fn complete(items: Vec<T>) -> Self {
        Self {
            items,
            cursor: None,
            has_more: false,
        }
    }
}

impl<T: JsonSchema> JsonSchema for ListResponse<T> {
    fn schema_name() -> Cow<'static, str> {
        let of = T::schema_name();
        format!("{}ListResponse", of.strip_suffix("Response").unwrap_or(&of)).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": {
                "items": { "type": "array", "items": generator.subschema_for::<T>() },
                "cursor": { "type": ["string", "null"], "description": "Leads to the next page; null on the last one." },
                "has_more": { "type": "boolean" },
            },
            "required": ["items", "cursor", "has_more"],
        })
    }
}

//! Objects that a result is about, as plain data: clients draw them. A client that does not know a
//! kind shows the title and the fields; the summary of the call says the same in words.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One object of a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ObjectCard {
    /// The type of object, such as "pass" or "robot".
    pub kind: String,
    /// Identifies it among objects of its kind.
    pub id: String,
    pub title: String,
    /// Its state, one word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<CardField>,
    /// Its page, as a path of the web app.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<CardAction>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CardField {
    /// The key of a translation.
    pub name: String,
    /// The name in English.
    pub label: String,
    pub value: CardValue,
}

/// A value that clients format for the person's language and time zone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", content = "value", rename_all = "snake_case")]
pub enum CardValue {
    Text(String),
    /// One of a few words, translated by the field's name.
    Choice(String),
    Number(f64),
    /// With the ISO code of the currency.
    Money {
        amount: f64,
        currency: String,
    },
    YesNo(bool),
    Instant(DateTime<Utc>),
}

/// A button. It writes a message in the person's name, so every rule for messages applies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CardAction {
    /// The key of a translation.
    pub name: String,
    /// The words of the button in English.
    pub label: String,
    /// The message.
    pub say: String,
}

impl ObjectCard {
    /// Without fields whose number JSON cannot express: the journal would become unreadable.
    pub(super) fn storable(mut self) -> Self {
        self.fields.retain(|field| match &field.value {
            CardValue::Number(number) | CardValue::Money { amount: number, .. } => {
                number.is_finite()
            }
            CardValue::Text(_)
            | CardValue::Choice(_)
            | CardValue::YesNo(_)
            | CardValue::Instant(_) => true,
        });
        self
    }
}

impl CardField {
    pub fn new(name: &str, label: &str, value: CardValue) -> Self {
        Self {
            name: name.to_owned(),
            label: label.to_owned(),
            value,
        }
    }
}

impl CardAction {
    pub fn new(name: &str, label: &str, say: String) -> Self {
        Self {
            name: name.to_owned(),
            label: label.to_owned(),
            say,
        }
    }
}

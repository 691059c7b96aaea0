//! The parameters that the tools share, by kind.

use frontdesk_connect::{ParameterType, Place};
use serde::Deserialize;
use serde_json::json;

use super::PhotoRules;

/// One argument of a tool.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Parameter {
    #[serde(skip)]
    pub(crate) name: String,
    /// For the model, and for a person who is asked for it.
    description: String,
    pub(crate) kind: Kind,
    pub(crate) required: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    PassNumber,
    /// An object's id in the API.
    Id,
    Text,
    Flag,
    Status,
    /// Words that a listed pass contains.
    Search,
    /// A file that was attached to the conversation.
    Photo,
    /// The signed-in person: their own name replaces whatever a model writes here.
    OwnName,
}

/// Four digits of a year, then a number that grows beyond 9999.
const PASS_NUMBER_PATTERN: &str = r"^GP-\d{4}-\d{4,6}$";

/// In characters.
const LONGEST_ID: usize = 64;

pub(crate) const STATUSES: [&str; 5] = ["pending", "approved", "rejected", "exited", "returned"];

impl Parameter {
    pub(super) fn named(&self, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..self.clone()
        }
    }

    /// Its schema and its place in the request.
    pub(super) fn described(&self, photos: Option<&PhotoRules>) -> frontdesk_connect::Parameter {
        let mut parameter = frontdesk_connect::Parameter {
            description: Some(self.description.clone()),
            required: Some(self.required),
            kind: Some(ParameterType::String),
            ..frontdesk_connect::Parameter::default()
        };
        match self.kind {
            Kind::PassNumber => parameter.schema = Some(json!({ "pattern": PASS_NUMBER_PATTERN })),
            Kind::Id => {
                parameter.schema = Some(json!({ "minLength": 1, "maxLength": LONGEST_ID }));
            }
            Kind::Text => parameter.schema = Some(json!({ "minLength": 1 })),
            Kind::Flag => parameter.kind = Some(ParameterType::Boolean),
            Kind::Status => parameter.choices = STATUSES.map(|status| json!(status)).to_vec(),
            Kind::Search => parameter.place = Some(Place::Filter),
            Kind::Photo => {
                parameter.place = Some(Place::File);
                parameter.accept = photos
                    .map(|rules| rules.formats.clone())
                    .unwrap_or_default();
                parameter.max_bytes = photos.map(|rules| rules.max_bytes);
            }
            // Forms do not ask for read-only fields.
            Kind::OwnName => parameter.schema = Some(json!({ "readOnly": true })),
        }
        parameter
    }
}

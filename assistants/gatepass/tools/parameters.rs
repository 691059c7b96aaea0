//! The parameters that the tools share, and their JSON Schema.

use frontdesk_core::handle::SCHEMA_KEYWORD;
use serde_json::{Map, Value, json};

/// One argument of a tool.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    /// For the model, and for a person who is asked for it.
    pub(crate) about: &'static str,
    pub(crate) kind: Kind,
    pub(crate) required: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    PassNumber,
    /// An object's id in the API.
    Id,
    Text,
    Flag,
    Status,
    /// A file that was attached to the conversation.
    Photo,
    /// The signed-in person: their own name replaces whatever a model writes here.
    OwnName,
}

/// Four digits of a year, then a number that grows beyond 9999.
pub(crate) const PASS_NUMBER_PATTERN: &str = r"^GP-\d{4}-\d{4,6}$";

/// In characters.
pub(crate) const LONGEST_ID: usize = 64;

pub(crate) const STATUSES: [&str; 5] = ["pending", "approved", "rejected", "exited", "returned"];

pub(crate) const PASS_NUMBER: Parameter = Parameter {
    name: "pass_number",
    about: "Number of the gate pass, such as GP-2026-0007",
    kind: Kind::PassNumber,
    required: true,
};

pub(crate) const PASS_ID: Parameter = Parameter {
    name: "pass_id",
    about: "ID of the gate pass as the system gave it; its number (GP-2026-0007) will do too",
    kind: Kind::Id,
    required: true,
};

pub(crate) const STATUS: Parameter = Parameter {
    name: "status",
    about: "Only passes in this state: pending (waits for a decision), approved (may leave), rejected (refused), exited (has left the site), returned (is back)",
    kind: Kind::Status,
    required: false,
};

pub(crate) const PERSON_NAME: Parameter = Parameter {
    name: "person_name",
    about: "Name of the person who is to leave the site",
    kind: Kind::Text,
    required: true,
};

pub(crate) const DESCRIPTION: Parameter = Parameter {
    name: "description",
    about: "Purpose of the gate pass: why the person leaves, or what they take along",
    kind: Kind::Text,
    required: true,
};

pub(crate) const IS_RETURNABLE: Parameter = Parameter {
    name: "is_returnable",
    about: "Whether the person will come back. True if they return, false if they leave for good.",
    kind: Kind::Flag,
    required: true,
};

/// The platform fills in the signed-in person's name before the arguments are checked, so nobody is
/// asked for it.
pub(crate) const OWN_NAME: Parameter = Parameter {
    name: "name",
    about: "Name of the admin who decides; taken from the sign-in, whatever is given here",
    kind: Kind::OwnName,
    required: true,
};

pub(crate) const PHOTO: Parameter = Parameter {
    name: "photo",
    about: "Photo of the person, attached to the message (JPEG, PNG or HEIC). Give its handle, such as file:1.",
    kind: Kind::Photo,
    required: true,
};

pub(crate) const NOTIFICATION_ID: Parameter = Parameter {
    name: "notification_id",
    about: "ID of the notification, from the list of notifications",
    kind: Kind::Id,
    required: true,
};

/// The JSON Schema of a tool's arguments.
pub(crate) fn schema(parameters: &[Parameter]) -> Value {
    let properties: Map<String, Value> = parameters
        .iter()
        .map(|parameter| (parameter.name.to_owned(), property(parameter)))
        .collect();
    let required: Vec<&str> = parameters
        .iter()
        .filter(|parameter| parameter.required)
        .map(|parameter| parameter.name)
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn property(parameter: &Parameter) -> Value {
    let mut schema = match parameter.kind {
        Kind::PassNumber => json!({ "type": "string", "pattern": PASS_NUMBER_PATTERN }),
        Kind::Id => json!({ "type": "string", "minLength": 1, "maxLength": LONGEST_ID }),
        Kind::Text => json!({ "type": "string", "minLength": 1 }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Status => json!({ "type": "string", "enum": STATUSES }),
        Kind::Photo => json!({ "type": "string", SCHEMA_KEYWORD: "file" }),
        // Forms do not ask for read-only fields.
        Kind::OwnName => json!({ "type": "string", "readOnly": true }),
    };
    schema["description"] = json!(parameter.about);
    schema
}

//! A system that tools reach over HTTP: its address, sign-in, limits and rules for all its responses.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::auth::Auth;
use crate::openapi::capitalised;
use crate::response::BodyRule;

/// A system that tools reach over HTTP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The address that the paths of all requests follow, e.g. "https://desk.example/api".
    pub base_url: String,
    /// Name of the system in messages to people, e.g. "the helpdesk".
    #[serde(default = "the_system")]
    pub name: String,
    /// How requests prove who they are from.
    #[serde(default)]
    pub auth: Auth,
    /// The longest wait for one response, e.g. "30s".
    #[serde(default)]
    pub timeout: Timeout,
    /// The header in which the system accepts an idempotency key. Without it, a write is never
    /// sent twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_header: Option<String>,
    /// Headers with constant values, added to each request.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// The rule that a successful response satisfies besides its status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success: Option<BodyRule>,
    /// Other hosts from which files may be fetched, without the sign-in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub file_hosts: Vec<String>,
    /// The zone of times without one, e.g. "Europe/Berlin"; UTC by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// The setting that holds the address, for messages to the operator.
    #[serde(default = "base_url", skip_serializing_if = "is_base_url")]
    pub address_setting: String,
    /// Words for the actions that the system names in refusals, e.g. `close = "close (an agent)"`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub actions: BTreeMap<String, String>,
    /// The system's OpenAPI document, by address or as a file in the assistant's folder: `frontdesk
    /// check` compares the tools with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openapi: Option<String>,
}

fn the_system() -> String {
    "the system".to_owned()
}

fn base_url() -> String {
    "base_url".to_owned()
}

fn is_base_url(text: &str) -> bool {
    text == "base_url"
}

impl Source {
    /// A source at this address, with defaults for everything else.
    pub fn at(address: impl Into<String>) -> Self {
        Self {
            base_url: address.into(),
            name: the_system(),
            auth: Auth::default(),
            timeout: Timeout::default(),
            idempotency_header: None,
            headers: BTreeMap::new(),
            success: None,
            file_hosts: Vec::new(),
            time_zone: None,
            address_setting: base_url(),
            actions: BTreeMap::new(),
            openapi: None,
        }
    }

    /// Its name at the beginning of a sentence.
    pub(crate) fn title(&self) -> String {
        capitalised(&self.name)
    }
}

/// A duration such as "30s", "500ms" or "2m", or a number of seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeout(pub Duration);

impl Default for Timeout {
    fn default() -> Self {
        Self(Duration::from_secs(30))
    }
}

impl Timeout {
    const LONGEST: Duration = Duration::from_secs(120);

    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number: u64 = text[..digits].parse().ok()?;
        let duration = match text[digits..].trim() {
            "ms" => Duration::from_millis(number),
            "" | "s" => Duration::from_secs(number),
            "m" => Duration::from_secs(number.checked_mul(60)?),
            _ => return None,
        };
        (!duration.is_zero() && duration <= Self::LONGEST).then_some(Self(duration))
    }
}

impl<'de> Deserialize<'de> for Timeout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Text {
            Seconds(u64),
            Words(String),
        }
        let text = match Text::deserialize(deserializer)? {
            Text::Seconds(number) => number.to_string(),
            Text::Words(text) => text,
        };
        Self::parse(&text).ok_or_else(|| {
            de::Error::custom(format!(
                "{text:?} is not a timeout; use a duration up to two minutes, e.g. \"30s\""
            ))
        })
    }
}

impl Serialize for Timeout {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.subsec_millis() {
            0 => serializer.serialize_str(&format!("{}s", self.0.as_secs())),
            _ => serializer.serialize_str(&format!("{}ms", self.0.as_millis())),
        }
    }
}

impl JsonSchema for Timeout {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Timeout".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "integer"], "examples": ["30s"] })
    }
}

/// A key or password. It appears in no log and no debug output.
#[derive(Clone)]
pub struct Secret(SecretString);

impl Secret {
    pub fn new(text: impl Into<String>) -> Self {
        Self(SecretString::from(text.into()))
    }

    pub(crate) fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.expose() == other.expose()
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::new)
    }
}

/// Writes a reference such as `${DESK_TOKEN}` as it is, and never any other text.
impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.expose();
        let is_reference = text.starts_with("${") && text.ends_with('}');
        serializer.serialize_str(if is_reference { text } else { "[secret]" })
    }
}

impl JsonSchema for Secret {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Secret".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "A secret, by reference to the environment: \"${NAME}\".",
            "examples": ["${DESK_TOKEN}"],
        })
    }
}

//! How requests prove who they are from.

mod credentials;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::source::Secret;

pub(crate) use credentials::{Credentials, is_refused};
pub use credentials::{MintToken, PersonToken, TokenSources};

/// How a source is signed in to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Auth {
    /// Requests carry no sign-in.
    None {},
    /// A constant key in a header or in the query.
    ApiKey {
        #[serde(rename = "in", default)]
        place: KeyPlace,
        /// Name of the header or the query parameter, e.g. "X-Api-Key".
        name: String,
        value: Secret,
    },
    /// A constant token: `Authorization: Bearer …`.
    Bearer { token: Secret },
    /// A user name and a password.
    Basic { user: String, password: Secret },
    /// OAuth 2 client credentials: tokens are fetched and renewed as needed.
    #[serde(rename = "oauth2")]
    OAuth2 {
        token_url: String,
        client_id: String,
        client_secret: Secret,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        scopes: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        audience: Option<String>,
    },
    /// The token with which the person signed in, passed on.
    Person {},
    /// A token that this server signs for the person: their id, name and roles, valid for a minute.
    SignedJwt {
        /// The `aud` claim, which the system checks.
        audience: String,
    },
}

impl Default for Auth {
    fn default() -> Self {
        Auth::None {}
    }
}

/// The place of an API key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum KeyPlace {
    #[default]
    Header,
    Query,
}

//! The sign-in of a source from the document's security schemes.

use serde_json::Value;

use super::document::Document;
use super::operations::Endpoint;
use super::schema::list;
use crate::auth::{Auth, KeyPlace};
use crate::source::Secret;

/// The proposed sign-in, and a sentence about it.
pub(super) struct SignIn {
    pub(super) auth: Auth,
    pub(super) reason: String,
}

/// `prefix` begins the names of secrets: `DESK` in `${DESK_TOKEN}`.
pub(super) fn sign_in(document: &Document, operations: &[Endpoint], prefix: &str) -> SignIn {
    let names = required_schemes(document, operations);
    let schemes = document.root().pointer("/components/securitySchemes");
    let scheme = |name: &str| document.resolve(schemes?.get(name)?).ok();
    let mut first_unknown = None;
    for name in &names {
        match scheme(name).and_then(|scheme| auth(scheme, prefix)) {
            Some((auth, what)) => {
                let reason = format!("security scheme `{name}`: {what}");
                return SignIn { auth, reason };
            }
            None => first_unknown = first_unknown.or(Some(name)),
        }
    }
    let reason = match first_unknown {
        Some(name) => {
            format!("security scheme `{name}` is of an unknown kind: write `auth` yourself")
        }
        None => "the document requires no sign-in".to_owned(),
    };
    SignIn {
        auth: Auth::None {},
        reason,
    }
}

/// The sign-in for a key that the document declares as a plain parameter.
pub(super) fn key_sign_in(name: &str, in_query: bool, prefix: &str) -> SignIn {
    SignIn {
        reason: format!("the parameter `{name}` carries a key"),
        auth: api_key(name, in_query, prefix),
    }
}

/// Names of schemes, those of the whole document first, then by use.
fn required_schemes(document: &Document, operations: &[Endpoint]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let of_document = list(document.root(), "security");
    let of_operations = operations
        .iter()
        .flat_map(|operation| list(operation.body, "security"));
    for requirement in of_document.chain(of_operations) {
        for name in requirement
            .as_object()
            .into_iter()
            .flat_map(|names| names.keys())
        {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}

fn auth(scheme: &Value, prefix: &str) -> Option<(Auth, String)> {
    let text = |key| scheme.get(key).and_then(Value::as_str).unwrap_or_default();
    let kind = text("type");
    match (kind, text("in"), text("scheme").to_lowercase().as_str()) {
        ("apiKey", place @ ("header" | "query"), _) => {
            let name = text("name");
            if name.eq_ignore_ascii_case("authorization") {
                return Some((
                    bearer(prefix),
                    "a token in the header Authorization".to_owned(),
                ));
            }
            let what = format!("a key in the {place} `{name}`");
            Some((api_key(name, place == "query", prefix), what))
        }
        ("http", _, "bearer") => Some((bearer(prefix), "a bearer token".to_owned())),
        ("http", _, "basic") => {
            let auth = Auth::Basic {
                user: reference(prefix, "USER"),
                password: secret(prefix, "PASSWORD"),
            };
            Some((auth, "user name and password".to_owned()))
        }
        ("oauth2", ..) => Some(oauth2(scheme, prefix)),
        ("openIdConnect", ..) => Some((
            Auth::Person {},
            "OpenID Connect: the person's own token is passed on".to_owned(),
        )),
        _ => None,
    }
}

fn oauth2(scheme: &Value, prefix: &str) -> (Auth, String) {
    let flow = scheme.pointer("/flows/clientCredentials");
    let url = flow
        .and_then(|flow| flow.get("tokenUrl"))
        .and_then(Value::as_str);
    let Some(url) = url else {
        let what = "OAuth 2 for people: put in a token, or use auth = { kind = \"person\" }";
        return (bearer(prefix), what.to_owned());
    };
    let auth = Auth::OAuth2 {
        token_url: url.to_owned(),
        client_id: reference(prefix, "CLIENT_ID"),
        client_secret: secret(prefix, "CLIENT_SECRET"),
        // Reading and writing scopes are the operator's decision.
        scopes: Vec::new(),
        audience: None,
    };
    (
        auth,
        "OAuth 2 client credentials; add the scopes that you need".to_owned(),
    )
}

fn api_key(name: &str, in_query: bool, prefix: &str) -> Auth {
    Auth::ApiKey {
        place: if in_query {
            KeyPlace::Query
        } else {
            KeyPlace::Header
        },
        name: name.to_owned(),
        value: secret(prefix, "KEY"),
    }
}

fn bearer(prefix: &str) -> Auth {
    Auth::Bearer {
        token: secret(prefix, "TOKEN"),
    }
}

fn secret(prefix: &str, name: &str) -> Secret {
    Secret::new(reference(prefix, name))
}

pub(super) fn reference(prefix: &str, name: &str) -> String {
    format!("${{{prefix}_{name}}}")
}

#[cfg(test)]
#[path = "security_tests.rs"]
mod security_tests;

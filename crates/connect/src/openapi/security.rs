//! The sign-in of a source from the document's security schemes.

use serde_json::{Map, Value};

use super::document::{Document, list, text};
use super::operations::Endpoint;
use super::parameters::KeyParameter;
use crate::auth::{Auth, KeyPlace};
use crate::source::Secret;

/// The proposed sign-in, and the reason for it. `key` is a parameter that carries a key; it counts
/// if the document has no security schemes. `prefix` begins the names of secrets: `DESK` in
/// `${DESK_TOKEN}`.
pub(super) fn sign_in(
    document: &Document,
    operations: &[Endpoint],
    key: Option<&KeyParameter>,
    prefix: &str,
) -> (Auth, String) {
    let schemes = document.root().pointer("/components/securitySchemes");
    let schemes = schemes.and_then(Value::as_object);
    if let Some(key) = key
        && schemes.is_none_or(Map::is_empty)
    {
        let reason = format!("the parameter `{}` carries a key", key.name);
        return (api_key(&key.name, key.place, prefix), reason);
    }
    // The schemes of the whole document come first.
    let of_operations = operations.iter().flat_map(|one| list(one.body, "security"));
    let required = list(document.root(), "security").chain(of_operations);
    let names = required.filter_map(Value::as_object).flat_map(Map::keys);
    let mut first_unknown = None;
    for name in names {
        let scheme = schemes.and_then(|schemes| document.resolve(schemes.get(name)?).ok());
        match scheme.and_then(|scheme| auth(scheme, prefix)) {
            Some((auth, kind)) => return (auth, format!("security scheme `{name}`: {kind}")),
            None => first_unknown = first_unknown.or(Some(name)),
        }
    }
    let reason = match first_unknown {
        Some(name) => {
            format!("security scheme `{name}` is of an unknown kind: write `auth` yourself")
        }
        None => "the document requires no sign-in".to_owned(),
    };
    (Auth::None {}, reason)
}

/// The sign-in of one scheme, and its kind in words.
fn auth(scheme: &Value, prefix: &str) -> Option<(Auth, String)> {
    let bearer = || Auth::Bearer {
        token: secret(prefix, "TOKEN"),
    };
    let name = text(scheme, "name");
    let place = text(scheme, "in");
    let method = text(scheme, "scheme").to_lowercase();
    let (auth, kind) = match (text(scheme, "type"), place, method.as_str()) {
        ("apiKey", "header" | "query", _) if name.eq_ignore_ascii_case("authorization") => {
            (bearer(), "a token in the header Authorization")
        }
        ("apiKey", "header" | "query", _) => {
            let kind = format!("a key in the {place} `{name}`");
            return Some((api_key(name, key_place(place), prefix), kind));
        }
        ("http", _, "bearer") => (bearer(), "a bearer token"),
        ("http", _, "basic") => {
            let auth = Auth::Basic {
                user: reference(prefix, "USER"),
                password: secret(prefix, "PASSWORD"),
            };
            (auth, "user name and password")
        }
        ("oauth2", ..) => match scheme.pointer("/flows/clientCredentials/tokenUrl") {
            Some(Value::String(token_url)) => {
                let auth = Auth::OAuth2 {
                    token_url: token_url.clone(),
                    client_id: reference(prefix, "CLIENT_ID"),
                    client_secret: secret(prefix, "CLIENT_SECRET"),
                    // Reading and writing scopes are the operator's decision.
                    scopes: Vec::new(),
                    audience: None,
                };
                (
                    auth,
                    "OAuth 2 client credentials; add the scopes that you need",
                )
            }
            Some(_) | None => (
                bearer(),
                "OAuth 2 for people: put in a token, or use auth = { kind = \"person\" }",
            ),
        },
        ("openIdConnect", ..) => (
            Auth::Person {},
            "OpenID Connect: the person's own token is passed on",
        ),
        _ => return None,
    };
    Some((auth, kind.to_owned()))
}

pub(super) fn key_place(place: &str) -> KeyPlace {
    match place {
        "query" => KeyPlace::Query,
        _ => KeyPlace::Header,
    }
}

fn api_key(name: &str, place: KeyPlace, prefix: &str) -> Auth {
    Auth::ApiKey {
        place,
        name: name.to_owned(),
        value: secret(prefix, "KEY"),
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

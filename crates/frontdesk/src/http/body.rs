//! Strict parsing of JSON bodies: unknown fields are refused by name.

use std::fmt::Display;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use bytes::Bytes;
use frontdesk_core::store::IdempotencyKey;
use http_body_util::LengthLimitError;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::AppState;
use super::error::ApiError;
use super::input::idempotency_key;

/// A message may contain long pasted text; other bodies are short.
pub const MESSAGE_BYTES: usize = 1_000_000;
pub const OTHER_BYTES: usize = 64 * 1024;
/// A JSON body of at most `LIMIT` bytes.
pub struct JsonBody<T, const LIMIT: usize = OTHER_BYTES> {
    pub value: T,
    bytes: Bytes,
}

impl<T, const LIMIT: usize> JsonBody<T, LIMIT> {
    /// A hash of the raw body.
    fn fingerprint(&self) -> String {
        let digest = Sha256::digest(&self.bytes);
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The `Idempotency-Key` header, bound to a route and this body.
    pub fn idempotency_key(
        &self,
        headers: &HeaderMap,
        route: impl Display,
    ) -> Result<Option<IdempotencyKey>, ApiError> {
        idempotency_key(headers, route, || self.fingerprint())
    }
}

impl<T, const LIMIT: usize> FromRequest<AppState> for JsonBody<T, LIMIT>
where
    T: DeserializeOwned,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Self::Rejection> {
        let json = request
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|value| {
                let kind = value.split(';').next().unwrap_or_default().trim();
                kind.eq_ignore_ascii_case("application/json")
            });
        if !json || request.headers().contains_key(CONTENT_ENCODING) {
            return Err(ApiError::unsupported("Send the body as application/json"));
        }
        let bytes = read(
            request.into_body(),
            LIMIT,
            state.app.config.limits.timeouts.body,
        )
        .await?;
        let value = strict::parse(&bytes)?;
        // Serde would accept a list as the fields of a struct in order.
        if bytes.trim_ascii_start().starts_with(b"[") {
            return Err(ApiError::invalid("body", "must be an object"));
        }
        Ok(Self { value, bytes })
    }
}

pub(super) async fn read(body: Body, limit: usize, within: Duration) -> Result<Bytes, ApiError> {
    let read = tokio::time::timeout(within, to_bytes(body, limit)).await;
    let read = read.map_err(|_| ApiError::slow())?;
    read.map_err(|error| match is_length_limit(&error) {
        true => ApiError::too_large(format!("The body is larger than {limit} bytes")),
        false => ApiError::bad_request("The body ended before it was complete"),
    })
}

fn is_length_limit(error: &axum::Error) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(current) = cause {
        if current.is::<LengthLimitError>() {
            return true;
        }
        cause = current.source();
    }
    false
}

pub(super) mod strict {
    //! JSON without repeated keys and without NUL characters.

    use std::collections::HashSet;
    use std::fmt;

    use serde::de::{DeserializeOwned, DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};

    use crate::http::error::ApiError;

    pub(in crate::http) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
        let text = std::str::from_utf8(bytes)
            .map_err(|_| ApiError::bad_request("The body is not valid UTF-8"))?;
        check(text)?;
        let mut reader = serde_json::Deserializer::from_str(text);
        serde_path_to_error::deserialize(&mut reader).map_err(|error| {
            let field = error.path().to_string();
            let field = if field == "." { "body" } else { &field };
            ApiError::invalid(field, error.inner().to_string())
        })
    }

    fn check(text: &str) -> Result<(), ApiError> {
        let mut reader = serde_json::Deserializer::from_str(text);
        let checked = Checked.deserialize(&mut reader).and_then(|()| reader.end());
        checked.map_err(|error| {
            let problem = error.to_string();
            if problem.starts_with(NUL) {
                ApiError::invalid("body", NUL)
            } else {
                ApiError::bad_request(format!("The body is not valid JSON: {problem}"))
            }
        })
    }

    const NUL: &str = "text must not contain NUL characters";

    /// Validates a document without storing it.
    struct Checked;

    impl<'de> DeserializeSeed<'de> for Checked {
        type Value = ();

        fn deserialize<D: serde::Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
            reader.deserialize_any(self)
        }
    }

    impl<'de> Visitor<'de> for Checked {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("JSON")
        }

        fn visit_bool<E>(self, _: bool) -> Result<(), E> {
            Ok(())
        }

        fn visit_i64<E>(self, _: i64) -> Result<(), E> {
            Ok(())
        }

        fn visit_u64<E>(self, _: u64) -> Result<(), E> {
            Ok(())
        }

        fn visit_f64<E>(self, _: f64) -> Result<(), E> {
            Ok(())
        }

        fn visit_unit<E>(self) -> Result<(), E> {
            Ok(())
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
            if text.contains('\0') {
                return Err(E::custom(NUL));
            }
            Ok(())
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
            while items.next_element_seed(Checked)?.is_some() {}
            Ok(())
        }

        fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
            let mut seen = HashSet::new();
            while let Some(key) = fields.next_key::<String>()? {
                if key.contains('\0') {
                    return Err(A::Error::custom(NUL));
                }
                if !seen.insert(key.clone()) {
                    return Err(A::Error::custom(format!("the key {key:?} is repeated")));
                }
                fields.next_value_seed(Checked)?;
            }
            Ok(())
        }
    }
}

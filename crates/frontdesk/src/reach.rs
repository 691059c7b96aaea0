//! Whether other systems answer: for `frontdesk doctor` and the operator's page.

use std::time::{Duration, Instant};

use reqwest::StatusCode;
use schemars::JsonSchema;
use secrecy::ExposeSecret;
use serde::Serialize;

use crate::config::{Model, Provider};
use crate::outgoing;

pub enum Reachability {
    Answered(StatusCode, Duration),
    Not(String),
}

/// Sends one GET request, directly and without following redirects.
pub async fn reach(url: &str, token: Option<&str>) -> Reachability {
    const TIMEOUT: Duration = Duration::from_secs(5);
    let client = match outgoing::client(url, TIMEOUT) {
        Ok(client) => client,
        Err(error) => return Reachability::Not(error.to_string()),
    };
    let mut request = client.get(url);
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    let began = Instant::now();
    match request.send().await {
        Ok(response) => Reachability::Answered(response.status(), began.elapsed()),
        Err(error) if error.is_timeout() => Reachability::Not("does not answer".to_owned()),
        Err(_) => Reachability::Not("cannot be reached".to_owned()),
    }
}

/// The address without credentials.
pub fn shown_address(url: &str) -> String {
    let Ok(mut url) = reqwest::Url::parse(url) else {
        return "an address that cannot be read".to_owned();
    };
    // Neither call can fail on a URL with a host.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.to_string()
}

/// Whether the language model can be used now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ModelHealth {
    /// The built-in model needs nothing.
    BuiltIn,
    /// `status` is present if the endpoint has no list of models, which some do not have.
    Answers {
        milliseconds: u64,
        status: Option<u16>,
    },
    KeyRefused,
    Unreachable {
        problem: String,
    },
}

impl ModelHealth {
    /// Requests the model list of a real provider: it needs the key and costs nothing.
    pub async fn check(settings: &Model) -> Self {
        if settings.provider == Provider::Offline {
            return Self::BuiltIn;
        }
        let url = format!("{}/models", settings.base_url.trim_end_matches('/'));
        let token = settings.api_key.as_ref().map(|key| key.expose_secret());
        match reach(&url, token).await {
            Reachability::Answered(status, _) if matches!(status.as_u16(), 401 | 403) => {
                Self::KeyRefused
            }
            Reachability::Answered(status, took) => Self::Answers {
                milliseconds: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
                status: (!status.is_success()).then_some(status.as_u16()),
            },
            Reachability::Not(problem) => Self::Unreachable { problem },
        }
    }
}

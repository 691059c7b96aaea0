//! Operator settings, validated once at start: an error names the wrong value and the allowed ones.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono_tz::Tz;
use frontdesk_core::access::Role;
use frontdesk_core::setting::{Setting, SettingKind};
use reqwest::Url;

use super::photo::Format;
use frontdesk_bundle::SetupError;

const BASE_URL: &str = "gatepass.api_base_url";
const TIMEOUT: &str = "gatepass.api_timeout";
const MAX_FILE_SIZE: &str = "gatepass.max_file_size";
const FORMATS: &str = "gatepass.allowed_file_formats";
const ENVIRONMENT: &str = "gatepass.environment";
const TIME_ZONE: &str = "gatepass.time_zone";
const DELETE_APPROVER: &str = "gatepass.delete_approver";

/// The API's address if none is configured and no API is bundled.
const DEFAULT_BASE_URL: &str = "http://localhost:8000";

/// In seconds. A longer timeout leaves no time for a second attempt in a turn.
const LONGEST_TIMEOUT: u64 = 120;
/// In bytes. Conversations store no larger attachments.
const LARGEST_FILE: u64 = 50 * 1024 * 1024;

pub(crate) const SETTINGS: &[Setting] = &[
    Setting {
        key: BASE_URL,
        default: "",
        env: Some("API_BASE_URL"),
        kind: SettingKind::Text,
        about: "Address of the Gate Pass API; if empty, the bundled one is used.",
    },
    Setting {
        key: TIMEOUT,
        default: "30",
        env: Some("API_TIMEOUT"),
        kind: SettingKind::Number,
        about: "Seconds to wait for a response of the Gate Pass API (1 to 120).",
    },
    Setting {
        key: MAX_FILE_SIZE,
        default: "5242880",
        env: Some("MAX_FILE_SIZE"),
        kind: SettingKind::Number,
        about: "Largest photo that guards may send, in bytes.",
    },
    Setting {
        key: FORMATS,
        default: "jpeg,jpg,png,heic",
        env: Some("ALLOWED_FILE_FORMATS"),
        kind: SettingKind::Text,
        about: "Accepted photo formats, detected by content: jpeg (or jpg), png, heic.",
    },
    Setting {
        key: ENVIRONMENT,
        default: "development",
        env: Some("ENVIRONMENT"),
        kind: SettingKind::Text,
        about: "development, staging or production; the latter two reach the API over https only, or on this machine.",
    },
    Setting {
        key: TIME_ZONE,
        default: "UTC",
        env: None,
        kind: SettingKind::Text,
        about: "Time zone of the site, e.g. Asia/Karachi; times are shown in it.",
    },
    Setting {
        key: DELETE_APPROVER,
        default: "",
        env: None,
        kind: SettingKind::Text,
        about: "Role of those who must agree before a gate pass is deleted, e.g. HR_User; when empty the person who asks confirms it.",
    },
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Environment {
    Development,
    Staging,
    Production,
}

/// The validated settings.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Config {
    pub(super) base_url: Url,
    pub(super) timeout: Duration,
    pub(super) max_file_size: u64,
    pub(super) formats: Vec<Format>,
    pub(super) environment: Environment,
    pub(super) zone: Tz,
    /// Roles that approve a deletion; if empty, the person who asks confirms it.
    pub(super) delete_approvers: Vec<Role>,
}

impl Config {
    /// `bundled` is the address of the bundled API, if it runs.
    pub(super) fn new(
        settings: &BTreeMap<String, String>,
        bundled: Option<&str>,
    ) -> Result<Self, SetupError> {
        let environment = environment(&value(settings, ENVIRONMENT))?;
        let given = value(settings, BASE_URL);
        let address = match given.as_str() {
            "" => bundled.unwrap_or(DEFAULT_BASE_URL),
            address => address,
        };
        Ok(Self {
            base_url: base_url(address, environment)?,
            timeout: Duration::from_secs(number(settings, TIMEOUT, LONGEST_TIMEOUT)?),
            max_file_size: number(settings, MAX_FILE_SIZE, LARGEST_FILE)?,
            formats: formats(&value(settings, FORMATS))?,
            environment,
            zone: zone(&value(settings, TIME_ZONE))?,
            delete_approvers: delete_approvers(&value(settings, DELETE_APPROVER))?,
        })
    }
}

/// The configured value, or the default.
fn value(settings: &BTreeMap<String, String>, key: &'static str) -> String {
    let default = SETTINGS
        .iter()
        .find(|setting| setting.key == key)
        .map_or("", |setting| setting.default);
    match settings.get(key).map(|text| text.trim()) {
        None | Some("") => default.to_owned(),
        Some(text) => text.to_owned(),
    }
}

fn wrong(key: &'static str, problem: impl Into<String>) -> SetupError {
    SetupError::Setting {
        key,
        problem: problem.into(),
    }
}

fn number(
    settings: &BTreeMap<String, String>,
    key: &'static str,
    largest: u64,
) -> Result<u64, SetupError> {
    let text = value(settings, key);
    match text.parse() {
        Ok(number) if (1..=largest).contains(&number) => Ok(number),
        Ok(_) | Err(_) => Err(wrong(
            key,
            format!("{text:?} must be a whole number from 1 to {largest}"),
        )),
    }
}

fn delete_approvers(text: &str) -> Result<Vec<Role>, SetupError> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    match Role::known(text) {
        Some(role) => Ok(vec![role]),
        None => Err(wrong(
            DELETE_APPROVER,
            format!("{text:?} is no role; there is HR_User, Admin_User, Gate_User"),
        )),
    }
}

fn environment(text: &str) -> Result<Environment, SetupError> {
    match text {
        "development" => Ok(Environment::Development),
        "staging" => Ok(Environment::Staging),
        "production" => Ok(Environment::Production),
        other => Err(wrong(
            ENVIRONMENT,
            format!("{other:?} must be development, staging or production"),
        )),
    }
}

fn base_url(text: &str, environment: Environment) -> Result<Url, SetupError> {
    let problem = |what: &str| wrong(BASE_URL, format!("{text:?} {what}"));
    let url = Url::parse(text)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
        .ok_or_else(|| {
            problem("must be an address that begins with http:// or https://, e.g. https://gate.example.com/api")
        })?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err(problem("must not have a query or a fragment"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        // The message omits the URL, because it contains a password.
        return Err(wrong(
            BASE_URL,
            "must not contain a user name or a password; requests carry a token",
        ));
    }
    match environment {
        Environment::Development => {}
        Environment::Staging | Environment::Production => {
            if url.scheme() != "https" && !is_this_machine(&url) {
                return Err(problem(
                    "must be https in staging and production, or an address of this machine",
                ));
            }
        }
    }
    Ok(url)
}

fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || address
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

fn formats(text: &str) -> Result<Vec<Format>, SetupError> {
    let mut formats = Vec::new();
    for name in text
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
    {
        let format = Format::named(name).ok_or_else(|| {
            wrong(
                FORMATS,
                format!("{name:?} is not a kind of photo; there are jpeg (or jpg), png and heic"),
            )
        })?;
        if !formats.contains(&format) {
            formats.push(format);
        }
    }
    if formats.is_empty() {
        return Err(wrong(FORMATS, "name at least one of jpeg, png and heic"));
    }
    Ok(formats)
}

fn zone(text: &str) -> Result<Tz, SetupError> {
    text.parse().map_err(|_| {
        wrong(
            TIME_ZONE,
            format!("{text:?} is not a time zone; use a name such as Asia/Karachi or UTC"),
        )
    })
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod settings_tests;

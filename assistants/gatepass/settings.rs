//! Operator settings, validated once at start: an error names the wrong value and the allowed ones.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono_tz::Tz;
use frontdesk_connect::{Auth, KeyPlace, MediaKind, Secret, Source, Timeout};
use frontdesk_core::access::Role;
use frontdesk_core::setting::{Setting, SettingKind};
use url::Host;

use super::runner::EVERYONE;
use frontdesk_bundle::SetupError;

const BASE_URL: &str = "gatepass.api_base_url";
const TIMEOUT: &str = "gatepass.api_timeout";
const MAX_FILE_SIZE: &str = "gatepass.max_file_size";
const FORMATS: &str = "gatepass.allowed_file_formats";
const ENVIRONMENT: &str = "gatepass.environment";
const TIME_ZONE: &str = "gatepass.time_zone";
const DELETE_APPROVER: &str = "gatepass.delete_approver";
const KEYS: &str = "gatepass.api_idempotency_keys";
const AUTH: &str = "gatepass.api_auth";
const SECRET: &str = "gatepass.api_secret";
const USER: &str = "gatepass.api_user";
const KEY_HEADER: &str = "gatepass.api_key_header";
const TOKEN_URL: &str = "gatepass.api_token_url";

/// The API's address if none is configured and no API is bundled.
const DEFAULT_BASE_URL: &str = "http://localhost:8000";

/// In seconds. A longer timeout leaves no time for a second attempt in a turn.
const LONGEST_TIMEOUT: u64 = 120;
/// In bytes. Conversations store no larger attachments.
const LARGEST_FILE: u64 = 50 * 1024 * 1024;

#[rustfmt::skip]
pub(crate) const SETTINGS: &[Setting] = &[
    setting(BASE_URL, "", Some("API_BASE_URL"), SettingKind::Text,
        "Address of the Gate Pass API; if empty, the bundled one is used."),
    setting(TIMEOUT, "30", Some("API_TIMEOUT"), SettingKind::Number,
        "Seconds to wait for a response of the Gate Pass API (1 to 120)."),
    setting(MAX_FILE_SIZE, "5242880", Some("MAX_FILE_SIZE"), SettingKind::Number,
        "Largest photo that guards may send, in bytes."),
    setting(FORMATS, "jpeg,jpg,png,heic", Some("ALLOWED_FILE_FORMATS"), SettingKind::Text,
        "Accepted photo formats, detected by content: jpeg (or jpg), png, heic."),
    setting(ENVIRONMENT, "development", Some("ENVIRONMENT"), SettingKind::Text,
        "development, staging or production; the latter two reach the API over https only, or on this machine."),
    setting(TIME_ZONE, "UTC", None, SettingKind::Text,
        "Time zone of the site, e.g. Asia/Karachi; times are shown in it."),
    setting(DELETE_APPROVER, "", None, SettingKind::Text,
        "Role of those who must agree before a gate pass is deleted, e.g. HR_User; when empty the person who asks confirms it."),
    setting(KEYS, "", None, SettingKind::Text,
        "Whether the Gate Pass API honours the header Idempotency-Key: yes or no. Only then a write that got no answer is sent again. If empty: yes for the bundled API, no for any other."),
    setting(AUTH, "signed", Some("API_AUTH"), SettingKind::Text,
        "How requests to the Gate Pass API are signed in: signed (a token that this server signs for the person), person (the person's own token), api_key, bearer, basic, oauth2 or none."),
    setting(SECRET, "", Some("API_SECRET"), SettingKind::Secret,
        "The key, token, password or client secret for the Gate Pass API, as gatepass.api_auth needs it."),
    setting(USER, "", None, SettingKind::Text,
        "The user name (basic) or client id (oauth2) for the Gate Pass API."),
    setting(KEY_HEADER, "X-Api-Key", None, SettingKind::Text,
        "The header that carries the key of the Gate Pass API (api_key)."),
    setting(TOKEN_URL, "", None, SettingKind::Text,
        "The address of the token endpoint (oauth2)."),
];

const fn setting(
    key: &'static str,
    default: &'static str,
    env: Option<&'static str>,
    kind: SettingKind,
    about: &'static str,
) -> Setting {
    Setting {
        key,
        default,
        env,
        kind,
        about,
    }
}

/// The validated settings.
#[derive(Clone, Debug)]
pub(super) struct Config {
    /// The Gate Pass API.
    pub(super) source: Source,
    pub(super) max_photo_bytes: u64,
    pub(super) photo_formats: Vec<MediaKind>,
    pub(super) zone: Tz,
    /// Roles that approve a deletion; if empty, the person who asks confirms it.
    pub(super) delete_approvers: Vec<Role>,
}

/// Audience of the tokens, which the Gate Pass API checks.
const AUDIENCE: &str = "gatepass";

impl Config {
    /// `bundled` is the address of the bundled API, if it runs.
    pub(super) fn new(
        settings: &BTreeMap<String, String>,
        bundled: Option<&str>,
    ) -> Result<Self, SetupError> {
        let given = value(settings, BASE_URL);
        let address = match given.as_str() {
            "" => bundled.unwrap_or(DEFAULT_BASE_URL),
            address => address,
        };
        let is_bundled = bundled.is_some_and(|bundled| bundled == address);
        let has_keys = match value(settings, KEYS).as_str() {
            "" => is_bundled,
            "yes" => true,
            "no" => false,
            other => return Err(wrong(KEYS, format!("{other:?} must be yes or no"))),
        };
        let base_url = base_url(address, &value(settings, ENVIRONMENT))?;
        let timeout = Duration::from_secs(number(settings, TIMEOUT, LONGEST_TIMEOUT)?);
        Ok(Self {
            source: Source {
                auth: auth(settings)?,
                timeout: Timeout(timeout),
                idempotency_header: has_keys.then(|| "Idempotency-Key".to_owned()),
                ..Source::at(base_url)
            },
            max_photo_bytes: number(settings, MAX_FILE_SIZE, LARGEST_FILE)?,
            photo_formats: formats(&value(settings, FORMATS))?,
            zone: zone(&value(settings, TIME_ZONE))?,
            delete_approvers: delete_approvers(&value(settings, DELETE_APPROVER))?,
        })
    }
}

/// The sign-in to the API.
fn auth(settings: &BTreeMap<String, String>) -> Result<Auth, SetupError> {
    let needed = |key: &'static str, what: &str| match value(settings, key) {
        text if text.is_empty() => Err(wrong(key, format!("must hold {what}"))),
        text => Ok(text),
    };
    let secret = |what: &str| needed(SECRET, what).map(Secret::new);
    Ok(match value(settings, AUTH).as_str() {
        "none" => Auth::None {},
        "signed" => Auth::SignedJwt {
            audience: AUDIENCE.to_owned(),
        },
        "person" => Auth::Person {},
        "bearer" => Auth::Bearer {
            token: secret("the token")?,
        },
        "api_key" => Auth::ApiKey {
            place: KeyPlace::Header,
            name: value(settings, KEY_HEADER),
            value: secret("the key")?,
        },
        "basic" => Auth::Basic {
            user: needed(USER, "the user name")?,
            password: secret("the password")?,
        },
        "oauth2" => Auth::OAuth2 {
            token_url: needed(TOKEN_URL, "the address of the token endpoint")?,
            client_id: needed(USER, "the client id")?,
            client_secret: secret("the client secret")?,
            scopes: Vec::new(),
            audience: None,
        },
        other => {
            return Err(wrong(
                AUTH,
                format!("{other:?} must be signed, person, api_key, bearer, basic, oauth2 or none"),
            ));
        }
    })
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
    match EVERYONE.iter().find(|role| role.as_str() == text) {
        Some(role) => Ok(vec![role.clone()]),
        None => Err(wrong(
            DELETE_APPROVER,
            format!("{text:?} is no role; there is HR_User, Admin_User, Gate_User"),
        )),
    }
}

fn base_url(text: &str, environment: &str) -> Result<String, SetupError> {
    let url = Source::at(text).url();
    let url = url.map_err(|problem| wrong(BASE_URL, problem.to_string()))?;
    let is_this_machine = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let is_safe = url.scheme() == "https" || is_this_machine;
    match environment {
        "development" => Ok(url.into()),
        "staging" | "production" if is_safe => Ok(url.into()),
        "staging" | "production" => Err(wrong(
            BASE_URL,
            format!(
                "{text:?} must be https in staging and production, or an address of this machine"
            ),
        )),
        other => Err(wrong(
            ENVIRONMENT,
            format!("{other:?} must be development, staging or production"),
        )),
    }
}

fn formats(text: &str) -> Result<Vec<MediaKind>, SetupError> {
    let mut formats = Vec::new();
    let names = text.split(',').map(str::trim);
    for name in names.filter(|name| !name.is_empty()) {
        formats.push(match name.to_ascii_lowercase().as_str() {
            "jpeg" | "jpg" => MediaKind::Jpeg,
            "png" => MediaKind::Png,
            "heic" => MediaKind::Heic,
            _ => {
                let known = "is not a kind of photo; there are jpeg (or jpg), png and heic";
                return Err(wrong(FORMATS, format!("{name:?} {known}")));
            }
        });
    }
    formats.dedup();
    match formats.is_empty() {
        true => Err(wrong(FORMATS, "name at least one of jpeg, png and heic")),
        false => Ok(formats),
    }
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

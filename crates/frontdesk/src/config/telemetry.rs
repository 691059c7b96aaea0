//! Trace export: any OTLP collector by OpenTelemetry's variables, and Langfuse by its three.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName};
use secrecy::ExposeSecret;

use super::{ConfigError, Raw, bad};
use crate::trace::export::Target;
use crate::trace::otlp::Protocol;

#[derive(Debug)]
pub struct Telemetry {
    /// Each collector receives all traces.
    pub targets: Vec<Target>,
    /// Whether traces include the text of people and models.
    pub content: bool,
}

const ENDPOINT: &str = "telemetry.otlp_endpoint";
const TRACES: &str = "telemetry.otlp_traces_endpoint";
const HEADERS: &str = "telemetry.otlp_headers";
const LANGFUSE_URL: &str = "telemetry.langfuse_base_url";

pub(super) fn read(raw: &Raw) -> Result<Telemetry, ConfigError> {
    let targets = [collector(raw)?, langfuse(raw)?];
    Ok(Telemetry {
        targets: targets.into_iter().flatten().collect(),
        content: raw.flag("telemetry.content")?,
    })
}

/// OpenTelemetry's rules: the traces endpoint is used unchanged, the general endpoint is a base.
fn collector(raw: &Raw) -> Result<Option<Target>, ConfigError> {
    let url = match (raw.text(TRACES), raw.text(ENDPOINT)) {
        (Some(url), _) => checked(TRACES, url)?,
        (None, Some(base)) => {
            let base = checked(ENDPOINT, base)?;
            format!("{}/v1/traces", base.trim_end_matches('/'))
        }
        (None, None) => return Ok(None),
    };
    let mut target = target(raw, "otlp", url)?;
    let headers = raw.secret(HEADERS);
    let headers = headers
        .as_ref()
        .map_or("", |headers| headers.expose_secret());
    for pair in headers.split(',').filter(|pair| !pair.trim().is_empty()) {
        // The error omits the value, which is a secret.
        let wrong = || bad(HEADERS, "must be name=value pairs, separated by commas");
        let (name, value) = pair.split_once('=').ok_or_else(wrong)?;
        let name: HeaderName = name.trim().parse().map_err(|_| wrong())?;
        let value = unescaped(value.trim());
        target.secret_header(name, &value).map_err(|_| wrong())?;
    }
    Ok(Some(target))
}

fn langfuse(raw: &Raw) -> Result<Option<Target>, ConfigError> {
    const PUBLIC: &str = "telemetry.langfuse_public_key";
    const SECRET: &str = "telemetry.langfuse_secret_key";
    let (public, secret) = match (raw.secret(PUBLIC), raw.secret(SECRET)) {
        (None, None) => return Ok(None),
        (Some(public), Some(secret)) => (public, secret),
        (Some(_), None) => return Err(bad(SECRET, "must be set with the public key")),
        (None, Some(_)) => return Err(bad(PUBLIC, "must be set with the secret key")),
    };
    let base = checked(LANGFUSE_URL, raw.parse(LANGFUSE_URL)?)?;
    let url = format!("{}/api/public/otel/v1/traces", base.trim_end_matches('/'));
    let mut target = target(raw, "langfuse", url)?;
    let pair = format!("{}:{}", public.expose_secret(), secret.expose_secret());
    target
        .secret_header(AUTHORIZATION, &format!("Basic {}", STANDARD.encode(pair)))
        .map_err(|problem| bad(SECRET, problem))?;
    Ok(Some(target))
}

fn target(raw: &Raw, name: &'static str, url: String) -> Result<Target, ConfigError> {
    let timeout: u64 = raw.parse("telemetry.otlp_timeout_ms")?;
    Ok(Target {
        name,
        url,
        headers: HeaderMap::new(),
        protocol: raw.choose(
            "telemetry.otlp_protocol",
            &[
                ("http/protobuf", Protocol::Protobuf),
                ("http/json", Protocol::Json),
            ],
        )?,
        timeout: Duration::from_millis(timeout.max(1)),
        service: raw.parse("telemetry.service_name")?,
    })
}

fn checked(key: &str, url: String) -> Result<String, ConfigError> {
    let usable = Url::parse(&url)
        .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.host().is_some());
    match usable {
        true => Ok(url),
        false => Err(bad(key, "must be an address such as http://localhost:4318")),
    }
}

/// Decodes percent escapes, which OpenTelemetry allows in these variables.
fn unescaped(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        let code = after.get(..2).filter(|_| *byte == b'%');
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(decoded) => {
                out.push(decoded);
                rest = &after[2..];
            }
            None => {
                out.push(*byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

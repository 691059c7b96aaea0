//! Settings as read, before validation.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use frontdesk_core::setting::Setting;
use secrecy::SecretString;

use super::{all, parse_as};

#[derive(Debug, Default)]
pub struct Sources {
    /// A file that must exist, or `None` for `frontdesk.toml` if it exists.
    pub file: Option<PathBuf>,
    pub environment: Vec<(String, String)>,
    pub flags: Vec<(&'static str, String)>,
}

#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("cannot read {}: {problem}", path.display())]
    Unreadable { path: PathBuf, problem: String },
    #[error("{} is not valid TOML: {problem} in line {line}; correct that line", path.display())]
    NotToml {
        path: PathBuf,
        line: usize,
        problem: String,
    },
    #[error("unknown setting `{key}` in {place}{}", suggestion(.nearest))]
    UnknownKey {
        key: String,
        place: String,
        nearest: Option<String>,
    },
    #[error("setting `{key}`: {problem}")]
    BadValue { key: String, problem: String },
}

pub(super) fn bad(key: &str, problem: impl Into<String>) -> ConfigError {
    ConfigError::BadValue {
        key: key.to_owned(),
        problem: problem.into(),
    }
}

/// The parser's own message quotes the line, which may contain a secret.
fn not_toml(path: PathBuf, text: &str, error: &toml::de::Error) -> ConfigError {
    let start = error.span().map_or(0, |span| span.start);
    let before = text.get(..start).unwrap_or(text);
    ConfigError::NotToml {
        path,
        line: before.matches('\n').count() + 1,
        problem: error.message().trim().replace('\n', ", "),
    }
}

fn suggestion(nearest: &Option<String>) -> String {
    match nearest {
        Some(nearest) => format!("; did you mean `{nearest}`?"),
        None => "; see frontdesk.example.toml for all settings".to_owned(),
    }
}

const DEFAULT_FILE: &str = "frontdesk.toml";
const PREFIX: &str = "FRONTDESK_";
/// Environment variables with our prefix that are not settings.
const NOT_SETTINGS: [&str; 2] = ["FRONTDESK_TOKEN", "FRONTDESK_CONFIG"];
const PER_ASSISTANT: [&str; 3] = ["model", "temperature", "max_tokens"];

/// Values for manifests, under any name.
const VARIABLES: &str = "variables.";

/// Every setting as text, from the source with the highest precedence.
#[derive(Debug)]
pub struct Raw {
    values: BTreeMap<String, String>,
    /// Keys set explicitly, as opposed to defaults.
    set: Vec<String>,
    pub cache: Option<PathBuf>,
    /// The environment, and `[variables]` of the file.
    pub variables: BTreeMap<String, SecretString>,
}

/// Follows the same rules as `scripts/setup`.
fn cache(environment: &[(String, String)]) -> Option<PathBuf> {
    let find = |name: &str| {
        let found = environment.iter().find(|(known, _)| known == name);
        found
            .map(|(_, value)| PathBuf::from(value))
            .filter(|path| path.is_absolute())
    };
    find("XDG_CACHE_HOME").or_else(|| Some(find("HOME")?.join(".cache")))
}

impl Raw {
    pub fn gather(
        sources: Sources,
        declared: &[Setting],
        assistants: &[&str],
    ) -> Result<Raw, ConfigError> {
        let known = KnownKeys::new(declared, assistants);
        let mut raw = Raw {
            values: BTreeMap::new(),
            set: Vec::new(),
            cache: cache(&sources.environment),
            variables: BTreeMap::new(),
        };
        for setting in all(declared) {
            if !setting.default.is_empty() {
                raw.values
                    .insert(setting.key.to_owned(), setting.default.to_owned());
            }
        }
        raw.read_file(sources.file, &known)?;
        raw.read_environment(&sources.environment, &known)?;
        for (key, value) in sources.flags {
            raw.put(key.to_owned(), value);
        }
        Ok(raw)
    }

    fn put(&mut self, key: String, value: String) {
        if let Some(name) = key.strip_prefix(VARIABLES) {
            self.variables.insert(name.to_owned(), value.into());
            return;
        }
        self.set.push(key.clone());
        self.values.insert(key, value);
    }

    fn read_file(&mut self, file: Option<PathBuf>, known: &KnownKeys) -> Result<(), ConfigError> {
        let (path, required) = match file {
            Some(path) => (path, true),
            None => (PathBuf::from(DEFAULT_FILE), false),
        };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !required => {
                return Ok(());
            }
            Err(error) => {
                return Err(ConfigError::Unreadable {
                    path,
                    problem: error.to_string(),
                });
            }
        };
        let table: toml::Table = text
            .parse()
            .map_err(|error| not_toml(path.clone(), &text, &error))?;
        let mut found = Vec::new();
        flatten("", &table, &mut found);
        for (key, value) in found {
            if !key.starts_with(VARIABLES) {
                known.check(&key, &path.display().to_string())?;
            }
            self.put(key, value);
        }
        Ok(())
    }

    fn read_environment(
        &mut self,
        environment: &[(String, String)],
        known: &KnownKeys,
    ) -> Result<(), ConfigError> {
        for (name, value) in environment {
            self.variables.insert(name.clone(), value.as_str().into());
            if value.is_empty() || NOT_SETTINGS.contains(&name.as_str()) {
                continue;
            }
            match known.by_env.get(name) {
                Some(key) => self.put(key.clone(), value.clone()),
                None if name.starts_with(PREFIX) => {
                    return Err(ConfigError::UnknownKey {
                        key: name.clone(),
                        place: "the environment".to_owned(),
                        nearest: nearest(name, known.by_env.keys()),
                    });
                }
                None => {}
            }
        }
        Ok(())
    }

    pub fn is_set(&self, key: &str) -> bool {
        self.set.iter().any(|set| set == key)
    }

    /// The value, or `None` if it is empty.
    pub fn text(&self, key: &str) -> Option<String> {
        self.values.get(key).filter(|v| !v.is_empty()).cloned()
    }

    pub fn secret(&self, key: &str) -> Option<SecretString> {
        self.text(key).map(SecretString::from)
    }

    pub fn parse<T: FromStr>(&self, key: &str) -> Result<T, ConfigError>
    where
        T::Err: Display,
    {
        parse_as(key, &self.text(key).unwrap_or_default())
    }

    pub fn optional<T: FromStr>(&self, key: &str) -> Result<Option<T>, ConfigError>
    where
        T::Err: Display,
    {
        self.text(key).map(|text| parse_as(key, &text)).transpose()
    }

    pub fn at_least(&self, key: &str, least: u32) -> Result<u32, ConfigError> {
        match self.parse(key)? {
            number if number >= least => Ok(number),
            _ => Err(bad(key, format!("must be at least {least}"))),
        }
    }

    pub fn flag(&self, key: &str) -> Result<bool, ConfigError> {
        self.choose(
            key,
            &[("true", true), ("false", false), ("1", true), ("0", false)],
        )
    }

    pub fn seconds(&self, key: &str) -> Result<Duration, ConfigError> {
        let seconds: f64 = self.parse(key)?;
        Duration::try_from_secs_f64(seconds).map_err(|error| bad(key, error.to_string()))
    }

    /// A name that PostgreSQL accepts without quotes.
    pub fn identifier(&self, key: &str) -> Result<String, ConfigError> {
        let name = self.text(key).unwrap_or_default();
        let starts_well = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
        let is_plain = name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if starts_well && is_plain && name.len() <= 63 {
            return Ok(name);
        }
        Err(bad(
            key,
            "must be a name of lower-case letters, digits and underscores",
        ))
    }

    /// Seconds within these bounds; fractions are allowed.
    pub fn seconds_within(
        &self,
        key: &str,
        bounds: RangeInclusive<u32>,
    ) -> Result<Duration, ConfigError> {
        let seconds = self.seconds(key)?;
        let (least, most) = (*bounds.start(), *bounds.end());
        let allowed = Duration::from_secs(least.into())..=Duration::from_secs(most.into());
        if allowed.contains(&seconds) {
            return Ok(seconds);
        }
        Err(bad(key, format!("must be from {least} to {most}")))
    }

    pub fn choose<T: Copy>(&self, key: &str, choices: &[(&str, T)]) -> Result<T, ConfigError> {
        let value = self.text(key).unwrap_or_default();
        choices
            .iter()
            .find(|(name, _)| *name == value)
            .map(|(_, choice)| *choice)
            .ok_or_else(|| {
                let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
                bad(key, format!("{value:?} is not one of {}", names.join(", ")))
            })
    }
}

/// All valid keys and environment variables.
struct KnownKeys {
    keys: Vec<String>,
    by_env: BTreeMap<String, String>,
}

impl KnownKeys {
    fn new(declared: &[Setting], assistants: &[&str]) -> Self {
        let mut keys = Vec::new();
        let mut by_env = BTreeMap::new();
        for setting in all(declared) {
            keys.push(setting.key.to_owned());
            // Our own name is inserted last, so it wins over the well-known one.
            if let Some(env) = setting.env {
                by_env.insert(env.to_owned(), setting.key.to_owned());
            }
            by_env.insert(setting.own_env(), setting.key.to_owned());
        }
        for name in assistants {
            for what in PER_ASSISTANT {
                let key = format!("assistant.{name}.{what}");
                let env = key.replace('.', "_").to_uppercase();
                by_env.insert(format!("{PREFIX}{env}"), key.clone());
                keys.push(key);
            }
        }
        Self { keys, by_env }
    }

    fn check(&self, key: &str, place: &str) -> Result<(), ConfigError> {
        if self.keys.iter().any(|known| known == key) {
            return Ok(());
        }
        Err(ConfigError::UnknownKey {
            key: key.to_owned(),
            place: place.to_owned(),
            nearest: nearest(key, self.keys.iter()),
        })
    }
}

fn nearest<'a>(key: &str, known: impl Iterator<Item = &'a String>) -> Option<String> {
    const CLOSE_ENOUGH: f64 = 0.75;
    known
        .map(|candidate| (strsim::jaro_winkler(key, candidate), candidate))
        .filter(|(score, _)| *score >= CLOSE_ENOUGH)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate.clone())
}

fn flatten(prefix: &str, table: &toml::Table, out: &mut Vec<(String, String)>) {
    for (name, value) in table {
        let key = if prefix.is_empty() {
            name.clone()
        } else {
            format!("{prefix}.{name}")
        };
        match value {
            toml::Value::Table(inner) => flatten(&key, inner, out),
            toml::Value::String(text) => out.push((key, text.clone())),
            toml::Value::Integer(_)
            | toml::Value::Float(_)
            | toml::Value::Boolean(_)
            | toml::Value::Datetime(_)
            | toml::Value::Array(_) => out.push((key, value.to_string())),
        }
    }
}

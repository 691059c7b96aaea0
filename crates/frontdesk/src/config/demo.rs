//! Decides whether demo people and data are created. A real deployment must not get them by
//! default.

use super::{Config, ConfigError, IdentitySource, Raw};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demo {
    /// `demo = true`.
    AskedFor,
    /// `demo = false`.
    SwitchedOff,
    /// Not set, and only this machine can reach the server.
    OwnMachine,
    /// Not set, and this setting indicates a real deployment.
    Deployed(&'static str),
}

impl Demo {
    pub fn is_on(self) -> bool {
        match self {
            Demo::AskedFor | Demo::OwnMachine => true,
            Demo::SwitchedOff | Demo::Deployed(_) => false,
        }
    }

    pub fn reason(self) -> String {
        match self {
            Demo::AskedFor => "demo people and data, because `demo` is true".to_owned(),
            Demo::SwitchedOff => "no demo data, because `demo` is false".to_owned(),
            Demo::OwnMachine => "demo people and data: embedded database, local identity, loopback address; `demo = false` switches them off".to_owned(),
            Demo::Deployed(setting) => format!(
                "no demo data, because {setting}; `demo = true` creates it"
            ),
        }
    }
}

/// The setting, if it has a value.
pub(super) fn asked(raw: &Raw) -> Result<Option<bool>, ConfigError> {
    match raw.text("demo") {
        None => Ok(None),
        Some(_) => raw.flag("demo").map(Some),
    }
}

pub(super) fn decide(asked: Option<bool>, config: &Config) -> Demo {
    match asked {
        Some(true) => Demo::AskedFor,
        Some(false) => Demo::SwitchedOff,
        None => deployed(config).map_or(Demo::OwnMachine, Demo::Deployed),
    }
}

/// The first setting that indicates a real deployment.
fn deployed(config: &Config) -> Option<&'static str> {
    if config.database.url.is_some() {
        Some("DATABASE_URL is set")
    } else if !matches!(config.auth.source, IdentitySource::Local) {
        Some("people sign in with real tokens")
    } else if !config.server.bind.ip().is_loopback() {
        Some("server.bind can be reached by others")
    } else if !config.is_known_as_this_machine() {
        Some("server.public_url is a public address")
    } else {
        None
    }
}

//! Settings by key. They are never shown: some are secrets.

use std::collections::BTreeMap;

use secrecy::{ExposeSecret, SecretString};

#[derive(Clone, Debug, Default)]
pub struct Values(BTreeMap<String, SecretString>);

impl Values {
    /// The trimmed value; `None` if unset or empty.
    pub fn text(&self, key: &str) -> Option<&str> {
        let text = self.0.get(key)?.expose_secret().trim();
        (!text.is_empty()).then_some(text)
    }

    pub fn secret(&self, key: &str) -> Option<SecretString> {
        self.text(key).map(SecretString::from)
    }
}

impl FromIterator<(String, SecretString)> for Values {
    fn from_iter<I: IntoIterator<Item = (String, SecretString)>>(pairs: I) -> Self {
        Self(pairs.into_iter().collect())
    }
}

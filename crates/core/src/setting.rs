//! A setting as its owner declares it: one line here is its key, its default, its
//! environment name, its help and its entry in the example file.

/// A setting of the product or of an assistant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Dotted, as in the file: `server.bind`.
    pub key: &'static str,
    /// As written in the file; empty when there is no default.
    pub default: &'static str,
    /// A well-known environment name besides `FRONTDESK_…`, if there is one.
    pub env: Option<&'static str>,
    pub kind: SettingKind,
    /// A sentence for the example file.
    pub about: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    Text,
    /// Never shown.
    Secret,
    Number,
    Flag,
}

impl Setting {
    /// The environment name that every setting has.
    pub fn own_env(&self) -> String {
        let name: String = self
            .key
            .chars()
            .map(|c| {
                if c == '.' {
                    '_'
                } else {
                    c.to_ascii_uppercase()
                }
            })
            .collect();
        format!("FRONTDESK_{name}")
    }
}

//! A declared setting: key, default, environment name, help, and entry in the example file.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Dotted, as in the file: `server.bind`.
    pub key: &'static str,
    /// As written in the file; empty if there is no default.
    pub default: &'static str,
    /// A well-known environment name besides `FRONTDESK_…`.
    pub env: Option<&'static str>,
    pub kind: SettingKind,
    /// A sentence for the example file.
    pub about: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    Text,
    /// Never displayed.
    Secret,
    Number,
    Flag,
}

impl Setting {
    /// The derived name, `FRONTDESK_…`.
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

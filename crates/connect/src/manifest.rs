//! Manifests: a whole assistant as TOML, without code.
//!
//! - `format` has the types of `assistant.toml`; their doc comments are the published schema
//! - `folder` reads an assistant's folder; `read` parses the manifest and inserts secrets
//! - `build` turns it into an assistant; `tools`, `phases`, `documents` and `context` build its parts
//! - `warnings` finds doubts that do not prevent its use
//! - `error` names file, line, key and the nearest known key

mod build;
mod context;
mod documents;
mod error;
mod folder;
mod format;
mod phases;
mod read;
mod tools;
mod warnings;

pub use build::{
    Extension, ManifestAssistant, SetUp, SourceClient, Variables, load, load_extended,
};
pub use error::ManifestError;
pub use folder::{ManifestFolder, folders, is_name};
pub use format::{Manifest, SourceEntry, ToolEntry};

/// The JSON Schema of `assistant.toml`, for editors.
pub fn schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(Manifest).to_value();
    if let Some(object) = schema.as_object_mut() {
        object.insert("title".to_owned(), "A Frontdesk assistant".into());
    }
    schema
}

#[cfg(test)]
#[path = "manifest_tests.rs"]
mod manifest_tests;

//! `frontdesk schema`: prints the JSON Schema of a file format.

use clap::{Args, ValueEnum};

use super::Exit;

#[derive(Args)]
#[command(
    after_help = "Example:\n  frontdesk schema manifest > assistants.d/manifest.schema.json\nThen begin an assistant.toml with: #:schema ../manifest.schema.json"
)]
pub(super) struct Schema {
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// The assistant.toml of an assistant without code.
    Manifest,
}

impl Schema {
    pub(super) fn run(self) -> anyhow::Result<Exit> {
        let schema = match self.format {
            Format::Manifest => frontdesk_connect::manifest::schema(),
        };
        println!("{}", serde_json::to_string_pretty(&schema)?);
        Ok(Exit::Done)
    }
}

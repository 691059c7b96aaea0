//! `frontdesk openapi`: prints the document that the server has at `/openapi.json`.

use clap::Args;

use super::Exit;

#[derive(Args)]
#[command(after_help = "Example:\n  frontdesk openapi > openapi.json")]
pub(super) struct Openapi {}

impl Openapi {
    pub(super) fn run(self) -> anyhow::Result<Exit> {
        println!("{}", serde_json::to_string_pretty(&crate::http::openapi())?);
        Ok(Exit::Done)
    }
}

//! `frontdesk openapi`: the OpenAPI document, as the server gives it at `/openapi.json`.

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

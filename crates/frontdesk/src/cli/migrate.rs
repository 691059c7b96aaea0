//! `frontdesk migrate`: migrates the database schema.

use clap::Args;

use super::{Exit, Setup};

#[derive(Args)]
#[command(after_help = "Example:\n  DATABASE_URL=postgres://… frontdesk migrate")]
pub(super) struct Migrate {}

impl Migrate {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let app = setup.open().await?;
        println!("The database is up to date.");
        app.close().await;
        Ok(Exit::Done)
    }
}

//! `frontdesk service`: runs one bundled back-end service without assistants.

use std::net::SocketAddr;
use std::sync::Arc;

use clap::Args;
use tokio_util::sync::CancellationToken;

use super::serve::{greet, listen, stop_signal};
use super::{Exit, Setup};
use crate::{http, services};

#[derive(Args)]
#[command(
    after_help = "Example:\n  frontdesk service gatepass --bind 127.0.0.1:8000\n\nIt accepts tokens signed with the same secret (SUPABASE_JWT_SECRET, or the one in the data folder):\n  frontdesk token --as hr --service gatepass"
)]
pub(super) struct Service {
    /// Name of the service.
    name: String,
    /// Address and port to listen on.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8000")]
    bind: SocketAddr,
    /// Start without demo data.
    #[arg(long)]
    no_demo: bool,
}

impl Service {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let mut flags = Vec::new();
        if self.no_demo {
            flags.push(("demo", "false".to_owned()));
        }
        let config = setup.config(flags)?;
        let listener = listen(self.bind).await?;
        let address = listener.local_addr()?;
        let (router, db) = services::alone(&self.name, &config).await?;
        greet(&format!(
            "The {} service is at http://{address}\n  described at http://{address}/openapi.json\nCtrl-C stops it.\n",
            self.name
        ));
        let stopping = CancellationToken::new();
        let http_server = http::HttpServer {
            router,
            listener,
            connections: config.limits.connections as usize,
            timeouts: config.limits.timeouts,
            metrics: Arc::default(),
        };
        let refusing =
            http::serve_connections(http_server, stop_signal(), &stopping, async {}).await;
        db.close().await;
        refusing.abort();
        Ok(Exit::Done)
    }
}

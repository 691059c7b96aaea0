//! CPU time of a call of a tool that data defines, compared with a Rust tool that sends the same
//! request. Only this thread is measured; the server has its own.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use axum::extract::Path;
use axum::routing::get;
use axum::{Json, Router};
use chrono::{DateTime, Utc};
use clap::Parser;
use frontdesk::system_env::SystemEnv;
use frontdesk_bench::fixture::{install_crypto, person, run_call};
use frontdesk_bench::null_store::NullStore;
use frontdesk_bench::stats::{cpu, median};
use frontdesk_connect::{
    Auth, HttpSource, HttpTool, Operation, Parameter, Secret, Source, TokenSources,
};
use frontdesk_core::access::Principal;
use frontdesk_core::tool::{Tool, ToolContext, ToolDef, ToolError, ToolSpec};
use frontdesk_core::toolbox::Toolbox;
use rustix::time::ClockId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Parser)]
#[command(about = "Measure the CPU time of a tool that data defines.")]
struct Cli {
    /// Calls in each round.
    #[arg(long, default_value_t = 2_000)]
    calls: usize,
    /// Rounds of both tools, alternately; the median counts.
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// Fail if the ratio is above the goal.
    #[arg(long)]
    check: bool,
}

/// The goal: a data tool costs at most this many times a Rust tool.
const GOAL: f64 = 1.2;
const TOKEN: &str = "a token of the bench";

/// The Rust tool: typed arguments, one request, a typed result.
struct ShowTicket {
    http: reqwest::Client,
    base: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// ID of the ticket.
    ticket_id: String,
}

#[derive(Serialize, Deserialize)]
struct Ticket {
    id: u64,
    title: String,
    state: String,
    created_at: DateTime<Utc>,
    tags: Vec<String>,
}

impl Tool for ShowTicket {
    const NAME: &'static str = "show_ticket";
    type Args = Args;
    type Output = Ticket;

    fn spec() -> ToolSpec {
        ToolSpec::read("Shows a ticket by its ID.")
    }

    async fn call(&self, _: &ToolContext, args: Args) -> Result<Ticket, ToolError> {
        let request = self
            .http
            .get(format!("{}/tickets/{}", self.base, args.ticket_id))
            .bearer_auth(TOKEN)
            .timeout(Duration::from_secs(30));
        let response = request.send().await.map_err(ToolError::failed)?;
        if !response.status().is_success() {
            return Err(ToolError::refused("There is no such ticket"));
        }
        response.json().await.map_err(ToolError::failed)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let cli = Cli::parse();
    install_crypto();
    let base = format!("http://{}", serve()?);
    let site = Site {
        toolbox: toolbox(&base)?,
        store: Arc::new(NullStore),
        who: person([]),
    };
    let mut ratios = Vec::new();
    // The first round warms up.
    for round in 0..=cli.rounds {
        let rust = site.measure("show_ticket", cli.calls).await?;
        let data = site.measure("get_ticket", cli.calls).await?;
        let ratio = data.as_secs_f64() / rust.as_secs_f64();
        if round > 0 {
            println!("Rust tool {rust:>8.1?}   data tool {data:>8.1?}   ratio {ratio:.2}");
            ratios.push(ratio);
        }
    }
    let median = median(ratios);
    println!("median ratio {median:.2} (goal: at most {GOAL})");
    if cli.check && median > GOAL {
        bail!("the ratio is above the goal");
    }
    Ok(())
}

/// Serves tickets from a thread of its own.
fn serve() -> Result<SocketAddr> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    std::thread::spawn(move || -> Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let show = |Path(id): Path<u64>| async move {
                Json(json!({
                    "id": id, "title": "The printer on floor 2 does not print", "state": "open",
                    "created_at": "2026-09-15T10:00:00Z", "tags": ["printer", "floor 2"],
                }))
            };
            let router = Router::new().route("/tickets/{id}", get(show));
            Ok(axum::serve(listener, router).await?)
        })
    });
    Ok(address)
}

fn toolbox(base: &str) -> Result<Toolbox> {
    let source = Source {
        auth: Auth::Bearer {
            token: Secret::new(TOKEN),
        },
        ..Source::at(base)
    };
    let tokens = TokenSources {
        mint: Arc::new(|_, _| Err("no token is signed".into())),
        person: Arc::new(|_| None),
    };
    let source = Arc::new(HttpSource::new(source, tokens, Arc::new(SystemEnv))?);
    let mut operation = Operation::new("GET /tickets/{ticket_id}".parse()?);
    let id = Parameter {
        description: Some("ID of the ticket.".to_owned()),
        ..Parameter::default()
    };
    operation.parameters.insert("ticket_id".to_owned(), id);
    let def = ToolDef {
        name: "get_ticket".into(),
        parameters: operation.schema(),
        spec: ToolSpec::read("Shows a ticket by its ID."),
    };
    let rust = ShowTicket {
        http: reqwest::Client::builder().no_proxy().build()?,
        base: base.to_owned(),
    };
    let builder = Toolbox::builder()
        .tool(rust)
        .data_tool(def, Arc::new(HttpTool::new(source, operation)));
    Ok(builder.build()?)
}

struct Site {
    toolbox: Toolbox,
    store: Arc<NullStore>,
    who: Principal,
}

impl Site {
    /// CPU time of one call.
    async fn measure(&self, tool: &str, calls: usize) -> Result<Duration> {
        let began = cpu(ClockId::ThreadCPUTime);
        for number in 0..calls {
            let arguments = json!({ "ticket_id": number.to_string() });
            let store = Arc::clone(&self.store);
            let ticket = run_call(&self.toolbox, &self.who, store, tool, &arguments).await?;
            ticket["state"].as_str().context("the result is a ticket")?;
        }
        Ok((cpu(ClockId::ThreadCPUTime) - began) / u32::try_from(calls)?)
    }
}

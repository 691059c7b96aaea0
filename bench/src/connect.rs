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
use frontdesk_connect::{
    Auth, HttpSource, HttpTool, Operation, Parameter, Secret, Source, TokenSources,
};
use frontdesk_core::access::{Identity, Principal, Proof};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::env::Env;
use frontdesk_core::grant::{self, Grounds, Verdict};
use frontdesk_core::handle::Handles;
use frontdesk_core::id::{ConversationId, ProfileId, TurnId};
use frontdesk_core::message::ToolCall;
use frontdesk_core::phase::Phase;
use frontdesk_core::tool::{Tool, ToolContext, ToolDef, ToolError, ToolSetting, ToolSpec};
use frontdesk_core::toolbox::Toolbox;
use frontdesk_db::{Db, SqliteOptions};
use frontdesk_store::{Appliers, Store};
use futures_util::future::BoxFuture;
use rustix::time::{ClockId, clock_gettime};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

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
    // Fails if a provider is already installed, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let base = format!("http://{}", serve()?);
    let folder = tempfile::tempdir()?;
    let db = Db::open_sqlite(&folder.path().join("desk.db"), SqliteOptions::default()).await?;
    let site = Site {
        toolbox: toolbox(&base)?,
        store: Store::new(db, Appliers::default()),
        who: person(),
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
    ratios.sort_by(f64::total_cmp);
    let median = ratios.get(ratios.len() / 2).copied().unwrap_or_default();
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
    let source = Arc::new(HttpSource::new(source, tokens, Arc::new(Clock))?);
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
    store: Store,
    who: Principal,
}

impl Site {
    /// CPU time of one call.
    async fn measure(&self, tool: &str, calls: usize) -> Result<Duration> {
        let began = cpu();
        for number in 0..calls {
            self.run(tool, number).await?;
        }
        Ok((cpu() - began) / u32::try_from(calls)?)
    }

    /// Grants and runs a call as a turn does.
    async fn run(&self, tool: &str, number: usize) -> Result<()> {
        let call = ToolCall {
            id: "call_1".to_owned(),
            name: tool.to_owned(),
            arguments: json!({ "ticket_id": number.to_string() }).to_string(),
        };
        let verdict = grant::decide(
            &call,
            &Grounds {
                toolbox: &self.toolbox,
                principal: &self.who,
                phase: &Phase::DEFAULT,
                progress: &Default::default(),
                handles: &Handles::default(),
                message: &String::new,
                own_form: true,
                foreign_text: false,
                untrusted_text: false,
                may_write: true,
            },
        );
        let Verdict::Run(granted) = verdict else {
            bail!("the call is not granted: {verdict:?}");
        };
        let output = self.toolbox.run(self.context(), granted).await;
        let output = output.map_err(|error| anyhow::anyhow!(error.message))?;
        let state = output.result.get("state").and_then(Value::as_str);
        state.context("the result is a ticket").map(|_| ())
    }

    fn context(&self) -> ToolContext {
        let now = Utc::now();
        let conversation = Conversation {
            id: ConversationId::from_uuid(Uuid::from_u128(1)),
            user_id: self.who.profile(),
            company_id: None,
            assistant: "bench".to_owned(),
            subject: None,
            title: String::new(),
            phase: Phase::DEFAULT,
            metadata: serde_json::Map::new(),
            progress: Default::default(),
            message_count: 0,
            last_message_at: None,
            created_at: now,
            updated_at: now,
        };
        ToolContext::new(ToolSetting {
            principal: Arc::new(self.who.clone()),
            conversation: Arc::new(conversation),
            handles: Arc::new(Handles::default()),
            artifacts: Arc::new(self.store.clone()),
            attachments: Arc::new(self.store.clone()),
            turn: TurnId::from_uuid(Uuid::now_v7()),
            call_id: "call_1".to_owned(),
            now,
            said: String::new(),
            progress: None,
            drafts: None,
        })
    }
}

fn person() -> Principal {
    let id = Uuid::from_u128(7);
    let identity = Identity {
        subject: id,
        profile: ProfileId::from_uuid(id),
        name: "Bench".to_owned(),
        email: None,
        roles: Default::default(),
        companies: Vec::new(),
        expires: None,
    };
    Principal::authenticated(identity, Proof::LocalShell)
}

struct Clock;

impl Env for Clock {
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(duration))
    }

    fn id(&self) -> Uuid {
        Uuid::now_v7()
    }
}

/// CPU time of this thread.
fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanos = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(seconds, nanos)
}

//! Performance of the Gate Pass API on the embedded database, and the assistant's overhead
//! in a tool call compared with the bare HTTP request.

use std::collections::BTreeMap;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use chrono::{DateTime, Utc};
use clap::Parser;
use frontdesk_bundle::{Bundle, MintToken, SetupContext};
use frontdesk_core::access::{Identity, Principal, Proof, Role};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::env::Env;
use frontdesk_core::grant::{self, Grounds, Verdict};
use frontdesk_core::handle::Handles;
use frontdesk_core::id::{ConversationId, ProfileId, TurnId};
use frontdesk_core::message::ToolCall;
use frontdesk_core::phase::Phase;
use frontdesk_core::tool::{ToolContext, ToolSetting};
use frontdesk_db::{Db, SqliteOptions};
use frontdesk_service_gatepass::{GatePass, MIGRATIONS, Photos, Settings, router};
use frontdesk_store::{Appliers, Store};
use futures_util::future::BoxFuture;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use jsonwebtoken::{EncodingKey, Header};
use reqwest::Client;
use serde_json::{Value, json};
use uuid::Uuid;

#[derive(Parser)]
#[command(
    about = "Measure the Gate Pass API and the assistant in front of it.",
    after_help = "Example:\n  cargo run --release -p frontdesk-bench --bin frontdesk-bench-gatepass"
)]
struct Cli {
    /// Requests in each measurement.
    #[arg(long, default_value_t = 5_000)]
    requests: usize,
    /// Requests in flight at a time.
    #[arg(long, default_value_t = 64)]
    concurrency: usize,
    /// Sequential calls for measuring the assistant's overhead.
    #[arg(long, default_value_t = 1_000)]
    calls: usize,
}

const SECRET: &str = "a secret of the bench that is long enough";

#[tokio::main]
async fn main() -> Result<()> {
    let cli = Cli::parse();
    // Fails if a provider is already installed, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let folder = tempfile::tempdir()?;
    let url = serve(folder.path()).await?;
    let site = Site {
        url,
        client: Client::builder().no_proxy().build()?,
        token: token(&person())?,
    };
    let number = site.create(0).await?;

    let writes = rate(cli.requests, cli.concurrency, |n| site.create(n)).await?;
    let reads = rate(cli.requests, cli.concurrency, |_| site.show(&number)).await?;
    let lists = rate(cli.requests / 5, cli.concurrency, |_| site.list()).await?;
    println!("API on SQLite, {} in flight", cli.concurrency);
    println!("  create a pass     {writes:>8.0} per second");
    println!("  read a pass       {reads:>8.0} per second");
    println!("  list 50 passes    {lists:>8.0} per second");

    let agent = Agent::new(folder.path(), &site).await?;
    let (mut bare, mut tool) = (Vec::new(), Vec::new());
    for _ in 0..cli.calls {
        // Alternating, so that background load affects both alike.
        bare.push(timed(site.show(&number)).await?);
        tool.push(timed(agent.show(&number)).await?);
    }
    let (bare, tool) = (median(bare), median(tool));
    println!("One call at a time, median of {}", cli.calls);
    println!("  bare HTTP         {:>8} µs", bare.as_micros());
    println!("  through the tool  {:>8} µs", tool.as_micros());
    println!(
        "  the agent's own   {:>8} µs",
        tool.saturating_sub(bare).as_micros()
    );
    Ok(())
}

async fn serve(folder: &std::path::Path) -> Result<SocketAddr> {
    let db = Db::open_sqlite(&folder.join("gatepass.db"), SqliteOptions::default()).await?;
    db.migrate(&[MIGRATIONS]).await?;
    let settings = Settings::new(SECRET.into(), "http://localhost:8080");
    let photos = Photos::folder(folder.join("photos"))?;
    let service = GatePass::new(db, settings, photos, Arc::new(Utc::now))?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move { axum::serve(listener, router(service)).await });
    Ok(address)
}

fn person() -> Principal {
    let id = Uuid::from_u128(7);
    let identity = Identity {
        subject: id,
        profile: ProfileId::from_uuid(id),
        name: "Ayesha Siddiqui".to_owned(),
        email: None,
        roles: [Role::HR_USER].into_iter().collect(),
        companies: Vec::new(),
        expires: None,
    };
    Principal::authenticated(identity, Proof::Persona)
}

fn token(who: &Principal) -> Result<String> {
    let roles: Vec<&str> = who.roles().iter().map(Role::as_str).collect();
    let exp = Utc::now().timestamp() + 600;
    let claims = json!({
        "iss": "frontdesk", "aud": "gatepass", "sub": who.subject(), "name": who.name(),
        "roles": roles, "exp": exp,
    });
    let key = EncodingKey::from_secret(SECRET.as_bytes());
    Ok(jsonwebtoken::encode(&Header::default(), &claims, &key)?)
}

/// The API as a plain HTTP client sees it.
struct Site {
    url: SocketAddr,
    client: Client,
    token: String,
}

impl Site {
    async fn create(&self, number: usize) -> Result<String> {
        let body = json!({
            "person_name": format!("Person {number}"), "description": "Bank visit", "is_returnable": true,
        });
        let url = format!("http://{}/hr/gatepass/create", self.url);
        let request = self.client.post(url).json(&body);
        let pass = self.send(request).await?;
        let number = pass["pass_number"]
            .as_str()
            .context("a pass has a number")?;
        Ok(number.to_owned())
    }

    async fn show(&self, number: &str) -> Result<()> {
        let url = format!("http://{}/hr/gatepass/{number}", self.url);
        self.send(self.client.get(url)).await.map(|_| ())
    }

    async fn list(&self) -> Result<()> {
        let url = format!("http://{}/hr/gatepass/list", self.url);
        self.send(self.client.get(url)).await.map(|_| ())
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> Result<Value> {
        let answer = request.bearer_auth(&self.token).send().await?;
        Ok(answer.error_for_status()?.json().await?)
    }
}

/// The assistant in front of the same API.
struct Agent {
    bundle: Bundle,
    store: Store,
    who: Principal,
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

impl Agent {
    async fn new(folder: &std::path::Path, site: &Site) -> Result<Self> {
        let db = Db::open_sqlite(&folder.join("desk.db"), SqliteOptions::default()).await?;
        db.migrate(&[Store::migrations()]).await?;
        let tokens: MintToken = Arc::new(|who, _| token(who).map_err(Into::into));
        let bundles = frontdesk_assistants::all(&SetupContext {
            db: db.clone(),
            settings: BTreeMap::new(),
            public_url: "http://localhost:8080".to_owned(),
            env: Arc::new(Clock),
            services: BTreeMap::from([("gatepass".to_owned(), format!("http://{}", site.url))]),
            service_tokens: tokens,
            person_tokens: Arc::new(|_| None),
            search: Arc::new(frontdesk_core::search::Nowhere),
            conversation_api: Arc::new(frontdesk_core::conversation_api::UnavailableApi),
        })?;
        let mut found = bundles.into_iter();
        let bundle = found.find(|bundle| bundle.assistant.name == "gatepass");
        Ok(Self {
            bundle: bundle.context("the assistant is there")?,
            store: Store::new(db, Appliers::default()),
            who: person(),
        })
    }

    /// Grants and runs a call as a turn does.
    async fn show(&self, number: &str) -> Result<()> {
        let toolbox = &self.bundle.assistant.toolbox;
        let call = ToolCall {
            id: "call_1".to_owned(),
            name: "get_gate_pass_details".to_owned(),
            arguments: json!({ "pass_id": number }).to_string(),
        };
        let verdict = grant::decide(
            &call,
            &Grounds {
                toolbox,
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
        let ran = toolbox.run(self.context(), granted).await;
        ran.map(|_| ())
            .map_err(|error| anyhow::anyhow!(error.message))
    }

    fn context(&self) -> ToolContext {
        let now = Utc::now();
        let conversation = Conversation {
            id: ConversationId::from_uuid(Uuid::from_u128(1)),
            user_id: self.who.profile(),
            company_id: None,
            assistant: "gatepass".to_owned(),
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

/// Operations per second with some in flight, after a warm-up.
async fn rate<T, F: Future<Output = Result<T>>>(
    count: usize,
    in_flight: usize,
    request: impl Fn(usize) -> F,
) -> Result<f64> {
    let run = |numbers: std::ops::Range<usize>| {
        stream::iter(numbers)
            .map(&request)
            .buffer_unordered(in_flight)
            .try_collect::<Vec<T>>()
    };
    run(0..in_flight).await?;
    let begin = Instant::now();
    run(0..count).await?;
    Ok(count as f64 / begin.elapsed().as_secs_f64())
}

async fn timed(work: impl Future<Output = Result<()>>) -> Result<Duration> {
    let begin = Instant::now();
    work.await?;
    Ok(begin.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

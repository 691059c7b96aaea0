//! Performance of the Gate Pass API on the embedded database, and the assistant's overhead
//! in a tool call compared with the bare HTTP request.

use std::collections::BTreeMap;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result};
use chrono::Utc;
use clap::Parser;
use frontdesk::system_env::SystemEnv;
use frontdesk_bench::fixture::{install_crypto, person, run_call};
use frontdesk_bench::stats::median;
use frontdesk_bundle::{Bundle, MintToken, SetupContext};
use frontdesk_core::access::{Principal, Role};
use frontdesk_db::{Db, SqliteOptions};
use frontdesk_service_gatepass::{GatePass, MIGRATIONS, Photos, Settings, router};
use frontdesk_store::{Appliers, Store};
use futures_util::stream::{self, StreamExt, TryStreamExt};
use jsonwebtoken::{EncodingKey, Header};
use reqwest::Client;
use serde_json::{Value, json};

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
    install_crypto();
    let folder = tempfile::tempdir()?;
    let url = serve(folder.path()).await?;
    let site = Site {
        url,
        client: Client::builder().no_proxy().build()?,
        token: token(&person([Role::HR_USER]))?,
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
    println!("  bare HTTP         {bare:>8.0} µs");
    println!("  through the tool  {tool:>8.0} µs");
    println!("  the agent's own   {:>8.0} µs", tool - bare);
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
    store: Arc<Store>,
    who: Principal,
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
            env: Arc::new(SystemEnv),
            services: BTreeMap::from([("gatepass".to_owned(), format!("http://{}", site.url))]),
            service_tokens: tokens,
            person_tokens: Arc::new(|_| None),
            search: Arc::new(frontdesk_core::search::Nowhere),
            conversation_api: Arc::new(frontdesk_testkit::UnavailableApi),
        })?;
        let mut found = bundles.into_iter();
        let bundle = found.find(|bundle| bundle.assistant.name == "gatepass");
        Ok(Self {
            bundle: bundle.context("the assistant is there")?,
            store: Arc::new(Store::new(db, Appliers::default())),
            who: person([Role::HR_USER]),
        })
    }

    async fn show(&self, number: &str) -> Result<()> {
        let toolbox = &self.bundle.assistant.toolbox;
        let (store, pass) = (Arc::clone(&self.store), json!({ "pass_id": number }));
        run_call(toolbox, &self.who, store, "get_gate_pass_details", &pass).await?;
        Ok(())
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

/// Microseconds.
async fn timed(work: impl Future<Output = Result<()>>) -> Result<f64> {
    let begin = Instant::now();
    work.await?;
    Ok(begin.elapsed().as_secs_f64() * 1e6)
}

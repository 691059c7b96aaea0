//! Three real `frontdesk serve` processes on one Postgres behave as one: one rate, one stream,
//! one answer when a process is killed in the middle of it.

use std::collections::HashSet;
use std::process::Stdio;
use std::time::Duration;

use frontdesk_testkit::model_server::{Gate, ModelServer, say};
use frontdesk_testkit::postgres::TestDatabase;
use jsonwebtoken::{EncodingKey, Header, encode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::harness::database;
use crate::server::{client, parse_events, read_until, text_of};

const SECRET: &str = "a secret that three processes share!";

struct Cluster {
    model: ModelServer,
    database: TestDatabase,
    folders: Vec<TempDir>,
    client: reqwest::Client,
}

struct Node {
    child: Child,
    url: String,
}

impl Cluster {
    async fn new() -> Self {
        Self {
            model: ModelServer::start().await,
            database: database().await,
            folders: (0..3).map(|_| TempDir::new().unwrap()).collect(),
            client: client(),
        }
    }

    /// The binary as an operator starts it, each in a folder of its own.
    async fn start(&self, number: usize) -> Node {
        let mut child = Command::new(env!("CARGO_BIN_EXE_frontdesk"))
            .args(["serve", "--bind", "127.0.0.1:0"])
            .current_dir(self.folders[number].path())
            .env_clear()
            .env("DATABASE_URL", &self.database.url)
            .env("SUPABASE_JWT_SECRET", SECRET)
            .env("OPENAI_BASE_URL", self.model.url())
            .env("FRONTDESK_SERVER_LEASE_SECONDS", "2")
            .env("FRONTDESK_LOG_LEVEL", "warn")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = lines.next_line().await.unwrap().expect("it did not start");
        // What follows is read so that the pipe never fills.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let lock = self.folders[number].path().join("data/server.lock");
        let url = std::fs::read_to_string(lock).unwrap();
        assert!(first.starts_with("Frontdesk is at"), "{first}");
        let node = Node { child, url };
        while !self.is_ready(&node).await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        node
    }

    async fn is_ready(&self, node: &Node) -> bool {
        let asked = self.client.get(format!("{}/readyz", node.url)).send().await;
        asked.is_ok_and(|response| response.status().is_success())
    }

    fn request(
        &self,
        node: &Node,
        method: reqwest::Method,
        path: &str,
        who: &str,
    ) -> reqwest::RequestBuilder {
        self.client
            .request(method, format!("{}/api/v1{path}", node.url))
            .bearer_auth(who)
    }

    async fn post(&self, node: &Node, path: &str, who: &str, body: Value) -> (u16, Value) {
        let request = self
            .request(node, reqwest::Method::POST, path, who)
            .json(&body);
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }

    async fn conversation(&self, node: &Node, who: &str) -> String {
        let body = json!({ "assistant": "gatepass" });
        let (status, made) = self.post(node, "/conversations", who, body).await;
        assert_eq!(status, 201, "{made}");
        made["id"].as_str().unwrap().to_owned()
    }
}

fn token() -> String {
    let claims = json!({
        "iss": "frontdesk", "aud": "authenticated", "sub": Uuid::now_v7(), "email": "hr@example.com",
        "exp": chrono::Utc::now().timestamp() + 3600, "app_metadata": { "name": "Hana", "roles": ["HR_User"] },
    });
    encode(
        &Header::default(),
        &claims,
        &EncodingKey::from_secret(SECRET.as_bytes()),
    )
    .unwrap()
}

// design: promises P16 budgets
#[tokio::test(flavor = "multi_thread")]
async fn a_rate_is_one_over_all_processes() {
    let cluster = Cluster::new().await;
    let nodes = [
        cluster.start(0).await,
        cluster.start(1).await,
        cluster.start(2).await,
    ];
    cluster.model.otherwise(say("Yes."));
    let who = token();
    let mut all = JoinSet::new();
    let mut conversations = HashSet::new();
    for number in 0..45 {
        let node = &nodes[number % 3];
        let id = cluster.conversation(node, &who).await;
        conversations.insert(id.clone());
        // Made on one process, spoken to on the next.
        let node = &nodes[(number + 1) % 3];
        let request = cluster
            .request(
                node,
                reqwest::Method::POST,
                &format!("/conversations/{id}/messages"),
                &who,
            )
            .header("x-forwarded-for", format!("203.0.113.{number}"))
            .json(&json!({ "content": "Hello" }));
        all.spawn(async move {
            let response = request.send().await.unwrap();
            (
                response.status().as_u16(),
                response.headers().contains_key("retry-after"),
            )
        });
    }
    let answers = all.join_all().await;
    let taken = answers.iter().filter(|(status, _)| *status == 201).count();
    let refused = answers
        .iter()
        .filter(|(status, wait)| *status == 429 && *wait)
        .count();
    assert_eq!((taken, refused), (20, 25), "{answers:?}");
    // Every process lists all of them.
    for node in &nodes {
        let listed = cluster
            .request(node, reqwest::Method::GET, "/conversations?limit=100", &who)
            .send()
            .await
            .unwrap();
        let listed: Value = listed.json().await.unwrap();
        let seen: HashSet<String> = listed["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["id"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(seen, conversations);
    }
}

/// Reads until `what` occurred this often. Keep-alive comments do not count.
async fn hear(stream: &mut reqwest::Response, heard: &mut String, what: &str, times: usize) {
    let reading = async {
        while heard.matches(what).count() < times {
            let chunk = stream.chunk().await.unwrap().unwrap();
            heard.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    };
    let read = tokio::time::timeout(Duration::from_secs(60), reading).await;
    assert!(read.is_ok(), "not heard: {what} in {heard}");
}

// design: promises P5 end
#[tokio::test(flavor = "multi_thread")]
async fn a_stream_is_read_anywhere_and_survives_the_process_that_wrote_it() {
    let cluster = Cluster::new().await;
    let [mut first, second, third] = [
        cluster.start(0).await,
        cluster.start(1).await,
        cluster.start(2).await,
    ];
    let who = token();
    // A person follows their changes on the third process.
    let mut changes = cluster
        .request(&third, reqwest::Method::GET, "/events", &who)
        .send()
        .await
        .unwrap();
    // A server follows changes from its start. Once it reports one, it reports all later ones.
    let mut heard = String::new();
    hear(&mut changes, &mut heard, "event: snapshot", 1).await;
    while !heard.contains("conversation.changed") {
        cluster.conversation(&second, &who).await;
        let chunk = tokio::time::timeout(Duration::from_secs(1), changes.chunk()).await;
        if let Ok(chunk) = chunk {
            heard.push_str(std::str::from_utf8(&chunk.unwrap().unwrap()).unwrap());
        }
    }
    let id = cluster.conversation(&second, &who).await;
    let gate = Gate::shut();
    cluster.model.script([
        say("The answer ")
            .then_wait(&gate)
            .then_say("is never finished"),
        say("The whole answer."),
    ]);
    let path = format!("/conversations/{id}/messages");
    let mut stream = cluster
        .request(&first, reqwest::Method::POST, &path, &who)
        .header("accept", "text/event-stream")
        .json(&json!({ "content": "Hello" }))
        .send()
        .await
        .unwrap();
    let events = read_until(&mut stream, "The answer ").await;
    let turn = events[0].data["turn"].as_str().unwrap().to_owned();
    let last = events.last().unwrap().id;
    let events_path = format!("/conversations/{id}/turns/{turn}/events");
    let watching = cluster
        .request(&third, reqwest::Method::GET, &events_path, &who)
        .header("last-event-id", last)
        .send()
        .await
        .unwrap();
    assert_eq!(watching.status(), 200);
    first.child.kill().await.unwrap();

    let rest = tokio::time::timeout(Duration::from_secs(30), watching.text()).await;
    let rest = parse_events(&rest.expect("nobody went on with the turn").unwrap());
    assert!(rest.iter().all(|event| event.id > last), "{rest:?}");
    assert!(rest.windows(2).all(|pair| pair[0].id < pair[1].id));
    assert!(
        rest.iter().any(|event| event.name == "text.reset"),
        "{rest:?}"
    );
    assert_eq!(text_of(&rest), "The whole answer.");
    assert_eq!(rest.last().unwrap().name, "turn.completed");
    let history = cluster
        .request(&second, reqwest::Method::GET, &path, &who)
        .send()
        .await
        .unwrap();
    let history: Value = history.json().await.unwrap();
    let contents: Vec<&str> = history["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["content"].as_str().unwrap())
        .collect();
    assert_eq!(contents, ["Hello", "The whole answer."]);
    // The other process reported the creation, the message and the end.
    hear(&mut changes, &mut heard, &id, 3).await;
    gate.open();
}

// design: promises P2
#[tokio::test(flavor = "multi_thread")]
async fn a_token_of_one_process_counts_on_all_and_keys_are_replayed_anywhere() {
    let cluster = Cluster::new().await;
    let nodes = [
        cluster.start(0).await,
        cluster.start(1).await,
        cluster.start(2).await,
    ];
    let who = token();
    let id = cluster.conversation(&nodes[0], &who).await;
    cluster.model.script([say("Once.")]);
    let mut twins = JoinSet::new();
    for number in 0..12 {
        let request = cluster
            .request(
                &nodes[number % 3],
                reqwest::Method::POST,
                &format!("/conversations/{id}/messages"),
                &who,
            )
            .header("idempotency-key", "one")
            .json(&json!({ "content": "Hello" }));
        twins.spawn(async move {
            let response = request.send().await.unwrap();
            let status = response.status().as_u16();
            (status, response.json::<Value>().await.unwrap())
        });
    }
    for (status, body) in twins.join_all().await {
        assert_eq!(status, 201, "{body}");
        assert_eq!(body["agent_message"]["content"], "Once.", "{body}");
    }
}

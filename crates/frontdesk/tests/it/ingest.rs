//! Documents that are sent to a server, watched, and searched with the models of a service: the
//! real binary, a real server, and stand-ins that speak the services' protocols.

use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::cli::{Done, Shell, check_failure};
use crate::terminal::Served;

/// A folder with two pages and a damaged one.
fn write_pages(shell: &Shell) {
    for (path, text) in [
        ("own/hr/dogs.md", "# Dogs\n\nDogs may come on Fridays."),
        (
            "own/it/printers.md",
            "---\nfloor: third\n---\n# Printers\n\nThe blue printer is for dogs.",
        ),
        ("own/it/broken.docx", "PK\u{3}\u{4}"),
    ] {
        write(shell, path, text);
    }
}

fn write(shell: &Shell, path: &str, text: &str) {
    let file = shell.folder.path().join(path);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

/// The last parts of the addresses that a search prints.
fn found(searched: &Value) -> Vec<String> {
    let chunks = searched["chunks"].as_array().unwrap().iter();
    let name = |chunk: &Value| {
        let url = chunk["url"].as_str().unwrap();
        url.rsplit('/').next().unwrap().to_owned()
    };
    chunks.map(name).collect()
}

#[test]
fn documents_are_sent_to_a_server_with_the_rights_of_the_person() {
    let shell = Shell::new();
    let _served = Served::start(&shell);
    let url = Served::url(&shell);
    let token = |persona: &str| shell.run(&["token", "--as", persona]).out.trim().to_owned();
    let (operator, reader) = (token("operator"), token("reader"));
    let elsewhere = Shell::new();
    write_pages(&elsewhere);
    let as_person = |token: &str, arguments: &[&str]| {
        let server = ["--server", &url];
        elsewhere.run_with(
            &[arguments, &server].concat(),
            &[("FRONTDESK_TOKEN", token)],
        )
    };
    let ingest = ["ingest", "own", "--collection", "sent", "--set", "team=a"];
    let sent = as_person(&operator, &[&ingest[..], &["--json"]].concat());
    assert_eq!(sent.code, Some(1), "one file is damaged: {sent:?}");
    assert_eq!(
        (
            &sent.json()["success"],
            sent.json()["failed"].as_array().map(Vec::len)
        ),
        (&json!(2), Some(1))
    );
    let again = as_person(&operator, &[&ingest[..], &["--json"]].concat());
    assert_eq!(again.json()["unchanged"], 2, "{again:?}");
    check_failure(&as_person(&reader, &ingest), 3, "Only operators");

    let search = ["search", "dogs", "--collection", "sent", "--json"];
    let all = as_person(&reader, &search);
    assert_eq!(found(&all.json()), ["dogs.md", "printers.md"], "{all:?}");
    let page = all.json()["chunks"][1]["url"].as_str().unwrap().to_owned();
    for (filter, wanted) in [
        (["--filter", "folder=hr"], &["dogs.md"][..]),
        (["--filter", "floor=third"], &["printers.md"]),
        (["--filter", "team=b"], &[]),
        (["--url", &page], &["printers.md"]),
    ] {
        let some = as_person(&reader, &[&search[..], &filter].concat());
        assert_eq!(found(&some.json()), wanted, "{filter:?}: {some:?}");
    }
    for (flag, why) in [
        ("--dry-run", "works only without --server"),
        ("--prune", "--prune needs --watch"),
    ] {
        let refused = as_person(&operator, &["ingest", "own", flag]);
        check_failure(&refused, 1, why);
    }
    let nobody = [&ingest[..], &["--server", "http://127.0.0.1:9"]].concat();
    let gone = elsewhere.run_with(&nobody, &[("FRONTDESK_TOKEN", &operator)]);
    check_failure(&gone, 1, "does not answer");
    assert!(!elsewhere.data().exists(), "nothing was indexed here");
}

/// Ends the process when the test ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Searches until the result has these pages.
fn wait_for(query: &str, wanted: &[&str], search: impl Fn(&[&str]) -> Done) {
    let begin = Instant::now();
    loop {
        let now = search(&["search", query, "--json"]);
        if now.code == Some(0) && found(&now.json()) == wanted {
            return;
        }
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "{query}: {now:?}"
        );
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Changes files while a command watches them, and searches what it made of them.
fn check_watching(
    shell: &Shell,
    arguments: &[&str],
    token: &str,
    search: impl Fn(&[&str]) -> Done,
) {
    let own = |name: &str, text: &str| write(shell, &format!("own/{name}"), text);
    own("one.md", "# One\n\nThe first page tells of apples.");
    let command = Command::new(env!("CARGO_BIN_EXE_frontdesk"))
        .args(["ingest", "own", "--watch", "--prune"])
        .args(arguments)
        .current_dir(shell.folder.path())
        .env_clear()
        .env("FRONTDESK_TOKEN", token)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let _running = Running(command.unwrap());
    let becomes = |query: &str, wanted: &[&str]| wait_for(query, wanted, &search);
    becomes("apples", &["one.md"]);
    own("two.md", "# Two\n\nThe second page tells of bananas.");
    becomes("bananas", &["two.md"]);
    own("one.md", "# One\n\nThe first page tells of cherries now.");
    becomes("cherries", &["one.md"]);
    std::fs::remove_file(shell.folder.path().join("own/two.md")).unwrap();
    becomes("bananas", &[]);
    // A folder that is away for a while ends nothing and removes nothing.
    let folder = shell.folder.path().join("own");
    let away = shell.folder.path().join("away");
    std::fs::rename(&folder, &away).unwrap();
    std::thread::sleep(Duration::from_secs(5));
    std::fs::rename(&away, &folder).unwrap();
    own("three.md", "# Three\n\nThe third page tells of dates.");
    becomes("dates", &["three.md"]);
    becomes("cherries", &["one.md"]);
}

#[test]
fn a_watched_folder_follows_its_files() {
    let shell = Shell::new();
    check_watching(&shell, &[], "", |arguments| shell.run(arguments));
}

#[test]
fn a_watched_folder_is_sent_to_a_server() {
    let desk = Shell::new();
    let _served = Served::start(&desk);
    let url = Served::url(&desk);
    let token = desk.run(&["token", "--as", "operator"]).out;
    let token = token.trim();
    let server = ["--server", &url];
    let shell = Shell::new();
    check_watching(&shell, &server, token, |arguments| {
        shell.run_with(
            &[arguments, &server].concat(),
            &[("FRONTDESK_TOKEN", token)],
        )
    });
    assert!(!shell.data().exists(), "nothing was indexed here");
}

/// A service with Cohere's `/embed` and `/rerank`. Reranking prefers pages about tea.
#[derive(Clone, Default)]
struct Service {
    requests: Arc<Mutex<Vec<(String, Value)>>>,
    is_down: Arc<Mutex<bool>>,
}

impl Service {
    async fn start(&self) -> String {
        let router = Router::new()
            .route("/v2/embed", post(embed))
            .route("/v2/rerank", post(rerank))
            .with_state(self.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        format!("http://{address}/v2")
    }

    fn bodies(&self, path: &str) -> Vec<Value> {
        let requests = self.requests.lock().unwrap();
        let of_path = requests.iter().filter(|(to, _)| to == path);
        of_path.map(|(_, body)| body.clone()).collect()
    }
}

async fn embed(State(service): State<Service>, Json(body): Json<Value>) -> Response {
    let dimension = body["output_dimension"].as_u64().unwrap_or(1_536) as usize;
    let texts = body["texts"].as_array().unwrap().iter();
    let vector = |text: &Value| -> Vec<f32> {
        let mut vector = vec![0.01; dimension];
        for byte in text.as_str().unwrap().bytes() {
            vector[usize::from(byte)] += 1.0;
        }
        vector
    };
    let vectors: Vec<Vec<f32>> = texts.map(vector).collect();
    let answer = json!({ "id": "1", "embeddings": { "float": vectors } });
    let mut requests = service.requests.lock().unwrap();
    requests.push(("embed".to_owned(), body));
    Json(answer).into_response()
}

async fn rerank(State(service): State<Service>, Json(body): Json<Value>) -> Response {
    if *service.is_down.lock().unwrap() {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let documents = body["documents"].as_array().unwrap().iter().enumerate();
    let results: Vec<Value> = documents
        .map(|(index, text)| {
            let is_tea = text.as_str().unwrap().contains("tea");
            json!({ "index": index, "relevance_score": if is_tea { 0.9 } else { 0.1 } })
        })
        .collect();
    let mut requests = service.requests.lock().unwrap();
    requests.push(("rerank".to_owned(), body));
    Json(json!({ "id": "1", "results": results })).into_response()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_services_models_embed_and_rerank() {
    let service = Service::default();
    let base = service.start().await;
    let asked = service.clone();
    let run = move || {
        let environment = [
            ("COHERE_API_KEY", "key"),
            ("FRONTDESK_SEARCH_COHERE_URL", base.as_str()),
            ("EMBEDDING_MODEL", "embed-v4.0"),
            ("EMBEDDING_DIM", "512"),
            ("FRONTDESK_SEARCH_RERANK", "true"),
        ];
        let shell = Shell::new();
        write(
            &shell,
            "own/a.md",
            "# Break\n\nThe break for coffee is at ten.",
        );
        write(&shell, "own/b.md", "# Pause\n\nThere is tea at three.");
        let ingested = shell.run_with(&["ingest", "own"], &environment);
        assert_eq!(ingested.code, Some(0), "{ingested:?}");
        let search = ["search", "When is the break for coffee?", "--json"];
        let reranked = shell.run_with(&search, &environment);
        assert_eq!(found(&reranked.json()), ["b.md", "a.md"], "{reranked:?}");
        *service.is_down.lock().unwrap() = true;
        let plain = shell.run_with(&search, &environment);
        assert_eq!(found(&plain.json()), ["a.md", "b.md"], "{plain:?}");
    };
    tokio::task::spawn_blocking(run).await.unwrap();
    let embedded = asked.bodies("embed");
    assert!(embedded.iter().all(|body| body["output_dimension"] == 512));
    let types: Vec<&str> = embedded
        .iter()
        .filter_map(|body| body["input_type"].as_str())
        .collect();
    assert!(
        types.contains(&"search_document") && types.contains(&"search_query"),
        "{types:?}"
    );
    let ranked = &asked.bodies("rerank")[0];
    assert_eq!(
        (&ranked["model"], &ranked["query"]),
        (
            &json!("rerank-v3.5"),
            &json!("When is the break for coffee?")
        )
    );
}

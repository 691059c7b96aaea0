//! Documents as a new user meets them: the handbook is there, a folder of one's own is indexed and
//! searched, and everything works without a key.

use std::path::Path;
use std::process::Command;

use frontdesk::config::{Config, Embeddings, Sources};
use frontdesk_assistants::{NAMES, SETTINGS};
use serde_json::Value;
use tempfile::TempDir;

struct CommandOutput {
    code: Option<i32>,
    out: String,
    err: String,
}

/// The real binary, isolated from this machine's settings.
fn run(folder: &Path, arguments: &[&str]) -> CommandOutput {
    run_with(folder, arguments, &[])
}

fn run_with(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> CommandOutput {
    let output = Command::new(env!("CARGO_BIN_EXE_frontdesk"))
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    CommandOutput {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn json(ran: &CommandOutput) -> Value {
    serde_json::from_str(&ran.out)
        .unwrap_or_else(|error| panic!("{error}: {}\n{}", ran.out, ran.err))
}

// design: 001 AgentResponse.content, AgentResponse.session_id, AgentResponse.turn_number
// design: 001 AgentResponse.retrieval_performed, AgentResponse.retrieved_sources
// design: 001 AgentResponse.tokens_used, AgentResponse.execution_time_seconds
// design: 001 AgentResponse.error, AgentResponse rule content, AgentResponse rule turn_number
// design: 001 AgentResponse rule retrieved_sources, ConversationSession.session_id
// design: 001 ConversationSession rule session_id, AgentResponse state
#[test]
fn the_terminal_prints_an_agent_response() {
    let folder = TempDir::new().unwrap();
    let ran = run(
        folder.path(),
        &["chat", "docs", "-m", "How do approvals work?", "--json"],
    );
    let response = json(&ran);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let content = response["content"].as_str().unwrap();
    assert!(
        content.contains("[1]") && content.contains("**Sources**"),
        "{content}"
    );
    assert_eq!(response["retrieval_performed"], true);
    let sources = response["retrieved_sources"].as_array().unwrap();
    assert!(!sources.is_empty());
    for source in sources {
        let url = source.as_str().unwrap();
        assert!(
            url.starts_with("http://127.0.0.1:8080/sources/handbook/"),
            "{url}"
        );
    }
    assert_eq!(response["turn_number"], 1);
    assert_eq!(response["error"], Value::Null);
    assert!(response["tokens_used"].is_u64());
    assert!(response["execution_time_seconds"].as_f64().unwrap() >= 0.0);
    assert_eq!(response["tool_calls"][0]["name"], "search_docs");

    let session = response["session_id"].as_str().unwrap();
    let id = uuid::Uuid::parse_str(session).unwrap();
    assert_eq!(id.get_version_num(), 4);
    let thanks = run(
        folder.path(),
        &[
            "chat",
            "docs",
            "--conversation",
            session,
            "-m",
            "thank you",
            "--json",
        ],
    );
    let thanks = json(&thanks);
    assert_eq!(thanks["retrieval_performed"], false, "{thanks}");
    assert_eq!(
        (
            thanks["turn_number"].as_u64(),
            thanks["retrieved_sources"].as_array().map(Vec::len)
        ),
        (Some(2), Some(0))
    );
}

// design: 001 AgentResponse.error, AgentResponse rule content
#[test]
fn a_model_failure_is_the_error_of_the_response() {
    let folder = TempDir::new().unwrap();
    let ran = run_with(
        folder.path(),
        &["chat", "docs", "-m", "How do approvals work?", "--json"],
        &[
            ("OPENAI_API_KEY", "sk-x"),
            ("OPENAI_BASE_URL", "http://127.0.0.1:1/v1"),
        ],
    );
    let response = json(&ran);
    assert_eq!(response["content"], "");
    assert_eq!(
        response["error"],
        "Unable to generate response, please try again"
    );
    assert_eq!(response["turn_number"], 1);
    assert_ne!(ran.code, Some(0));
}

// design: 001 RetrievedChunk, RetrievalResult
#[test]
fn a_local_folder_is_indexed_and_searched() {
    let folder = TempDir::new().unwrap();
    let docs = folder.path().join("own");
    std::fs::create_dir_all(&docs).unwrap();
    std::fs::write(
        docs.join("dogs.md"),
        "# Dogs in the office\n\nDogs may come on Fridays, if nobody in the room is allergic.",
    )
    .unwrap();
    std::fs::write(docs.join("broken.docx"), "PK\u{3}\u{4}").unwrap();

    let dry = json(&run(
        folder.path(),
        &["ingest", "own", "--dry-run", "--json"],
    ));
    assert_eq!(
        (dry["success"].as_u64(), dry["dry_run"].as_bool()),
        (Some(1), Some(true))
    );

    let ran = run(folder.path(), &["ingest", "own", "--json"]);
    let report = json(&ran);
    assert_eq!(ran.code, Some(1), "one file failed");
    assert_eq!(
        (
            report["success"].as_u64(),
            report["failed"][0]["error_type"].as_str()
        ),
        (Some(1), Some("parse_error"))
    );
    let again = json(&run(folder.path(), &["ingest", "own", "--json"]));
    assert_eq!(
        (again["success"].as_u64(), again["unchanged"].as_u64()),
        (Some(0), Some(1))
    );

    let found = json(&run(
        folder.path(),
        &["search", "When may dogs come?", "--json", "--top-k", "1"],
    ));
    assert_eq!(
        found["chunks"][0]["url"],
        "http://127.0.0.1:8080/sources/web_documents/dogs.md"
    );
    let text = found["chunks"][0]["chunk_text"].as_str().unwrap();
    assert!(text.contains("Dogs may come on Fridays"), "{text}");
    assert_eq!(
        (&found["query"], &found["total_results"]),
        (&"When may dogs come?".into(), &1.into())
    );
    assert_eq!(found["top_score"], found["chunks"][0]["similarity_score"]);
    assert!(found["note"].as_str().unwrap().contains("keywords"));

    let answer = json(&run(
        folder.path(),
        &[
            "chat",
            "docs",
            "-m",
            "When may dogs come to the office?",
            "--json",
        ],
    ));
    assert!(
        answer["content"]
            .as_str()
            .unwrap()
            .contains("Dogs may come on Fridays"),
        "{answer}"
    );
}

#[test]
fn bad_questions_and_addresses_are_refused_with_a_sentence() {
    let folder = TempDir::new().unwrap();
    let long = "why ".repeat(25_000);
    for (arguments, sentence) in [
        (vec!["search", " "], "the query is empty"),
        (vec!["search", long.as_str()], "ask a shorter question"),
        (vec!["search", "x", "--top-k", "0"], "from 1 to 100"),
        (vec!["search", "x", "--threshold", "1.5"], "from 0 to 1"),
        (
            vec!["ingest", "http://169.254.169.254/latest/"],
            "address_not_allowed",
        ),
        (vec!["ingest", "http://2130706433/"], "address_not_allowed"),
        (
            vec!["ingest", "http://user:secret@example.com/"],
            "user name or password",
        ),
        (vec!["ingest", "no-such-folder"], "No such file"),
        (
            vec!["ingest", ".", "--collection", "../x"],
            "name of a collection",
        ),
    ] {
        let ran = run(folder.path(), &arguments);
        assert_ne!(ran.code, Some(0), "{arguments:?}");
        assert!(ran.err.contains(sentence), "{arguments:?}: {}", ran.err);
    }
}

/// Metadata of a run, of a front matter and of a folder narrow a search.
// design: 001 extension filters
#[test]
fn a_search_is_narrowed_by_metadata() {
    let folder = TempDir::new().unwrap();
    let docs = folder.path().join("own");
    std::fs::create_dir_all(docs.join("hr")).unwrap();
    let text = "Dogs may come on Fridays, if nobody in the room is allergic.";
    std::fs::write(docs.join("plain.md"), format!("# Plain\n\n{text}")).unwrap();
    std::fs::write(docs.join("hr/inside.md"), format!("# Inside\n\n{text}")).unwrap();
    let front = format!("---\ndepartment: law\n---\n# Law\n\n{text}");
    std::fs::write(docs.join("front.md"), front).unwrap();
    let ran = run(folder.path(), &["ingest", "own", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let other = folder.path().join("other");
    std::fs::create_dir_all(&other).unwrap();
    std::fs::write(other.join("sales.md"), format!("# Sales\n\n{text}")).unwrap();
    let set = ["ingest", "other", "--set", "department=sales", "--json"];
    assert_eq!(run(folder.path(), &set).code, Some(0));

    let pages = |filter: Option<&str>| {
        let mut arguments = vec!["search", "When may dogs come?", "--json"];
        arguments.extend(filter.into_iter().flat_map(|filter| ["--filter", filter]));
        let found = json(&run(folder.path(), &arguments));
        let chunks = found["chunks"].as_array().unwrap().iter();
        let mut pages: Vec<String> = chunks
            .map(|chunk| {
                let url = chunk["url"].as_str().unwrap();
                url.rsplit('/').next().unwrap().to_owned()
            })
            .collect();
        pages.sort();
        pages
    };
    let all = ["front.md", "inside.md", "plain.md", "sales.md"];
    assert_eq!(pages(None), all);
    assert_eq!(pages(Some("department=sales")), ["sales.md"]);
    assert_eq!(pages(Some("department=law")), ["front.md"]);
    assert_eq!(pages(Some("folder=hr")), ["inside.md"]);
    assert_eq!(pages(Some("department=none")), [] as [&str; 0]);
}

// design: 001 AgentConfig.cohere_api_key, AgentConfig.qdrant_url, AgentConfig.qdrant_api_key
// design: 001 AgentConfig rule keys
#[test]
fn keys_come_from_the_environment() {
    let load = |environment: &[(&str, &str)]| {
        let environment = environment
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let sources = Sources {
            environment: environment.collect(),
            ..Sources::default()
        };
        Config::load(sources, SETTINGS, NAMES)
    };
    let nothing = load(&[("COHERE_API_KEY", "")]).unwrap().search;
    assert!(matches!(nothing.embeddings, Embeddings::Local));
    assert!(nothing.qdrant.is_none(), "an empty key is none");
    let all = load(&[
        ("COHERE_API_KEY", "key"),
        ("QDRANT_URL", "http://q:6333"),
        ("QDRANT_API_KEY", "other"),
    ])
    .unwrap()
    .search;
    let Embeddings::Cohere(remote) = &all.embeddings else {
        panic!("{:?}", all.embeddings);
    };
    assert_eq!(
        (remote.model.as_str(), remote.dimension),
        ("embed-multilingual-v3.0", 1_024)
    );
    assert!(
        all.qdrant
            .as_ref()
            .is_some_and(|(url, key)| url == "http://q:6333" && key.is_some())
    );
    assert!(!format!("{all:?}").contains("other"), "keys are not shown");
    assert!(load(&[("FRONTDESK_SEARCH_EMBEDDINGS", "cohere")]).is_err());
    assert!(load(&[("CHUNK_SIZE", "64")]).is_err());
    assert!(load(&[("EMBEDDING_DIM", "100"), ("COHERE_API_KEY", "key")]).is_err());
}

//! Traces against a real collector: spans match the events, and a misbehaving collector affects
//! nothing else.

pub mod collector;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use frontdesk::runtime::NewConversationRequest;
use frontdesk::trace::export::{Exporter, Target};
use frontdesk::trace::otlp::Protocol;
use frontdesk::trace::span::{self, Span};
use frontdesk_core::access::Principal;
use frontdesk_core::assistant::Limits;
use frontdesk_core::env::Env;
use frontdesk_core::event::{Entry, Event, Finished};
use frontdesk_core::id::{MessageId, TurnId};
use frontdesk_core::message::ToolCall;
use frontdesk_core::model::{Finish, Usage};
use frontdesk_core::store::{Accepted, Budget, OpenTurn, Opening, RateLimit, Record, Turns};
use frontdesk_testkit::model_server::{ModelServer, call, say, status};
use reqwest::StatusCode;
use serde_json::{Map, Value, json};

use crate::harness::{Backing, TestApp};
use crate::server::{Person, TestServer};
use collector::{CollectedSpan, Collector, Mood};

async fn traced(backing: Backing, more: &[(&'static str, &str)]) -> (TestServer, Collector) {
    let collector = Collector::start().await;
    let mut settings = vec![
        ("telemetry.otlp_endpoint", collector.url.as_str()),
        ("telemetry.otlp_headers", "x-team=front%20desk"),
        ("telemetry.otlp_timeout_ms", "300"),
    ];
    settings.extend(more);
    let server = TestServer::start_with(backing, &settings).await;
    (server, collector)
}

async fn start(server: &TestServer, who: &Person, assistant: &str) -> String {
    let new = json!({ "assistant": assistant });
    let created = server.post(who, "/conversations", new).await;
    assert_eq!(created.status, StatusCode::CREATED, "{created:?}");
    created.body["id"].as_str().unwrap().to_owned()
}

async fn ask(server: &TestServer, who: &Person, id: &str, content: &str) -> Value {
    let path = format!("/conversations/{id}/messages");
    let said = server.post(who, &path, json!({ "content": content })).await;
    assert!(said.status.is_success(), "{said:?}");
    said.body
}

fn named<'a>(spans: &'a [CollectedSpan], name: &str) -> &'a CollectedSpan {
    let found = spans.iter().find(|span| span.name == name);
    let names: Vec<&str> = spans.iter().map(|span| span.name.as_str()).collect();
    found.unwrap_or_else(|| panic!("no {name} in {names:?}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_a_trace_with_its_model_calls_and_tools() {
    let (server, collector) = traced(Backing::Sqlite, &[]).await;
    let reader = server.sign_in("reader");
    let id = start(&server, &reader, "notes").await;
    server.model.script([
        call("add_note", json!({ "text": "printer is broken" }))
            .usage(300, 12)
            .cached(120),
        say("I noted it.").usage(340, 9).model("gpt-4o-mini-2024"),
    ]);
    let said = ask(&server, &reader, &id, "Note that the printer is broken").await;
    let turn = said["user_message"]["metadata"]["turn_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let spans = collector.turns(1).await;
    assert_eq!(spans.len(), 4, "{spans:#?}");

    let root = named(&spans, "invoke_agent notes");
    assert_eq!(root.trace, turn.replace('-', ""));
    assert_eq!(root.attribute("frontdesk.turn.outcome"), "answered");
    // Usage is on the model calls alone, so that a backend counts it once.
    assert!(!root.attributes.contains_key("gen_ai.usage.input_tokens"));
    assert!(
        !root
            .attributes
            .contains_key("langfuse.observation.usage_details")
    );
    assert_eq!(root.attribute("langfuse.trace.name"), "notes");
    assert_eq!(
        root.attribute("langfuse.trace.metadata.messageType"),
        "message"
    );
    for span in &spans {
        assert_eq!(span.trace, root.trace);
        assert!(span.start <= span.end, "{span:?}");
        assert_eq!(span.attribute("gen_ai.conversation.id"), id);
        assert_eq!(span.attribute("session.id"), id);
        assert_eq!(span.attribute("gen_ai.agent.name"), "notes");
        assert!(!span.attribute("user.id").is_empty());
        assert!(!span.failed, "{span:?}");
        if span.name != root.name {
            assert_eq!(span.parent, root.id, "{span:?}");
            assert!(root.start <= span.start && span.end <= root.end, "{span:?}");
        }
    }
    check_parts(&spans);
    // Content is exported only if an operator enables it.
    let told = format!("{spans:?}");
    assert!(
        !told.contains("printer") && !told.contains("I noted it"),
        "{told}"
    );
    let requests = collector.requests();
    assert_eq!(requests[0].path, "/v1/traces");
    assert_eq!(requests[0].service, "frontdesk");
    assert_eq!(requests[0].headers["x-team"], "front desk");
    server.stop().await;
}

fn check_parts(spans: &[CollectedSpan]) {
    let tool = named(spans, "execute_tool add_note");
    assert_eq!(tool.attribute("gen_ai.operation.name"), "execute_tool");
    assert_eq!(tool.attribute("openinference.span.kind"), "TOOL");
    assert_eq!(tool.attribute("frontdesk.tool.effect"), "transactional");

    let mut models = spans.iter().filter(|span| span.name == "chat gpt-4o-mini");
    let (first, second) = (models.next().unwrap(), models.next().unwrap());
    assert_eq!(first.kind, 3);
    assert_eq!(first.attribute("gen_ai.provider.name"), "openai");
    assert_eq!(first.attribute("gen_ai.request.model"), "gpt-4o-mini");
    assert_eq!(first.attribute("gen_ai.usage.input_tokens"), "300");
    assert_eq!(first.attribute("gen_ai.usage.output_tokens"), "12");
    assert_eq!(
        first.attribute("gen_ai.usage.cache_read.input_tokens"),
        "120"
    );
    assert_eq!(
        first.attribute("gen_ai.response.finish_reasons"),
        "tool_calls"
    );
    assert_eq!(
        second.attribute("gen_ai.response.model"),
        "gpt-4o-mini-2024"
    );
    let waited: f64 = second
        .attribute("gen_ai.response.time_to_first_chunk")
        .parse()
        .unwrap();
    assert!((0.0..60.0).contains(&waited), "{waited}");
    let usage: Value =
        serde_json::from_str(first.attribute("langfuse.observation.usage_details")).unwrap();
    assert_eq!(
        usage,
        json!({ "input": 180, "input_cached_tokens": 120, "output": 12 })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_is_a_span_below_its_tool_and_its_tokens_count_for_the_turn() {
    let collector = Collector::start().await;
    let settings = [("telemetry.otlp_endpoint", collector.url.as_str())];
    let server = TestServer::of_with(Backing::Sqlite, frontdesk_assistants::all, &settings).await;
    let recruiter = server.sign_in("recruiter");
    let id = start(&server, &recruiter, "tata").await;
    let ad = "We want a young rockstar who works hard.";
    let review = json!({ "strengths": [], "findings": [], "missing": [] }).to_string();
    server.model.script([
        call("review_di_compliance", json!({ "job_ad_text": ad })).usage(100, 10),
        say(review).usage(50, 5).model("writer"),
        say("Nothing to change.").usage(100, 10),
    ]);
    ask(&server, &recruiter, &id, &format!("Check this ad: {ad}")).await;
    let spans = collector.turns(1).await;
    let tool = named(&spans, "execute_tool review_di_compliance");
    let below: Vec<&CollectedSpan> = spans.iter().filter(|span| span.parent == tool.id).collect();
    let [draft] = below.as_slice() else {
        panic!("{spans:#?}")
    };
    assert!(draft.name.starts_with("chat "), "{draft:?}");
    assert_eq!(draft.attribute("gen_ai.response.model"), "writer");
    assert_eq!(draft.attribute("gen_ai.usage.input_tokens"), "50");
    let root = named(&spans, "invoke_agent tata");
    assert!(!root.attributes.contains_key("gen_ai.usage.input_tokens"));
    server.stop().await;
}

// design: 004 Langfuse
#[tokio::test(flavor = "multi_thread")]
async fn langfuse_is_reached_by_its_three_variables_alone() {
    let collector = Collector::start().await;
    let server = TestServer::start_with(
        Backing::Sqlite,
        &[
            ("telemetry.langfuse_public_key", "pk-lf-1"),
            ("telemetry.langfuse_secret_key", "sk-lf-2"),
            ("telemetry.langfuse_base_url", &collector.url),
            ("telemetry.content", "true"),
            ("telemetry.otlp_protocol", "http/json"),
        ],
    )
    .await;
    let reader = server.sign_in("reader");
    let id = start(&server, &reader, "notes").await;
    server.model.script([say("Hello to you.").no_usage()]);
    ask(&server, &reader, &id, "Hello").await;
    let spans = collector.turns(1).await;
    let request = &collector.requests()[0];
    assert_eq!(request.path, "/api/public/otel/v1/traces");
    // base64 of pk-lf-1:sk-lf-2
    assert_eq!(
        request.headers["authorization"],
        "Basic cGstbGYtMTpzay1sZi0y"
    );
    let root = named(&spans, "invoke_agent notes");
    assert_eq!(root.attribute("langfuse.trace.input"), "Hello");
    assert_eq!(root.attribute("langfuse.trace.output"), "Hello to you.");
    assert_eq!(root.attribute("langfuse.session.id"), id);
    assert_eq!(
        root.attribute("langfuse.user.id"),
        root.attribute("user.id")
    );
    let generation = named(&spans, "chat gpt-4o-mini");
    assert_eq!(generation.attribute("frontdesk.usage.estimated"), "true");
    assert_eq!(
        generation.attribute("langfuse.observation.type"),
        "generation"
    );
    assert_eq!(
        generation.attribute("langfuse.observation.model.name"),
        "gpt-4o-mini"
    );
    assert!(
        generation
            .attribute("langfuse.observation.output")
            .contains("Hello to you.")
    );
    server.stop().await;
}

// design: 004 AI error
#[tokio::test(flavor = "multi_thread")]
async fn failures_are_exported_with_their_context() {
    let (server, collector) = traced(Backing::Sqlite, &[]).await;
    let reader = server.sign_in("reader");
    let id = start(&server, &reader, "notes").await;
    server
        .model
        .script([call("delete_everything", json!({})), status(401)]);
    let path = format!("/conversations/{id}/messages");
    let said = server
        .post(&reader, &path, json!({ "content": "Hello" }))
        .await;
    assert!(said.status.is_server_error(), "{said:?}");
    let spans = collector.turns(1).await;
    let root = named(&spans, "invoke_agent notes");
    assert!(root.failed);
    assert_eq!(root.attribute("error.type"), "model_failed: unauthorized");
    assert_eq!(root.attribute("langfuse.observation.level"), "ERROR");
    let refused = named(&spans, "execute_tool (unknown)");
    assert!(refused.failed);
    assert_eq!(refused.attribute("error.type"), "unknown_tool");
    let failed = spans.iter().filter(|span| span.name == "chat gpt-4o-mini");
    let failed: Vec<&CollectedSpan> = failed.filter(|span| span.failed).collect();
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0].attribute("error.type"), "unauthorized");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_is_a_span_of_the_same_trace() {
    let (server, collector) = traced(Backing::Sqlite, &[]).await;
    let paula = server.sign_in("paula");
    let id = start(&server, &paula, "planner").await;
    server
        .model
        .script([call("publish_plan", json!({})), say("Published.")]);
    let path = format!("/conversations/{id}/messages");
    let said = server
        .post(&paula, &path, json!({ "content": "Publish it" }))
        .await;
    assert_eq!(said.status, StatusCode::ACCEPTED, "{said:?}");
    let turn = said.body["turn"]["id"].as_str().unwrap();
    let card = &said.body["turn"]["approvals"][0];
    let call_id = card["call_id"].as_str().unwrap();
    server.clock.advance(Duration::from_secs(30));
    let path = format!("/conversations/{id}/turns/{turn}/approvals/{call_id}");
    let decided = server
        .post(&paula, &path, json!({ "decision": "approve" }))
        .await;
    assert!(decided.status.is_success(), "{decided:?}");
    let spans = collector.turns(1).await;
    let approval = named(&spans, "approval publish_plan");
    assert_eq!(
        approval.attribute("frontdesk.approval.decision"),
        "approved"
    );
    assert!(
        approval.end - approval.start >= 30_000_000_000,
        "{approval:?}"
    );
    let root = named(&spans, "invoke_agent planner");
    assert_eq!(approval.parent, root.id);
    assert_eq!(root.attribute("frontdesk.turn.resumed"), "true");
    // Each worker exported its part once.
    let models = spans
        .iter()
        .filter(|span| span.name.starts_with("chat"))
        .count();
    assert_eq!(models, 2, "{spans:#?}");
    assert!(spans.iter().all(|span| span.trace == root.trace));
    server.stop().await;
}

/// Down, failing, silent or sending garbage: turns end as they would without it, nothing
/// accumulates, and after recovery the collector gets new spans.
#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_misbehaves_delays_and_fails_nothing() {
    let (server, collector) = traced(Backing::Sqlite, &[]).await;
    let reader = server.sign_in("reader");
    server.model.otherwise(say("Yes."));
    for mood in [Mood::Failing, Mood::Garbage, Mood::Silent] {
        collector.mood(mood);
        let began = Instant::now();
        for _ in 0..3 {
            let id = start(&server, &reader, "notes").await;
            let said = ask(&server, &reader, &id, "Hello?").await;
            assert_eq!(said["agent_message"]["content"], "Yes.");
        }
        // A turn takes milliseconds; one that waited for the collector would take its timeout.
        assert!(began.elapsed() < Duration::from_secs(30), "{mood:?}");
    }
    assert!(collector.spans().is_empty());
    let page = server.client.get(format!("{}/metrics", server.url));
    let page = page.send().await.unwrap().text().await.unwrap();
    assert!(
        page.contains("frontdesk_trace_spans_total{collector=\"otlp\",result=\"sent\"} 0"),
        "{page}"
    );
    server.stop().await;
}

/// A worker asked the model, ran a call, and died: only the journal has its work.
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_is_resumed_after_a_crash_is_one_trace() {
    let collector = Collector::start().await;
    let model = ModelServer::start().await;
    model.script([say("You have no notes.")]);
    let settings = [("telemetry.otlp_endpoint", collector.url.as_str())];
    let test = TestApp::with_settings(Backing::Sqlite, &model.url(), &settings).await;
    let who = test.person("reader").await;
    let turn = abandoned(&test, &who).await;
    test.clock.advance(Duration::from_secs(60));
    assert_eq!(test.app.runtime.take_over_abandoned().await.unwrap(), 1);
    let spans = collector.turns(1).await;
    let root = named(&spans, "invoke_agent notes");
    assert_eq!(root.trace, turn.to_string().replace('-', ""));
    assert_eq!(root.attribute("frontdesk.turn.resumed"), "true");
    assert_eq!(root.attribute("frontdesk.turn.outcome"), "answered");
    let replayed = |span: &&CollectedSpan| span.attributes.contains_key("frontdesk.replayed");
    let replayed: Vec<&str> = spans
        .iter()
        .filter(replayed)
        .map(|span| &*span.name)
        .collect();
    assert_eq!(replayed, ["chat gpt-4o-mini", "execute_tool list_notes"]);
    let lasted = |name: &str| named(&spans, name).end - named(&spans, name).start;
    assert_eq!(lasted("chat gpt-4o-mini"), 250_000_000);
    assert_eq!(lasted("execute_tool list_notes"), 40_000_000);
    for span in &spans {
        assert!(span.start <= span.end, "{span:?}");
        assert!(root.start <= span.start && span.end <= root.end, "{span:?}");
    }
    assert!(root.end - root.start >= 60_000_000_000, "{root:?}");
    test.app.close().await;
}

async fn abandoned(test: &TestApp, who: &Principal) -> TurnId {
    let talk = NewConversationRequest {
        assistant: "notes".to_owned(),
        ..NewConversationRequest::default()
    };
    let runtime = &test.app.runtime;
    let conversation = runtime.start_conversation(who, talk).await.unwrap().id;
    let now = test.clock.now();
    let request = OpenTurn {
        revision: None,
        turn: TurnId::from_uuid(test.clock.id()),
        conversation,
        opening: Opening::Message {
            id: MessageId::from_uuid(test.clock.id()),
            content: "Show my notes".to_owned(),
            metadata: Map::new(),
            attachments: Vec::new(),
        },
        key: None,
        rate: RateLimit {
            bucket: "test".to_owned(),
            max: 20,
            window: Duration::from_secs(60),
        },
        in_flight: 20,
        budget: Budget::UNLIMITED,
        window: Limits::default().window,
        context: Vec::new(),
        file_texts: Vec::new(),
        node: "gone".to_owned(),
        lease_for: Duration::from_secs(1),
        turn_for: Duration::from_secs(120),
        now,
    };
    let Accepted::Opened(opened) = runtime.store().open(who, request).await.unwrap() else {
        panic!("nothing was asked before");
    };
    let events = [
        Event::ModelReplied {
            text: String::new(),
            calls: vec![ToolCall {
                id: "c1".to_owned(),
                name: "list_notes".to_owned(),
                arguments: "{}".to_owned(),
            }],
            finish: Finish::ToolCalls,
            usage: Usage::default(),
            model: Some("gpt-4o-mini".to_owned()),
            duration_ms: 250,
            extras: frontdesk_core::reply::Extras::default(),
            proposes: false,
        },
        Event::ToolFinished(Finished {
            call_id: "c1".to_owned(),
            name: "list_notes".to_owned(),
            ok: true,
            summary: "No notes.".to_owned(),
            told: "[]".to_owned(),
            result: Value::Null,
            files: Vec::new(),
            cards: Vec::new(),
            refused: None,
            error: None,
            duration_ms: 40,
            usage: None,
        }),
    ];
    let from = opened.entries.last().unwrap().position;
    let entries = events.into_iter().zip(from + 1..);
    let record = Record {
        entries: entries
            .map(|(event, position)| Entry { position, event })
            .collect(),
        now,
        ..Record::default()
    };
    runtime.store().record(&opened.lease, record).await.unwrap();
    opened.lease.turn
}

fn span(text: &str) -> Span {
    Span {
        trace_id: vec![1; 16],
        span_id: vec![2; 8],
        name: "invoke_agent notes".to_owned(),
        start_time_unix_nano: 1,
        end_time_unix_nano: 2,
        attributes: vec![span::text("text", text)],
        ..Span::default()
    }
}

fn target(collector: &Collector) -> Target {
    Target {
        name: "otlp",
        url: format!("{}/v1/traces", collector.url),
        headers: reqwest::header::HeaderMap::new(),
        protocol: Protocol::Protobuf,
        timeout: Duration::from_secs(30),
        service: "test".to_owned(),
    }
}

/// A collector that never answers: the queue for it stays bounded.
#[tokio::test(flavor = "multi_thread")]
async fn the_queue_for_a_collector_is_bounded() {
    const MOST: usize = 8 * 1024 * 1024;
    let collector = Collector::start().await;
    collector.mood(Mood::Silent);
    let exporter = Exporter::start(target(&collector)).unwrap();
    let long = "x".repeat(100_000);
    for _ in 0..5_000 {
        exporter.offer(vec![span(&long), span(&long)]);
        assert!(exporter.waiting() <= MOST);
    }
    let (_, [sent, dropped, _]) = exporter.tally();
    assert_eq!(sent, 0);
    assert!(dropped > 9_000, "{dropped}");
}

/// Captures log lines.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Lines {
    fn count(&self, words: &str) -> usize {
        let all = self.0.lock().unwrap().clone();
        String::from_utf8(all).unwrap().matches(words).count()
    }
}

/// A single-threaded runtime, so that the exporter logs on this thread.
#[tokio::test]
async fn a_collector_that_answers_nonsense_is_reported_once_and_left_alone_for_a_while() {
    let lines = Lines::default();
    let heard = lines.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_writer(move || heard.clone())
        .finish();
    let _listening = tracing::subscriber::set_default(subscriber);
    for mood in [Mood::Garbage, Mood::Failing] {
        let collector = Collector::start().await;
        collector.mood(mood);
        let exporter = Exporter::start(target(&collector)).unwrap();
        let before = lines.count("traces are not taken");
        for _ in 0..50 {
            exporter.offer(vec![span("x")]);
            exporter.flush(Duration::from_secs(30)).await;
        }
        assert_eq!(lines.count("traces are not taken"), before + 1, "{mood:?}");
        let (_, [sent, dropped, failures]) = exporter.tally();
        assert_eq!((sent, dropped), (0, 50));
        assert!(failures < 10 && collector.asked() < 10, "{failures}");
        // The collector recovers: after the back-off it gets new spans.
        collector.mood(Mood::Well);
        let again = lines.count("traces are taken again");
        while exporter.tally().1[0] == 0 {
            exporter.offer(vec![span("x")]);
            exporter.flush(Duration::from_secs(30)).await;
            tokio::task::yield_now().await;
        }
        assert_eq!(lines.count("traces are taken again"), again + 1);
    }
}

//! The design's prompt as the model receives it, and the tRPC wire beside a real `@trpc/server`.

use std::path::Path;
use std::process::Stdio;

use frontdesk_testkit::model_server::{Gate, say};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::Command;

use super::trpc::events_of;
use super::{scene, scene_with};
use crate::harness::{BOTH, Backing};
use crate::traces::collector::Collector;

// design: 004 buildGigAIChatPrompt, prompt 1, prompt 2, prompt 3, prompt 4, prompt 5, prompt 6
// design: 004 prompt 7, unit prompt, unit prompt without history
#[tokio::test(flavor = "multi_thread")]
async fn seven_parts_with_the_last_ten_messages_reach_the_model() {
    for backing in BOTH {
        let (server, gig) = scene(backing, 3).await.serve(&[]).await;
        let who = server.sign_in("rita");
        server.model.otherwise(say(r#"{"message":"Ответ"}"#));
        for number in 0..8 {
            let message = json!({ "message": format!("Вопрос {number}") });
            let sent = server
                .post(&who, &format!("/gigs/{gig}/chat"), message)
                .await;
            assert_eq!(sent.status, StatusCode::OK, "{sent:?}");
        }
        let requests = server.model.requests();
        let (first, last): (Value, Value) = (requests[0].json(), requests[7].json());
        let texts = |request: &Value| -> Vec<(String, String)> {
            let messages = request["messages"].as_array().unwrap().iter();
            let text = |message: &Value, field: &str| message[field].as_str().unwrap().to_owned();
            messages
                .map(|message| (text(message, "role"), text(message, "content")))
                .collect()
        };
        let all = texts(&last);
        let [
            (system, role),
            history @ ..,
            (context, facts),
            (user, question),
        ] = all.as_slice()
        else {
            panic!("{all:?}");
        };
        assert_eq!(
            (system.as_str(), context.as_str(), user.as_str()),
            ("system", "system", "user")
        );
        assert!(role.contains("помощник рекрутера") && role.contains("## Формат ответа"));
        let places =
            ["## Задание", "## Сводка", "## Кандидаты"].map(|part| facts.find(part).unwrap());
        assert!(places.is_sorted(), "{facts}");
        assert_eq!(question, "Вопрос 7");
        let said: Vec<&str> = history.iter().map(|(_, text)| text.as_str()).collect();
        let expected: Vec<String> = (2..7)
            .flat_map(|number| [format!("Вопрос {number}"), "Ответ".to_owned()])
            .collect();
        assert_eq!(said, expected, "the last ten messages");
        assert_eq!(
            texts(&first).len(),
            3,
            "no history before the first question"
        );
        // Models write properties in the order of the schema, and people read `message` along.
        let schema = &last["response_format"]["json_schema"]["schema"];
        let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(
            names,
            [
                "message",
                "quickReplies",
                "candidatesMentioned",
                "analysisType"
            ]
        );
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_real_trpc_server_gives_the_same_shapes_and_codes() {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    let (server, gig) = scene(Backing::Sqlite, 1).await.serve(&[]).await;
    let who = server.sign_in("rita");
    server.model.otherwise(say(
        r#"{"message":"Самый дешёвый кандидат — Анна Петрова: 12000 RUB, 24 дня.","quickReplies":["Сравнить"]}"#,
    ));
    let mut node = Command::new("node");
    node.arg("tests/trpc/reference.mjs")
        .args([
            format!("{}/api/trpc", server.url),
            who.token.clone(),
            gig.to_string(),
        ])
        .current_dir(web);
    let done = node.output().await.unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    let trouble = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{said}\n{trouble}");
    assert_eq!(said.lines().count(), 39, "{said}");
    server.stop().await;
}

/// The model writes while nobody is connected; the client gets every part of the text once.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_followed_through_lost_connections() {
    for backing in BOTH {
        let (server, gig) = scene(backing, 1).await.serve(&[]).await;
        let who = server.sign_in("rita");
        let gates = [Gate::shut(), Gate::shut()];
        server.model.script([say(r#"{"message":"Самый дешёвый "#)
            .then_wait(&gates[0])
            .then_say("— Иван: ")
            .then_wait(&gates[1])
            .then_say(r#"10000 RUB","quickReplies":[]}"#)]);
        let mut node = Command::new("node")
            .arg("tests/trpc/resume.mjs")
            .args([
                format!("{}/api/trpc", server.url),
                who.token.clone(),
                gig.to_string(),
            ])
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut told = BufReader::new(node.stdout.take().unwrap()).lines();
        let mut resume = node.stdin.take().unwrap();
        let turn = told.next_line().await.unwrap().unwrap();
        let mut gates = gates.iter();
        while let Some(line) = told.next_line().await.unwrap() {
            if line == "done" {
                break;
            }
            assert_eq!(line, "lost");
            if let Some(gate) = gates.next() {
                gate.open();
            }
            if gates.len() == 0 {
                // The answer ends before the client is back.
                let input = json!({ "gigId": gig, "turnId": turn });
                events_of(&server, &who, &input).await;
            }
            resume.write_all(b"resume\n").await.unwrap();
        }
        assert!(node.wait().await.unwrap().success());
        server.stop().await;
    }
}

/// Langfuse shows the turn under the design's name, with the design's attributes.
// design: 004 Langfuse
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_traced_under_the_designs_name() {
    let collector = Collector::start().await;
    let settings = [
        ("telemetry.langfuse_public_key", "pk-lf-1"),
        ("telemetry.langfuse_secret_key", "sk-lf-2"),
        ("telemetry.langfuse_base_url", collector.url.as_str()),
    ];
    let scene = scene_with(Backing::Sqlite, 1, &settings).await;
    let (profile, workspace) = (scene.who.profile(), scene.workspace);
    let (server, gig) = scene.serve(&[]).await;
    server.model.otherwise(say(r#"{"message":"Ответ"}"#));
    let path = format!("/gigs/{gig}/chat");
    let who = server.sign_in("rita");
    let sent = server.post(&who, &path, json!({ "message": "Кто лучший?" }));
    assert_eq!(sent.await.status, StatusCode::OK);
    let spans = collector.turns(1).await;
    let root = spans.iter().find(|span| span.parent.is_empty()).unwrap();
    assert_eq!(root.attribute("langfuse.trace.name"), "gig-ai-chat");
    let metadata = |key: &str| root.attribute(&format!("langfuse.trace.metadata.{key}"));
    assert_eq!(metadata("gigId"), gig.to_string());
    assert_eq!(metadata("userId"), profile.to_string());
    assert_eq!(metadata("workspaceId"), workspace.to_string());
    server.stop().await;
}

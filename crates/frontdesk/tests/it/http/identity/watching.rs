//! The Operator's view of everyone's turns, closed to all others, and audit search.

use frontdesk_testkit::model_server::{call, say};
use serde_json::{Value, json};

use super::{claims, signed, somebody};
use crate::server::{Person, TestServer};

fn operator(server: &TestServer) -> Person {
    signed(server, &claims(server, "olga", &["Operator"]))
}

async fn talk(server: &TestServer, who: &Person, words: &str) -> String {
    let id = server.conversation(who).await;
    let path = format!("/conversations/{id}/messages");
    let said = server.post(who, &path, json!({ "content": words })).await;
    assert_eq!(said.status, 201, "{said:?}");
    let turn = &said.body["user_message"]["metadata"]["turn_id"];
    turn.as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_sees_turns_and_steps_without_their_text() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let olga = operator(&server);
        server.model.script([
            call("add_note", json!({ "text": "a zeppelin" })).usage(300, 12),
            say("Zeppelin noted.").usage(340, 9).no_usage(),
            say("Hello.").usage(50, 3),
        ]);
        let first = talk(&server, &ann, "Note a zeppelin").await;
        let second = talk(&server, &ann, "Hello zeppelin").await;

        let page = server.get(&olga, "/turns?limit=1").await;
        assert_eq!(page.status, 200, "{page:?}");
        assert_eq!(page.body["items"][0]["id"], second.as_str());
        assert_eq!(page.body["items"][0]["estimated"], false);
        let cursor = page.body["cursor"].as_str().unwrap();
        let next = server.get(&olga, &format!("/turns?cursor={cursor}")).await;
        let turn = &next.body["items"][0];
        assert_eq!(turn["id"], first.as_str());
        assert_eq!(turn["outcome"]["outcome"], "answered");
        assert_eq!(
            (&turn["assistant"], &turn["estimated"]),
            (&json!("notes"), &json!(true))
        );
        assert!(turn["duration_ms"].as_u64().is_some(), "{turn}");

        let steps = server.get(&olga, &format!("/turns/{first}")).await;
        let kinds: Vec<&Value> = steps.body["steps"]
            .as_array()
            .unwrap()
            .iter()
            .map(|s| &s["kind"])
            .collect();
        assert_eq!(kinds, ["model", "tool", "model"]);
        assert_eq!(steps.body["steps"][0]["input_tokens"], 300);
        assert_eq!(steps.body["steps"][1]["name"], "add_note");
        steps_follow_each_other(&steps.body);
        let of = format!(
            "/names?ids={},{first}",
            turn["profile_id"].as_str().unwrap()
        );
        assert_eq!(
            server.list(&olga, &of).await,
            [json!({ "id": turn["profile_id"], "name": "ann" })]
        );
        assert_eq!(server.get(&ann, &of).await.status, 403);
        assert_eq!(server.get(&olga, "/names?ids=ann").await.status, 422);
        let told = format!("{} {} {}", page.body, next.body, steps.body);
        assert!(!told.to_lowercase().contains("zeppelin"), "{told}");

        let none = server.get(&olga, "/turns?state=awaiting_approval").await;
        assert_eq!(none.body["items"], json!([]));
        let wrong = server.get(&olga, "/turns?state=sleeping").await;
        assert_eq!(wrong.status, 422, "{wrong:?}");
        for path in ["/turns", &format!("/turns/{first}"), "/evaluations"] {
            let refused = server.get(&ann, path).await;
            let message = &refused.body["error"]["message"];
            assert_eq!(
                (refused.status.as_u16(), message),
                (403, &json!("Only operators can see this")),
                "{path}"
            );
        }
        assert!(server.list(&olga, "/evaluations").await.is_empty());
        let usage = server.get(&olga, "/usage").await.body;
        assert_eq!(usage["total"]["estimated_turns"], 1, "{usage}");
        sums_agree(&usage);
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_is_searched_by_who_what_when_and_how_it_went() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let olga = operator(&server);
        server.model.script([
            call("add_note", json!({ "text": "one" })),
            call("delete_everything", json!({})),
            say("Done."),
        ]);
        let turn = talk(&server, &ann, "Note one").await;
        let me = server.get(&ann, "/me").await.body["id"]
            .as_str()
            .unwrap()
            .to_owned();
        let search = async |query: &str| {
            let found = server.get(&olga, &format!("/audit?{query}")).await;
            assert_eq!(found.status, 200, "{query}: {found:?}");
            let items = found.body["items"].as_array().unwrap().clone();
            items
                .iter()
                .map(|row| row["tool"].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        let both = ["delete_everything", "add_note"];
        assert_eq!(search(&format!("turn_id={turn}")).await, both);
        assert_eq!(search(&format!("profile_id={me}")).await, both);
        assert_eq!(search("outcome=executed").await, ["add_note"]);
        assert_eq!(
            search("outcome=denied&since=2026-01-01T00:00:00Z").await,
            ["delete_everything"]
        );
        assert_eq!(search("until=2026-01-01T00:00:00Z").await, [""; 0]);
        assert_eq!(search("tool=add_note").await, ["add_note"]);
        let wrong = server.get(&olga, "/audit?outcome=maybe").await;
        assert_eq!(wrong.status, 422, "{wrong:?}");
        server.stop().await;
    }
}

/// Each step starts when the one before it has ended.
fn steps_follow_each_other(told: &Value) {
    let step = |at: usize, field: &str| told["steps"][at][field].as_u64().unwrap();
    assert_eq!(step(0, "began_ms"), 0);
    for at in 1..3 {
        let ended = step(at - 1, "began_ms") + step(at - 1, "duration_ms");
        assert_eq!(step(at, "began_ms"), ended);
    }
    assert!(told["other_ms"].is_number(), "{told}");
}

/// All usage is of today, of one assistant and of no company.
fn sums_agree(usage: &Value) {
    assert_eq!(usage["by_assistant"][0]["name"], "notes");
    assert_eq!(usage["by_company"][0]["name"], Value::Null);
    assert_eq!(usage["by_day"].as_array().unwrap().len(), 30);
    let groups = [
        &usage["by_assistant"][0],
        &usage["by_company"][0],
        &usage["by_day"][29],
    ];
    for group in groups {
        for field in ["turns", "output_tokens"] {
            assert_eq!(group[field], usage["total"][field], "{usage}");
        }
    }
}

//! Documents over HTTP: listed, shown and exported by those who can see the conversation.

use frontdesk_testkit::model_server::{Gate, call, say};
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::server::TestServer;

#[tokio::test(flavor = "multi_thread")]
async fn a_document_is_listed_shown_and_exported() {
    for server in TestServer::on_both().await {
        server.model.script([
            call(
                "write_plan",
                json!({ "title": "A party", "steps": ["Cake", "Music"] }),
            ),
            say("Written."),
        ]);
        let (paula, quinn) = (server.sign_in("paula"), server.sign_in("quinn"));
        let made = server
            .post(&paula, "/conversations", json!({ "assistant": "planner" }))
            .await;
        let base = format!("/conversations/{}", made.body["id"].as_str().unwrap());
        let sent = server
            .post(
                &paula,
                &format!("{base}/messages"),
                json!({ "content": "Plan a party" }),
            )
            .await;
        assert_eq!(sent.status, StatusCode::CREATED, "{sent:?}");

        let list = server.list(&paula, &format!("{base}/artifacts")).await;
        assert_eq!(list[0]["kind"], "plan");
        assert_eq!(list[0]["version"], 1);
        assert_eq!(list[0]["status"], "draft");
        let artifact = format!("{base}/artifacts/{}", list[0]["id"].as_str().unwrap());
        let shown = server.get(&paula, &artifact).await;
        assert_eq!(shown.body["title"], "A party");
        assert_eq!(shown.body["content"]["steps"], json!(["Cake", "Music"]));

        let markdown = server.get(&paula, &format!("{artifact}.md")).await;
        assert_eq!(markdown.status, StatusCode::OK);
        assert_eq!(
            markdown.headers["content-type"],
            "text/markdown; charset=utf-8"
        );
        assert_eq!(
            markdown.body,
            json!("# A party\n\n## Steps\n\n- Cake\n- Music\n")
        );
        let pdf = server.get(&paula, &format!("{artifact}.pdf")).await;
        assert_eq!(pdf.headers["content-type"], "application/pdf");
        let disposition = pdf.headers["content-disposition"].to_str().unwrap();
        assert!(
            disposition.contains("filename=\"A party.pdf\""),
            "{disposition}"
        );
        let since = list[0]["id"].as_str().unwrap();
        let changed = server
            .list(&paula, &format!("{artifact}/changes?since={since}"))
            .await;
        assert_eq!(
            changed[0],
            json!({ "kind": "same", "text": "# A party", "old_line": 1, "new_line": 1 })
        );
        let foreign = server
            .get(&quinn, &format!("{artifact}/changes?since={since}"))
            .await;
        assert_eq!(foreign.status, StatusCode::FORBIDDEN);
        for not_offered in [".docx", ".exe", "."] {
            let refused = server
                .get(&paula, &format!("{artifact}{not_offered}"))
                .await;
            assert_eq!(refused.status, StatusCode::NOT_FOUND, "{not_offered}");
        }
        for ending in ["", ".md", ".pdf"] {
            let foreign = server.get(&quinn, &format!("{artifact}{ending}")).await;
            assert_eq!(foreign.status, StatusCode::FORBIDDEN, "{ending}");
        }
        let nothing = format!("{base}/artifacts/00000000-0000-7000-8000-000000000000");
        let missing = server.get(&paula, &nothing).await;
        assert_eq!(missing.body["error"]["message"], "Artifact not found");
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_edits_a_document_which_makes_a_version_with_an_author() {
    for server in TestServer::on_both().await {
        server.model.script([
            call(
                "write_plan",
                json!({ "title": "A party", "steps": ["Cake"] }),
            ),
            say("Written."),
        ]);
        let (paula, quinn) = (server.sign_in("paula"), server.sign_in("quinn"));
        let made = server
            .post(&paula, "/conversations", json!({ "assistant": "planner" }))
            .await;
        let base = format!("/conversations/{}", made.body["id"].as_str().unwrap());
        let content = json!({ "content": "Plan a party" });
        server
            .post(&paula, &format!("{base}/messages"), content)
            .await;
        let list = server.list(&paula, &format!("{base}/artifacts")).await;
        let first = format!("{base}/artifacts/{}", list[0]["id"].as_str().unwrap());
        let original = server.get(&paula, &first).await.body;
        assert_eq!(original["author"]["name"], "Paula Planner");

        let edit = json!({ "text": "# A party\n\n- Cake\n- Tea\n" });
        let foreign = server
            .send(Method::PUT, &first, Some(&quinn), Some(edit.clone()))
            .await;
        assert_eq!(foreign.status, StatusCode::FORBIDDEN);
        let edited = server
            .send(Method::PUT, &first, Some(&paula), Some(edit.clone()))
            .await;
        assert_eq!(edited.status, StatusCode::CREATED, "{edited:?}");
        assert_eq!(edited.body["version"], 2);
        assert_eq!(edited.body["author"]["name"], "Paula Planner");
        assert_eq!(edited.body["content"]["steps"], json!(["Cake", "Tea"]));
        let unchanged = server.get(&paula, &first).await.body;
        assert_eq!(unchanged, original);

        // The edited version is no longer the newest.
        let stale = server
            .send(Method::PUT, &first, Some(&paula), Some(edit))
            .await;
        assert_eq!(stale.status, StatusCode::CONFLICT, "{stale:?}");
        for (wrong, field) in [
            (json!({}), "text"),
            (json!({ "text": " " }), "text"),
            (json!({ "text": "- a", "fields": {} }), "text"),
            (json!({ "fields": { "a": 1 } }), "text"),
        ] {
            let refused = server
                .send(Method::PUT, &first, Some(&paula), Some(wrong))
                .await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
            assert!(refused.body.to_string().contains(field), "{refused:?}");
        }

        // Clearing the messages keeps the documents, and version numbers continue.
        server
            .post(&paula, &format!("{base}/reset"), json!({}))
            .await;
        let kept = server.list(&paula, &format!("{base}/artifacts")).await;
        assert_eq!(kept.len(), 2);
        server.model.script([
            call(
                "write_plan",
                json!({ "title": "A party", "steps": ["Wine"] }),
            ),
            say("Written."),
        ]);
        let content = json!({ "content": "Again" });
        server
            .post(&paula, &format!("{base}/messages"), content)
            .await;
        let kept = server.list(&paula, &format!("{base}/artifacts")).await;
        assert_eq!(kept[2]["version"], 3);
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_is_not_edited_while_a_turn_runs() {
    for server in TestServer::on_both().await {
        let gate = Gate::shut();
        server.model.script([
            call(
                "write_plan",
                json!({ "title": "A party", "steps": ["Cake"] }),
            ),
            say("Written."),
            say("Done.").after(&gate),
        ]);
        let paula = server.sign_in("paula");
        let made = server
            .post(&paula, "/conversations", json!({ "assistant": "planner" }))
            .await;
        let base = format!("/conversations/{}", made.body["id"].as_str().unwrap());
        let messages = format!("{base}/messages");
        server
            .post(&paula, &messages, json!({ "content": "Plan" }))
            .await;
        let list = server.list(&paula, &format!("{base}/artifacts")).await;
        let first = format!("{base}/artifacts/{}", list[0]["id"].as_str().unwrap());
        let running = server.post(&paula, &messages, json!({ "content": "And?" }));
        let editing = async {
            while server.model.request_count() < 3 {
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
            let edit = json!({ "text": "- Tea" });
            let refused = server
                .send(Method::PUT, &first, Some(&paula), Some(edit))
                .await;
            assert_eq!(refused.status, StatusCode::CONFLICT, "{refused:?}");
            gate.open();
        };
        tokio::join!(running, editing);
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_of_an_earlier_release_says_why_it_cannot_be_exported() {
    for server in TestServer::on_both().await {
        let paula = server.sign_in("paula");
        let outdated = json!({ "title": crate::planner::OUTDATED, "steps": ["Cake"] });
        server
            .model
            .script([call("write_plan", outdated), say("Written.")]);
        let new = json!({ "assistant": "planner" });
        let made = server.post(&paula, "/conversations", new).await;
        let base = format!("/conversations/{}", made.body["id"].as_str().unwrap());
        let message = json!({ "content": "Plan a party" });
        server
            .post(&paula, &format!("{base}/messages"), message)
            .await;
        let list = server.list(&paula, &format!("{base}/artifacts")).await;
        let plan = format!("{base}/artifacts/{}", list[0]["id"].as_str().unwrap());
        for ending in ["md", "pdf"] {
            let refused = server.get(&paula, &format!("{plan}.{ending}")).await;
            assert_eq!(refused.status, StatusCode::CONFLICT, "{refused:?}");
            assert_eq!(refused.body["error"]["code"], "DOCUMENT_OUTDATED");
            let sentence = "This plan is too old. Write it again.";
            assert_eq!(refused.body["error"]["message"], sentence);
        }
        assert_eq!(server.get(&paula, &plan).await.status, StatusCode::OK);
        server.stop().await;
    }
}

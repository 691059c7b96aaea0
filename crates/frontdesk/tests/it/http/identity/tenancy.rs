//! Attack group B: other people's things, by every way a client could name them.

use frontdesk_testkit::model_server::{Gate, say};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{claims, company, join, shared_conversation, signed, somebody};
use crate::server::{TestServer, answer, parse_events};

/// B1, B4: a foreign conversation cannot be read, continued, changed or erased, and every
/// refusal says the same.
// design: promises B1
#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_conversation_is_out_of_reach_on_every_way() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let eve = somebody(&server, "eve");
        let id = server.conversation(&ann).await;
        let path = format!("/conversations/{id}");
        let mut bodies = Vec::new();
        for (method, path, body) in [
            (Method::GET, path.clone(), None),
            (
                Method::PATCH,
                path.clone(),
                Some(json!({ "title": "mine" })),
            ),
            (Method::DELETE, path.clone(), None),
            (Method::POST, format!("{path}/reset"), Some(json!({}))),
            (Method::GET, format!("{path}/messages"), None),
            (
                Method::POST,
                format!("{path}/messages"),
                Some(json!({ "content": "Go on" })),
            ),
            (
                Method::POST,
                format!("{path}/forms"),
                Some(json!({ "tool": "list_notes" })),
            ),
            (Method::GET, format!("{path}/artifacts"), None),
        ] {
            let mut refused = server.send(method.clone(), &path, Some(&eve), body).await;
            assert_eq!(
                refused.status,
                StatusCode::FORBIDDEN,
                "{method} {path} {refused:?}"
            );
            refused.body["error"]
                .as_object_mut()
                .unwrap()
                .remove("request_id");
            bodies.push(refused.body);
        }
        bodies.dedup();
        assert_eq!(bodies.len(), 1, "{bodies:?}");
        let seen = server.get(&ann, &path).await;
        assert_eq!(seen.body["title"], "New Conversation");
        assert_eq!(seen.body["message_count"], 0);
        server.stop().await;
    }
}

/// B2, B6, B12: ids and settings in the body that are not a client's to set.
// design: promises B2
#[tokio::test(flavor = "multi_thread")]
async fn a_body_sets_what_is_its_own_and_nothing_else() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let eve = somebody(&server, "eve");
        let acme = company(&server, &ann).await;
        let foreign = server
            .post(
                &eve,
                "/conversations",
                json!({ "assistant": "notes", "company_id": acme }),
            )
            .await;
        assert_eq!(foreign.status, 403, "{foreign:?}");
        for field in [
            "id",
            "user_id",
            "tenant_id",
            "scope_id",
            "role",
            "created_at",
            "model",
            "system",
            "tools",
            "api_base",
        ] {
            let mut body = json!({ "assistant": "notes" });
            body[field] = json!("x");
            let refused = server.post(&eve, "/conversations", body).await;
            assert_eq!(refused.status, 422, "{field}");
            assert!(
                refused.body["error"]["message"]
                    .as_str()
                    .unwrap()
                    .contains(field),
                "{refused:?}"
            );
            let mut body = json!({ "name": "x" });
            body[field] = json!("x");
            assert_eq!(
                server.post(&eve, "/companies", body).await.status,
                422,
                "{field}"
            );
        }
        let id = server.conversation(&eve).await;
        let messages = format!("/conversations/{id}/messages");
        for field in [
            "tools",
            "tool_ids",
            "model",
            "api_base",
            "system",
            "role",
            "user_id",
            "parent_id",
        ] {
            let mut body = json!({ "content": "x" });
            body[field] = json!("x");
            assert_eq!(
                server.post(&eve, &messages, body).await.status,
                422,
                "{field}"
            );
        }
        let missing =
            json!({ "content": "x", "attachments": ["00000000-0000-7000-8000-000000000000"] });
        let refused = server.post(&eve, &messages, missing).await;
        assert!([404, 422].contains(&refused.status.as_u16()), "{refused:?}");
        let history = server.get(&eve, &messages).await;
        assert_eq!(history.body["items"], json!([]));
        server.stop().await;
    }
}

/// B3, B5: a foreign turn's stream, and a stream of somebody who is a member no more.
// design: promises B3
#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_with_the_right_to_see_it() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let acme = company(&server, &ann).await;
        let bob = join(&server, &ann, &acme, "bob").await;
        let eve = somebody(&server, "eve");
        let id = shared_conversation(&server, &ann, &acme).await;
        let gate = Gate::shut();
        server
            .model
            .script([say("Begun").then_wait(&gate).then_say(" and done.")]);
        let path = format!("/conversations/{id}/messages");
        let streaming = server
            .request(Method::POST, &path, Some(&ann))
            .header("accept", "text/event-stream")
            .json(&json!({ "content": "Hello" }));
        let mut anns = streaming.send().await.unwrap();
        let first = anns.chunk().await.unwrap().unwrap();
        let started = parse_events(std::str::from_utf8(&first).unwrap());
        let turn = started[0].data["turn"].as_str().unwrap().to_owned();
        let events = format!("/conversations/{id}/turns/{turn}/events");
        assert_eq!(server.get(&eve, &events).await.status, 403);

        let mut bobs = server
            .request(Method::GET, &events, Some(&bob))
            .send()
            .await
            .unwrap();
        assert_eq!(bobs.status(), 200);
        let first = bobs.chunk().await.unwrap().unwrap();
        assert!(
            std::str::from_utf8(&first)
                .unwrap()
                .contains("turn.started")
        );
        let bob_id = super::profile(&server, &bob).await;
        let removed = server
            .send(
                Method::DELETE,
                &format!("/companies/{acme}/members/{bob_id}"),
                Some(&ann),
                None,
            )
            .await;
        assert_eq!(removed.status, 204, "{removed:?}");
        // The turn still waits for its model: the stream ends because Bob was removed.
        let rest = tokio::time::timeout(std::time::Duration::from_secs(5), bobs.text()).await;
        assert!(
            !rest
                .expect("the stream stayed open")
                .unwrap()
                .contains("done")
        );
        assert_eq!(server.get(&bob, &events).await.status, 403);
        gate.open();
        let rest = anns.text().await.unwrap();
        assert!(rest.contains("turn.completed"), "{rest}");
        server.stop().await;
    }
}

/// A membership that is deleted in the database itself is announced to nobody; the stream of
/// somebody who began the conversation ends all the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_when_the_membership_is_deleted_behind_the_servers_back() {
    let server = TestServer::start(crate::harness::Backing::Postgres).await;
    let ann = somebody(&server, "ann");
    let acme = company(&server, &ann).await;
    let bob = join(&server, &ann, &acme, "bob").await;
    let id = shared_conversation(&server, &bob, &acme).await;
    let gate = Gate::shut();
    server
        .model
        .script([say("Begun").then_wait(&gate).then_say(" and done.")]);
    let mut anns = server
        .request(
            Method::POST,
            &format!("/conversations/{id}/messages"),
            Some(&ann),
        )
        .header("accept", "text/event-stream")
        .json(&json!({ "content": "Hello" }))
        .send()
        .await
        .unwrap();
    let first = anns.chunk().await.unwrap().unwrap();
    let started = parse_events(std::str::from_utf8(&first).unwrap());
    let turn = started[0].data["turn"].as_str().unwrap();
    let events = format!("/conversations/{id}/turns/{turn}/events");
    let watching = server.request(Method::GET, &events, Some(&bob));
    let mut bobs = watching.send().await.unwrap();
    assert_eq!(bobs.status(), 200);
    bobs.chunk().await.unwrap().unwrap();
    let bob_id = super::profile(&server, &bob).await;
    let database = server.keep.database.as_ref().unwrap();
    database
        .execute(&format!(
            "DELETE FROM company_members WHERE profile_id = '{bob_id}'"
        ))
        .await;
    let rest = tokio::time::timeout(std::time::Duration::from_secs(5), bobs.text()).await;
    let rest = rest.expect("the stream stayed open").unwrap();
    assert!(!rest.contains("done"), "{rest}");
    gate.open();
    let rest = anns.text().await.unwrap();
    assert!(rest.contains("turn.completed"), "{rest}");
    server.stop().await;
}

/// B7, B8, B9: cursors, filters and scopes that are somebody else's or made up.
// design: promises B7
#[tokio::test(flavor = "multi_thread")]
async fn cursors_filters_and_scopes_are_checked() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let eve = somebody(&server, "eve");
        for who in [&ann, &eve] {
            for _ in 0..3 {
                server.conversation(who).await;
            }
        }
        let page = server.get(&ann, "/conversations?limit=1").await;
        let cursor = page.body["cursor"].as_str().unwrap();
        let own = server
            .get(&ann, &format!("/conversations?limit=1&cursor={cursor}"))
            .await;
        assert_eq!(own.status, 200);
        let foreign = server
            .get(&eve, &format!("/conversations?limit=1&cursor={cursor}"))
            .await;
        assert_eq!(foreign.status, 400, "{foreign:?}");
        for query in [
            "metadata[x%27)%20OR%20%271%27=%271]=1",
            "user_id=x",
            "tenant=x",
            "company_id=1%20OR%201=1",
            "limit=1;drop",
        ] {
            let refused = server.get(&eve, &format!("/conversations?{query}")).await;
            assert_eq!(refused.status, 422, "{query} {refused:?}");
        }
        // A claim or header about a company gives none: companies come from the database.
        let acme = company(&server, &ann).await;
        let id = shared_conversation(&server, &ann, &acme).await;
        let mut said = claims(&server, "eve", &["Reader"]);
        said["company_id"] = json!(acme);
        said["tenant_id"] = json!(acme);
        said["app_metadata"]["companies"] = json!([acme]);
        let eve = signed(&server, &said);
        assert_eq!(server.get(&eve, "/me").await.body["companies"], json!([]));
        let request = server
            .request(Method::GET, &format!("/conversations/{id}"), Some(&eve))
            .header("x-tenant-id", &acme)
            .header("x-company-id", &acme);
        assert_eq!(answer(request).await.status, 403);
        let listed = server
            .get(&eve, &format!("/conversations?company_id={acme}"))
            .await;
        assert_eq!(listed.body["items"], json!([]), "{listed:?}");
        server.stop().await;
    }
}

/// B11: a path is what it is, and says nothing before somebody signed in.
// design: promises B11
#[tokio::test(flavor = "multi_thread")]
async fn tricks_with_paths_lead_nowhere() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let id = server.conversation(&ann).await;
        let address = server.url.strip_prefix("http://").unwrap();
        for path in [
            format!("//api/v1/conversations/{id}"),
            format!("/api/v1//conversations/{id}"),
            format!("/api/v1/conversations/{id}/"),
            format!("/API/v1/conversations/{id}"),
            format!("/api/v1/conversations/{id};x"),
            format!("/api/v1/conversations/%2e%2e/conversations/{id}"),
            format!("/api/v1/x/..%2fconversations/{id}"),
        ] {
            let head = format!(
                "GET {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {}\r\nconnection: close\r\n\r\n",
                ann.token
            );
            let answered = super::raw(address, &head).await;
            // The page answers for paths that are none of the API's.
            let ours = path.starts_with("/api/v1/");
            let refused = ["404", "405"]
                .iter()
                .any(|code| answered.starts_with(&format!("HTTP/1.1 {code}")));
            assert!(refused || !ours, "{path}: {answered}");
            assert!(!answered.contains("New Conversation"), "{path}: {answered}");
        }
        let override_method = server
            .request(Method::GET, &format!("/conversations/{id}"), Some(&ann))
            .header("x-http-method-override", "DELETE");
        assert_eq!(answer(override_method).await.status, 200);
        assert_eq!(
            server
                .get(&ann, &format!("/conversations/{id}"))
                .await
                .status,
            200
        );
        server.stop().await;
    }
}

/// B14: a member reads and posts; renaming and erasing stay the owner's.
// design: promises B14
#[tokio::test(flavor = "multi_thread")]
async fn a_member_does_not_do_what_is_the_owners() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let acme = company(&server, &ann).await;
        let bob = join(&server, &ann, &acme, "bob").await;
        let id = shared_conversation(&server, &ann, &acme).await;
        let path = format!("/conversations/{id}");
        for (method, path, body) in [
            (
                Method::PATCH,
                path.clone(),
                Some(json!({ "title": "Bob's" })),
            ),
            (
                Method::PATCH,
                path.clone(),
                Some(json!({ "metadata": { "a": 1 } })),
            ),
            (Method::DELETE, path.clone(), None),
            (
                Method::POST,
                format!("{path}/reset"),
                Some(Value::Object(serde_json::Map::new())),
            ),
        ] {
            let refused = server.send(method, &path, Some(&bob), body).await;
            assert_eq!(refused.status, 403, "{refused:?}");
        }
        server.model.script([say("Hello Bob.")]);
        let said = server
            .post(
                &bob,
                &format!("{path}/messages"),
                json!({ "content": "Hello" }),
            )
            .await;
        assert_eq!(said.status, 201, "{said:?}");
        server.stop().await;
    }
}

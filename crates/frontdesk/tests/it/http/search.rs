//! `/search`: conversations, documents and objects, only those that the person may see.

use frontdesk_testkit::model_server::say;
use serde_json::{Value, json};

use super::identity::{company, join, shared_conversation, somebody};
use crate::server::{Person, TestServer};

const SECRET: &str = "needle-7391";

async fn search(server: &TestServer, who: &Person, words: &str) -> Value {
    let answer = server.get(who, &format!("/search?q={words}")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body
}

fn found_ids(results: &Value) -> Vec<&str> {
    let all = results["conversations"].as_array().unwrap().iter();
    all.map(|found| found["id"].as_str().unwrap()).collect()
}

async fn tell(server: &TestServer, who: &Person, conversation: &str, text: &str) {
    server.model.script([say("Noted.")]);
    let path = format!("/conversations/{conversation}/messages");
    let said = server.post(who, &path, json!({ "content": text })).await;
    assert_eq!(said.status, 201, "{said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_is_found_by_those_who_may_read_it_and_only_while_they_may() {
    for server in TestServer::on_both().await {
        let (ann, eve) = (somebody(&server, "ann"), somebody(&server, "eve"));
        let acme = company(&server, &ann).await;
        let bob = join(&server, &ann, &acme, "bob").await;
        let own = server.conversation(&ann).await;
        let shared = shared_conversation(&server, &ann, &acme).await;
        tell(
            &server,
            &ann,
            &own,
            &format!("My {SECRET} is at the customs office"),
        )
        .await;
        tell(&server, &bob, &shared, &format!("Our {SECRET}")).await;

        let found = search(&server, &ann, SECRET).await;
        assert_eq!(found_ids(&found), [&shared, &own]);
        let hit = &found["conversations"][1];
        assert_eq!(hit["kind"], "message");
        assert_eq!(
            hit["excerpt"],
            format!("My {SECRET} is at the customs office")
        );
        let page = server
            .get(&ann, &format!("/conversations/{own}/messages"))
            .await;
        assert_eq!(hit["object_id"], page.body["items"][0]["id"]);

        assert_eq!(found_ids(&search(&server, &bob, SECRET).await), [&shared]);
        let stranger = search(&server, &eve, SECRET).await;
        assert!(!stranger.to_string().contains("7391"), "{stranger}");
        let left = server
            .post(&bob, &format!("/companies/{acme}/leave"), json!({}))
            .await;
        assert_eq!(left.status, 204, "{left:?}");
        let former = search(&server, &bob, SECRET).await;
        assert!(!former.to_string().contains("7391"), "{former}");
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn passes_and_library_documents_are_found_with_the_rights_of_the_person() {
    for server in TestServer::on_both().await {
        let (admin, reader) = (server.sign_in("admin"), server.sign_in("reader"));
        let listed = server.get(&admin, "/gatepass/passes?limit=1").await.body;
        let number = listed["items"][0]["pass_number"].as_str().unwrap();
        let found = search(&server, &admin, number).await;
        let passes = found["objects"].as_array().unwrap().iter();
        let passes = passes.clone().find(|one| one["assistant"] == "gatepass");
        let pass = &passes.unwrap()["items"][0];
        assert_eq!(pass["link"], format!("/gatepass?gid={number}"));
        let none = search(&server, &reader, number).await;
        assert!(!none["objects"].to_string().contains("gatepass"), "{none}");

        let documents = search(&server, &reader, "approvals").await;
        let items = documents["objects"].as_array().unwrap();
        let docs = items.iter().find(|one| one["assistant"] == "docs").unwrap();
        let link = docs["items"][0]["link"].as_str().unwrap();
        assert!(link.starts_with("/sources/handbook/"), "{link}");
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_of_a_query_language_are_plain_words() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let id = server.conversation(&ann).await;
        tell(&server, &ann, &id, "plain words").await;
        for query in [
            "%22",
            "*",
            "'",
            "plain%20%7C%20absent",
            "content:plain%20NEAR(",
            "a%27%29%3B--",
            "%00",
        ] {
            let found = search(&server, &ann, query).await;
            assert!(found_ids(&found).is_empty(), "{query}: {found}");
        }
        assert_eq!(
            found_ids(&search(&server, &ann, "WORDS%20%26%20pla*").await),
            [&id]
        );
        let long = "x".repeat(201);
        let refused = server.get(&ann, &format!("/search?q={long}")).await;
        assert_eq!(refused.status, 422, "{refused:?}");
        server.stop().await;
    }
}

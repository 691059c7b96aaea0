//! Links, exports and API tokens: nobody gets more by them than they were given.

use frontdesk_testkit::model_server::say;
use reqwest::Method;
use serde_json::json;

use super::identity::{company, join, shared_conversation, somebody};
use crate::server::{Person, TestServer, answer};

async fn file(server: &TestServer, who: &Person, path: &str) -> Vec<u8> {
    let sent = server.request(Method::GET, path, Some(who)).send().await;
    sent.unwrap().bytes().await.unwrap().to_vec()
}

async fn delete(server: &TestServer, who: &Person, path: &str) -> u16 {
    let sent = answer(server.request(Method::DELETE, path, Some(who))).await;
    sent.status.as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_shows_a_conversation_to_colleagues_and_tells_others_nothing() {
    for server in TestServer::on_both().await {
        let (ann, eve) = (somebody(&server, "ann"), somebody(&server, "eve"));
        let acme = company(&server, &ann).await;
        let bob = join(&server, &ann, &acme, "bob").await;
        let id = server.conversation(&ann).await;
        server.model.script([say("The **answer**.")]);
        let path = format!("/conversations/{id}/messages");
        server
            .post(&ann, &path, json!({ "content": "The question" }))
            .await;
        let shares = format!("/conversations/{id}/shares");
        let body = json!({ "audience": { "company": acme }, "days": 1 });
        let made = server.post(&ann, &shares, body.clone()).await;
        assert_eq!(made.status, 201, "{made:?}");
        let link = format!("/shared/{}", made.body["id"].as_str().unwrap());
        let shown = server.get(&bob, &link).await;
        assert_eq!(shown.status, 200, "{shown:?}");
        assert_eq!(shown.body["messages"][0]["content"], "The question");
        assert_eq!(shown.body["messages"][1]["content"], "The **answer**.");
        for who in [&eve] {
            assert_eq!(server.get(who, &link).await.status, 404);
            assert_eq!(server.post(who, &shares, body.clone()).await.status, 403);
        }
        // A reader of the link is not in the conversation.
        for path in [
            &path,
            &shares,
            &format!("/conversations/{id}/export?format=md"),
        ] {
            assert_eq!(server.get(&bob, path).await.status, 403, "{path}");
        }
        let wrong = json!({ "audience": { "company": acme }, "days": 0 });
        assert_eq!(server.post(&ann, &shares, wrong).await.status, 422);
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_is_exported_with_its_authors() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let acme = company(&server, &ann).await;
        let bob = join(&server, &ann, &acme, "bob").await;
        let id = shared_conversation(&server, &ann, &acme).await;
        let path = format!("/conversations/{id}/messages");
        for who in [&ann, &bob] {
            server
                .model
                .script([say("| a | b |\n|---|---|\n| 1 | Привет |")]);
            server
                .post(who, &path, json!({ "content": "# not a heading" }))
                .await;
        }
        let bytes = file(
            &server,
            &ann,
            &format!("/conversations/{id}/export?format=md"),
        )
        .await;
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains("**bob** · "), "{text}");
        assert!(text.contains("\n> # not a heading\n"), "{text}");
        assert!(text.contains("| 1 | Привет |"), "{text}");
        let pdf = file(
            &server,
            &ann,
            &format!("/conversations/{id}/export?format=pdf"),
        )
        .await;
        assert!(pdf.starts_with(b"%PDF-"), "{} bytes", pdf.len());
        let wrong = server
            .get(&ann, &format!("/conversations/{id}/export?format=doc"))
            .await;
        assert_eq!(wrong.status, 422, "{wrong:?}");
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_api_token_acts_for_its_person_until_it_is_revoked_and_creates_no_others() {
    for server in TestServer::on_both().await {
        let (ann, eve) = (somebody(&server, "ann"), somebody(&server, "eve"));
        let own = server.conversation(&ann).await;
        let foreign = server.conversation(&eve).await;
        let body = json!({ "name": "Nightly report" });
        let made = server.post(&ann, "/me/tokens", body.clone()).await;
        assert_eq!(made.status, 201, "{made:?}");
        let secret = made.body["token"].as_str().unwrap();
        let program = Person {
            token: secret.to_owned(),
        };
        let me = server.get(&program, "/me").await;
        assert_eq!(me.body["name"], "ann", "{me:?}");
        assert_eq!(
            server
                .get(&program, &format!("/conversations/{own}"))
                .await
                .status,
            200
        );
        assert_eq!(
            server
                .get(&program, &format!("/conversations/{foreign}"))
                .await
                .status,
            403
        );
        assert_eq!(
            server
                .post(&program, "/me/tokens", body.clone())
                .await
                .status,
            403
        );
        let listed = server.get(&ann, "/me/tokens").await.body;
        assert!(!listed.to_string().contains(secret), "{listed}");
        let id = made.body["id"].as_str().unwrap();
        let path = format!("/me/tokens/{id}");
        assert_eq!(delete(&server, &eve, &path).await, 404);
        assert_eq!(delete(&server, &ann, &path).await, 204);
        assert_eq!(server.get(&program, "/me").await.status, 401);
        for broken in ["fdt_", "fdt_short", &format!("fdt_{}", "A".repeat(43))] {
            let stranger = Person {
                token: broken.to_owned(),
            };
            assert_eq!(server.get(&stranger, "/me").await.status, 401, "{broken}");
        }
        server.stop().await;
    }
}

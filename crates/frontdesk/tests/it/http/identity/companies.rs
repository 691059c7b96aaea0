//! Profiles, companies, members, invitations, feedback, the audit and usage as a client uses
//! them.

use std::time::Duration;

use frontdesk_testkit::model_server::say;
use reqwest::Method;
use serde_json::{Value, json};

use super::{claims, company, join, profile, shared_conversation, signed, somebody};
use crate::server::TestServer;

// design: 002 profile lookup
#[tokio::test(flavor = "multi_thread")]
async fn a_profile_is_created_on_first_request_and_edited_by_its_person() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let me = server.get(&ann, "/me").await.body;
        assert_eq!(me["name"], "ann");
        assert_eq!(me["email"], "ann@example.com");
        assert_eq!(me["roles"], json!(["Reader"]));
        assert_eq!(me["companies"], json!([]));
        let put = |body: Value| {
            let server = &server;
            let ann = ann.clone();
            async move {
                server
                    .send(Method::PUT, "/profiles/me", Some(&ann), Some(body))
                    .await
            }
        };
        let changed =
            put(json!({ "display_name": " Ann B. ", "avatar_url": "https://x.example/a.png" }))
                .await;
        assert_eq!(changed.body["display_name"], "Ann B.", "{changed:?}");
        assert_eq!(server.get(&ann, "/me").await.body["name"], "Ann B.");
        for bad in [
            json!({ "display_name": "" }),
            json!({ "display_name": "x".repeat(101) }),
            json!({ "display_name": "a\u{1b}[2J" }),
            json!({ "avatar_url": "javascript:alert(1)" }),
            json!({ "avatar_url": "http://x.example/a.png" }),
            json!({ "email": "other@example.com" }),
            json!({ "id": me["id"] }),
        ] {
            assert_eq!(put(bad.clone()).await.status, 422, "{bad}");
        }
        let own = server.get(&ann, "/profiles/me").await.body;
        assert_eq!(own["display_name"], "Ann B.");
        assert!(own.get("user_id").is_none(), "{own}");
        let by_id = format!("/profiles/{}", own["id"].as_str().unwrap());
        assert_eq!(server.get(&ann, &by_id).await.body, own);
        let eve = somebody(&server, "eve");
        assert_eq!(server.get(&eve, &by_id).await.status, 403);
        server.stop().await;
    }
}

// design: 002 company membership, integration company
#[tokio::test(flavor = "multi_thread")]
async fn invited_people_join_and_share_the_companys_conversations() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let acme = company(&server, &ann).await;
        let bob = join(&server, &ann, &acme, "bob").await;
        let members = server
            .list(&bob, &format!("/companies/{acme}/members"))
            .await;
        let names: Vec<&str> = members
            .iter()
            .map(|member| member["display_name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["ann", "bob"], "{members:?}");
        for path in ["/companies", "/profiles/me/companies"] {
            let mine = server.list(&bob, path).await;
            assert_eq!(mine[0]["id"], json!(acme));
            assert_eq!(mine[0]["role"], "member");
        }
        assert_eq!(
            server.get(&bob, "/me").await.body["companies"][0]["company"],
            json!(acme)
        );

        let id = shared_conversation(&server, &ann, &acme).await;
        let path = format!("/conversations/{id}");
        assert_eq!(server.get(&bob, &path).await.status, 200);
        // B5: a person who leaves has no access from the next request on.
        let left = server
            .post(&bob, &format!("/companies/{acme}/leave"), json!({}))
            .await;
        assert_eq!(left.status, 204, "{left:?}");
        assert_eq!(server.get(&bob, &path).await.status, 403);
        let again = server
            .post(&bob, &format!("/companies/{acme}/leave"), json!({}))
            .await;
        assert_eq!(again.status, 403, "{again:?}");
        let owner = server
            .post(&ann, &format!("/companies/{acme}/leave"), json!({}))
            .await;
        assert_eq!(owner.status, 409, "{owner:?}");
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_is_valid_once_and_for_one_address() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let acme = company(&server, &ann).await;
        let path = format!("/companies/{acme}/invitations");
        for email in [
            "",
            "bob",
            "bob@",
            "@x.example",
            "bob@x",
            "a b@x.example",
            "bob@x.example,eve@x.example",
            "<bob@x.example>",
        ] {
            let refused = server.post(&ann, &path, json!({ "email": email })).await;
            assert_eq!(refused.status, 422, "{email}");
        }
        let owner = server
            .post(
                &ann,
                &path,
                json!({ "email": "bob@x.example", "role": "owner" }),
            )
            .await;
        assert_eq!(owner.status, 422, "{owner:?}");

        let made = server
            .post(&ann, &path, json!({ "email": " Bob@Example.com " }))
            .await;
        assert_eq!(made.body["email"], "bob@example.com");
        let token = made.body["token"].as_str().unwrap();
        assert!(token.len() >= 40);
        // The list never shows the token.
        let listed = server.get(&ann, &path).await.body.to_string();
        assert!(
            !listed.contains(token) && !listed.contains("token"),
            "{listed}"
        );

        let eve = somebody(&server, "eve");
        let by_token = |who: crate::server::Person, token: String| {
            let server = &server;
            async move {
                server
                    .post(&who, "/invitations/accept", json!({ "token": token }))
                    .await
            }
        };
        assert_eq!(by_token(eve.clone(), token.to_owned()).await.status, 404);
        let id = made.body["id"].as_str().unwrap();
        let foreign = server
            .post(&eve, &format!("/invitations/{id}/accept"), json!({}))
            .await;
        assert_eq!(foreign.status, 403, "{foreign:?}");
        let bob = somebody(&server, "bob");
        assert_eq!(server.list(&bob, "/invitations").await[0]["id"], json!(id));
        assert_eq!(by_token(bob.clone(), "x".repeat(43)).await.status, 404);
        assert_eq!(by_token(bob.clone(), token.to_owned()).await.status, 200);
        assert_eq!(by_token(bob.clone(), token.to_owned()).await.status, 409);

        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_those_who_run_a_company_invite_revoke_and_remove() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let acme = company(&server, &ann).await;
        let bob = join(&server, &ann, &acme, "bob").await;
        let path = format!("/companies/{acme}/invitations");
        let refused = server
            .post(&bob, &path, json!({ "email": "x@example.com" }))
            .await;
        assert_eq!(refused.status, 403, "{refused:?}");
        let made = server
            .post(
                &ann,
                &path,
                json!({ "email": "x@example.com", "role": "admin" }),
            )
            .await;
        // Invitations are visible only to those who may invite.
        let told = server.get(&bob, &path).await;
        assert_eq!(told.status, 403, "{told:?}");
        assert!(!told.body.to_string().contains("x@example.com"), "{told:?}");
        assert_eq!(server.list(&ann, &path).await[0]["email"], "x@example.com");
        let invitation = format!("{path}/{}", made.body["id"].as_str().unwrap());
        let delete = |who: &crate::server::Person, path: String| {
            let (server, who) = (&server, who.clone());
            async move {
                server
                    .send(Method::DELETE, &path, Some(&who), None)
                    .await
                    .status
            }
        };
        assert_eq!(delete(&bob, invitation.clone()).await, 403);
        assert_eq!(delete(&ann, invitation.clone()).await, 204);
        assert_eq!(delete(&ann, invitation).await, 404);
        let member = |id: &str| format!("/companies/{acme}/members/{id}");
        let (ann_id, bob_id) = (profile(&server, &ann).await, profile(&server, &bob).await);
        assert_eq!(delete(&bob, member(&ann_id)).await, 403);
        assert_eq!(delete(&ann, member(&ann_id)).await, 409);
        assert_eq!(delete(&ann, member(&bob_id)).await, 204);
        assert_eq!(delete(&ann, member(&bob_id)).await, 404);
        // Changes to the company are in the audit of those who run it.
        let audit = server.get(&ann, &format!("/audit?company_id={acme}")).await;
        let done: Vec<&str> = audit.body["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["tool"].as_str().unwrap())
            .collect();
        for what in [
            "found_company",
            "invite_member",
            "accept_invitation",
            "revoke_invitation",
            "remove_member",
        ] {
            assert!(done.contains(&what), "{what}: {done:?}");
        }
        let bobs = server.get(&bob, &format!("/audit?company_id={acme}")).await;
        let seen: Vec<&Value> = bobs.body["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| &row["tool"])
            .collect();
        assert_eq!(seen, ["accept_invitation"], "{bobs:?}");
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn feedback_is_visible_to_its_author_only() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let acme = company(&server, &ann).await;
        let bob = join(&server, &ann, &acme, "bob").await;
        let id = shared_conversation(&server, &bob, &acme).await;
        server.model.script([say("Here you are.").usage(700, 50)]);
        let said = server
            .post(
                &bob,
                &format!("/conversations/{id}/messages"),
                json!({ "content": "Hello" }),
            )
            .await;
        assert_eq!(said.status, 201, "{said:?}");
        let answer = said.body["agent_message"]["id"].as_str().unwrap();
        let path = format!("/messages/{answer}/feedback");
        assert_eq!(server.get(&bob, &path).await.status, 404);
        let up = server
            .post(&bob, &path, json!({ "rating": "up", "comment": "good" }))
            .await;
        assert_eq!(up.status, 200, "{up:?}");
        let down = server.post(&bob, &path, json!({ "rating": "down" })).await;
        assert_eq!(down.body["comment"], json!(null));
        assert_eq!(server.get(&bob, &path).await.body["rating"], "down");
        assert_eq!(server.get(&ann, &path).await.status, 404);
        // The history shows each reader their own feedback and nobody else's.
        for order in ["oldest", "newest"] {
            let history = format!("/conversations/{id}/messages?order={order}");
            let bobs = server.get(&bob, &history).await.body;
            assert_eq!(bobs["items"][1]["rating"], "down", "{bobs}");
            assert!(bobs["items"][0].get("rating").is_none(), "{bobs}");
            let anns = server.get(&ann, &history).await.body;
            assert!(anns["items"][1].get("rating").is_none(), "{anns}");
        }
        let eve = somebody(&server, "eve");
        assert_eq!(
            server
                .post(&eve, &path, json!({ "rating": "up" }))
                .await
                .status,
            403
        );
        assert_eq!(
            server
                .post(&bob, &path, json!({ "rating": "sideways" }))
                .await
                .status,
            422
        );
        let question = said.body["user_message"]["id"].as_str().unwrap();
        let own = server
            .post(
                &bob,
                &format!("/messages/{question}/feedback"),
                json!({ "rating": "up" }),
            )
            .await;
        assert_eq!(own.status, 409, "{own:?}");
        assert_eq!(
            server
                .send(Method::DELETE, &path, Some(&bob), None)
                .await
                .status,
            204
        );
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_ends_after_seven_days() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let acme = company(&server, &ann).await;
        let path = format!("/companies/{acme}/invitations");
        let late = server
            .post(&ann, &path, json!({ "email": "cat@example.com" }))
            .await;
        let late = late.body["id"].as_str().unwrap().to_owned();
        server.clock.advance(Duration::from_secs(7 * 24 * 3600));
        let cat = somebody(&server, "cat");
        let expired = server
            .post(&cat, &format!("/invitations/{late}/accept"), json!({}))
            .await;
        assert_eq!(expired.status, 409, "{expired:?}");
        assert!(
            expired.body["error"]["message"]
                .as_str()
                .unwrap()
                .contains("expired")
        );
        assert!(server.list(&cat, "/invitations").await.is_empty());
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn usage_is_visible_to_its_person_and_company_admins() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let acme = company(&server, &ann).await;
        let bob = join(&server, &ann, &acme, "bob").await;
        let eve = somebody(&server, "eve");
        let id = shared_conversation(&server, &bob, &acme).await;
        server.model.script([say("Here you are.").usage(700, 50)]);
        let path = format!("/conversations/{id}/messages");
        let said = server
            .post(&bob, &path, json!({ "content": "Hello" }))
            .await;
        assert_eq!(said.status, 201, "{said:?}");
        let total = |who: &crate::server::Person, query: &str| {
            let (server, who, query) = (&server, who.clone(), query.to_owned());
            async move {
                let usage = server.get(&who, &format!("/usage{query}")).await;
                assert_eq!(usage.status, 200, "{usage:?}");
                usage.body["total"]["input_tokens"].as_u64().unwrap()
            }
        };
        assert_eq!(total(&bob, "").await, 700);
        // Ann runs the company; Eve is not a member.
        assert_eq!(total(&ann, &format!("?company_id={acme}")).await, 700);
        assert_eq!(total(&ann, "?assistant=other").await, 0);
        assert_eq!(total(&eve, "").await, 0);
        let operator = signed(&server, &claims(&server, "op", &["Operator"]));
        assert_eq!(total(&operator, "").await, 700);
        let foreign = server.get(&eve, &format!("/usage?company_id={acme}")).await;
        assert_eq!(foreign.status, 403, "{foreign:?}");
        for bad in [
            "?from=2026-13-01",
            "?from=2020-01-01&to=2026-01-01",
            "?from=2026-02-01&to=2026-01-01",
            "?who=x",
        ] {
            assert_eq!(
                server.get(&ann, &format!("/usage{bad}")).await.status,
                422,
                "{bad}"
            );
        }
        server.stop().await;
    }
}

//! Two workspaces with two gigs each, and people in none, one and both: every route, everyone.

use frontdesk_core::access::{CompanyRole, Principal};
use frontdesk_core::env::Env;
use frontdesk_core::id::CompanyId;
use frontdesk_db::{Claims, DbError};
use frontdesk_testkit::model_server::{ModelServer, say};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::HashMap;
use uuid::Uuid;

use super::{gig, join, people, recruiter, respond, token, workspace};
use crate::harness::{BOTH, Backing, TestApp};
use crate::server::TestServer;

const ROUTES: [(&str, &str); 7] = [
    ("GET", ""),
    ("GET", "/candidates"),
    ("GET", "/chat"),
    ("PUT", "/chat"),
    ("POST", "/chat"),
    ("DELETE", "/chat"),
    ("GET", "/chat?limit=3"),
];
const MARKS: [&str; 4] = ["Альф", "Бет", "Гамм", "Дельт"];

async fn stage(backing: Backing) -> (TestServer, [Uuid; 4]) {
    let model = ModelServer::start().await;
    model.otherwise(say(r#"{"message": "Готово"}"#));
    let test = TestApp::start(backing, &model.url()).await;
    let app = &test.app;
    let (none, first, second, both) = (
        recruiter(app, "none").await,
        recruiter(app, "first").await,
        recruiter(app, "second").await,
        recruiter(app, "both").await,
    );
    let one = workspace(app, &first, "Первая").await;
    let two = workspace(app, &second, "Вторая").await;
    join(app, one, &both).await;
    join(app, two, &both).await;
    let gigs = [
        gig(app, &first, one, "Альфа").await,
        gig(app, &first, one, "Бета").await,
        gig(app, &second, two, "Гамма").await,
        gig(app, &second, two, "Дельта").await,
    ];
    for (at, mark) in MARKS.iter().enumerate() {
        let owner = if at < 2 { &first } else { &second };
        assert_eq!(
            respond(app, owner, gigs[at], &people(mark, 3)).await,
            (3, 0)
        );
        // A second import adds nothing.
        assert_eq!(
            respond(app, owner, gigs[at], &people(mark, 3)).await,
            (0, 3)
        );
    }
    let tokens = HashMap::from([
        ("none".to_owned(), token(app, &none)),
        ("first".to_owned(), token(app, &first)),
        ("second".to_owned(), token(app, &second)),
        ("both".to_owned(), token(app, &both)),
    ]);
    (TestServer::serve(test, model, tokens).await, gigs)
}

/// Whether a person may see the gig with this index.
fn may(who: &str, gig: usize) -> bool {
    match who {
        "both" => true,
        "first" => gig < 2,
        "second" => gig >= 2,
        _ => false,
    }
}

// design: 004 tables of gigs, property 8, error 403, error 404, unit access, unit no access
// design: 004 unit unknown gig
#[tokio::test(flavor = "multi_thread")]
async fn every_route_gives_everyone_what_is_theirs() {
    for backing in BOTH {
        let (server, gigs) = stage(backing).await;
        for who in ["none", "first", "second", "both"] {
            let person = server.sign_in(who);
            let listed = server.get(&person, "/gigs").await.body;
            let seen: Vec<&str> = listed["items"]
                .as_array()
                .unwrap()
                .iter()
                .map(|gig| gig["id"].as_str().unwrap())
                .collect();
            for (at, gig) in gigs.iter().enumerate() {
                assert_eq!(
                    seen.contains(&gig.to_string().as_str()),
                    may(who, at),
                    "{who} {at}"
                );
                for (verb, path) in ROUTES {
                    let body = (verb == "POST").then(|| json!({ "message": "Кто лучший?" }));
                    let verb: Method = verb.parse().unwrap();
                    let answer = server
                        .send(
                            verb.clone(),
                            &format!("/gigs/{gig}{path}"),
                            Some(&person),
                            body,
                        )
                        .await;
                    let expected = if may(who, at) { 200 } else { 403 };
                    assert_eq!(
                        answer.status.as_u16(),
                        expected,
                        "{backing:?} {who} {verb} {at}{path}: {answer:?}"
                    );
                    let told = answer.body.to_string();
                    if !may(who, at) {
                        assert_eq!(
                            answer.body["error"]["message"],
                            "Нет доступа к этому заданию"
                        );
                    }
                    for (other, mark) in MARKS.iter().enumerate() {
                        assert!(
                            other == at || !told.contains(&format!("{mark}ов")),
                            "{who} {path}: {told}"
                        );
                    }
                    assert!(
                        !told.contains("КОНТАКТ") && !told.contains("kontakt"),
                        "{told}"
                    );
                }
            }
            check_unknown_gig(&server, who).await;
        }
        unsigned(&server, gigs[0]).await;
        captured(&server, gigs);
        server.stop().await;
    }
}

/// A chat about a gig is visible to its own person only, through every API, while they are in the
/// gig's workspace.
// design: 004 session cascade
#[tokio::test(flavor = "multi_thread")]
async fn a_chat_is_its_persons_alone_and_follows_the_gig() {
    for backing in BOTH {
        let scene = super::scene(backing, 3).await;
        scene.model.otherwise(say(r#"{"message": "Тайна"}"#));
        let app = &scene.test.app;
        let colleague = recruiter(app, "colleague").await;
        join(app, scene.workspace, &colleague).await;
        let (workspace, db) = (scene.workspace, app.db.clone());
        let rita = scene.who.clone();
        let (server, gig) = scene.serve(&[("colleague", &colleague)]).await;
        let chat = format!("/gigs/{gig}/chat");
        let said = json!({ "message": "Кто лучший?" });
        let [own, other] = ["colleague", "rita"].map(|name| server.sign_in(name));
        let sent = server.post(&own, &chat, said.clone()).await;
        assert_eq!(sent.status.as_u16(), 200, "{sent:?}");
        let session = sent.body["metadata"]["sessionId"].as_str().unwrap();
        let paths = [
            format!("/conversations/{session}"),
            format!("/conversations/{session}/messages"),
        ];
        // The workspace's owner can neither read, continue nor list it.
        let foreign = json!({ "content": "Привет" });
        for path in &paths {
            assert_eq!(server.get(&own, path).await.status.as_u16(), 200);
            assert_eq!(server.get(&other, path).await.status.as_u16(), 403);
        }
        assert_eq!(
            server
                .post(&other, &paths[1], foreign)
                .await
                .status
                .as_u16(),
            403
        );
        let listed = server.get(&other, "/conversations").await.body.to_string();
        assert!(!listed.contains(session), "{listed}");

        // The subject is checked and determines the conversation's company.
        for (subject, status) in [(Uuid::now_v7(), 404), (gig, 201)] {
            let new = json!({ "assistant": "gig", "subject": subject });
            let made = server.post(&other, "/conversations", new).await;
            assert_eq!(made.status.as_u16(), status, "{made:?}");
            if status == 201 {
                assert_eq!(made.body["company_id"], json!(workspace));
            }
        }

        server
            .store
            .remove_member(workspace, colleague.profile())
            .await
            .unwrap();
        for path in paths.iter().chain([&chat]) {
            assert_eq!(server.get(&own, path).await.status.as_u16(), 403, "{path}");
        }
        let listed = server.get(&own, "/conversations").await.body.to_string();
        assert!(!listed.contains(session), "{listed}");
        let refused = server.post(&own, &chat, said).await;
        assert_eq!(refused.status.as_u16(), 403, "{refused:?}");
        let new = json!({ "assistant": "gig", "subject": gig });
        let refused = server.post(&own, "/conversations", new).await;
        assert_eq!(refused.status.as_u16(), 403, "{refused:?}");

        // Deleting the gig deletes its chats, whoever owns them.
        db.write::<_, DbError, _>(&Claims::subject(rita.subject()), move |tx| {
            Box::pin(async move {
                tx.execute("DELETE FROM gigs WHERE id = $1", &[gig.into()])
                    .await
            })
        })
        .await
        .unwrap();
        join_again(&server, workspace, &colleague).await;
        for path in &paths {
            assert_eq!(server.get(&own, path).await.status.as_u16(), 404, "{path}");
        }
        server.stop().await;
    }
}

async fn join_again(server: &TestServer, workspace: CompanyId, who: &Principal) {
    let now = server.clock.now();
    let store = &server.store;
    store
        .add_member(workspace, who.profile(), CompanyRole::Member, now)
        .await
        .unwrap();
}

/// An unknown gig is 404 for everyone who is signed in.
async fn check_unknown_gig(server: &TestServer, who: &str) {
    let person = server.sign_in(who);
    for (verb, path) in ROUTES {
        let body = (verb == "POST").then(|| json!({ "message": "?" }));
        let path = format!("/gigs/{}{path}", Uuid::now_v7());
        let answer = server
            .send(verb.parse().unwrap(), &path, Some(&person), body)
            .await;
        assert_eq!(answer.status.as_u16(), 404, "{who} {verb} {path}");
        assert_eq!(answer.body["error"]["message"], "Задание не найдено");
    }
}

async fn unsigned(server: &TestServer, gig: Uuid) {
    for (verb, path) in ROUTES {
        let path = format!("/gigs/{gig}{path}");
        let answer = server.send(verb.parse().unwrap(), &path, None, None).await;
        assert_eq!(answer.status.as_u16(), 401, "{verb} {path}");
    }
}

/// Each request to the model holds candidates of one gig, and no contact details.
fn captured(server: &TestServer, gigs: [Uuid; 4]) {
    let requests = server.model.requests();
    assert!(
        requests.len() >= 8,
        "every allowed message reached the model"
    );
    for request in requests {
        let body: Value = request.json();
        let text = body.to_string();
        let named: Vec<&str> = MARKS
            .iter()
            .copied()
            .filter(|mark| text.contains(&format!("{mark}ов")))
            .collect();
        assert_eq!(named.len(), 1, "one gig's candidates: {named:?}");
        assert!(
            !text.contains("КОНТАКТ") && !text.contains("kontakt"),
            "contacts reached the model"
        );
    }
    assert_eq!(gigs.len(), MARKS.len());
}

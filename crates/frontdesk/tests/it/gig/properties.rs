//! The design's properties that need the whole product. Each case is made by proptest and goes
//! through the real database; there are a hundred of each.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use chrono::TimeDelta;
use frontdesk_core::env::Env;
use frontdesk_testkit::model_server::say;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Scene, gig, people, recruiter, respond, scene, workspace};
use crate::harness::{BOTH, Backing};
use crate::server::TestServer;

const CASES: usize = 100;

/// A hundred values of a strategy, the same in every run.
fn cases<S: Strategy>(strategy: S) -> Vec<S::Value> {
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        proptest::test_runner::TestRng::deterministic_rng(
            proptest::test_runner::RngAlgorithm::ChaCha,
        ),
    );
    (0..CASES)
        .map(|_| strategy.new_tree(&mut runner).unwrap().current())
        .collect()
}

fn text() -> impl Strategy<Value = String> {
    "[А-Яа-яA-Za-z0-9 ?!,.😀-😅]{1,60}".prop_filter("not blank", |text| !text.trim().is_empty())
}

async fn on(scene: Scene) -> (TestServer, Uuid) {
    let (server, gig) = scene.serve(&[]).await;
    (server, gig)
}

/// Feature: gig-ai-chat. Property 1: session creation with correct references, the same session on
/// the next opening. Validates: Requirements 1.1, 1.2.
// design: 004 table gig_chat_sessions, session unique, property 1, property tests
#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_one_for_each_gig_and_person() {
    let scene = scene(Backing::Sqlite, 0).await;
    let app = &scene.test.app;
    let mut people = vec![("rita", scene.who.clone())];
    for name in ["user1", "user2", "user3"] {
        let who = recruiter(app, name).await;
        super::join(app, scene.workspace, &who).await;
        people.push((name, who));
    }
    let mut gigs = vec![scene.gig];
    for number in 0..5 {
        gigs.push(
            gig(
                app,
                &scene.who,
                scene.workspace,
                &format!("Задание {number}"),
            )
            .await,
        );
    }
    let db = app.db.clone();
    let listed: Vec<(&'static str, &frontdesk_core::access::Principal)> =
        people[1..].iter().map(|(name, who)| (*name, who)).collect();
    let (server, _) = scene.serve(&listed).await;
    let mut seen: HashMap<(usize, usize), Value> = HashMap::new();
    for (person, gig) in cases((0..people.len(), 0..gigs.len())) {
        let who = server.sign_in(people[person].0);
        let opened = server
            .send(
                Method::PUT,
                &format!("/gigs/{}/chat", gigs[gig]),
                Some(&who),
                None,
            )
            .await;
        assert_eq!(opened.status, StatusCode::OK, "{opened:?}");
        let id = opened.body["sessionId"].clone();
        assert_eq!(*seen.entry((person, gig)).or_insert_with(|| id.clone()), id);
    }
    let different: BTreeSet<String> = seen.values().map(ToString::to_string).collect();
    assert_eq!(different.len(), seen.len(), "nobody shares a session");
    // The view shows the references that the design's table has.
    let rows = db
        .read::<_, frontdesk_db::DbError, _>(
            &frontdesk_db::Claims::subject(people[0].1.subject()),
            |tx| {
                Box::pin(async move {
                    tx.rows("SELECT id, gig_id, user_id FROM gig_chat_sessions", &[])
                        .await
                })
            },
        )
        .await
        .unwrap();
    assert_eq!(rows.len(), seen.len());
    for row in &rows {
        let (id, gig, user): (Uuid, Uuid, Uuid) = (
            row.get("id").unwrap(),
            row.get("gig_id").unwrap(),
            row.get("user_id").unwrap(),
        );
        let person = people
            .iter()
            .position(|(_, who)| who.profile().uuid() == user)
            .unwrap();
        let gig = gigs.iter().position(|one| *one == gig).unwrap();
        assert_eq!(seen[&(person, gig)], json!(id));
    }
    server.stop().await;
}

/// Feature: gig-ai-chat. Property 2: message persistence round-trip, in order. Validates:
/// Requirements 1.3, 9.3. And Property 3: history never exceeds 50. Validates: Requirements 1.4.
// design: 004 property 2, property 3
#[tokio::test(flavor = "multi_thread")]
async fn what_was_said_is_read_again_in_order_and_at_most_fifty() {
    for backing in BOTH {
        let (server, gig) = on(scene(backing, 1).await).await;
        let rita = server.sign_in("rita");
        let path = format!("/gigs/{gig}/chat");
        let mut said: Vec<String> = Vec::new();
        for (number, (question, answer)) in cases((text(), text())).into_iter().enumerate() {
            if number % 19 == 18 {
                server.clock.advance(Duration::from_secs(61));
            }
            server.model.script([say(answer.as_str())]);
            let sent = server
                .post(&rita, &path, json!({ "message": question }))
                .await;
            assert_eq!(sent.status, StatusCode::OK, "{question:?}: {sent:?}");
            said.extend([question, sent.body["message"].as_str().unwrap().to_owned()]);
            let history = server.get(&rita, &path).await.body;
            let found: Vec<&str> = history["messages"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one["content"].as_str().unwrap())
                .collect();
            let from = said.len().saturating_sub(50);
            assert_eq!(found, said[from..]);
            assert_eq!(history["hasMore"], said.len() > 50);
        }
        server.stop().await;
    }
}

/// Feature: gig-ai-chat. Property 6: authorization access control, 403 and no data. Validates:
/// Requirements 10.4, 14.1, 14.2, 14.3.
// design: 004 unit no access
#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_not_in_the_workspace_gets_403_and_nothing_else() {
    let scene = scene(Backing::Sqlite, 5).await;
    let stranger = recruiter(&scene.test.app, "stranger").await;
    workspace(&scene.test.app, &stranger, "Чужая").await;
    let (server, gig) = scene.serve(&[("stranger", &stranger)]).await;
    let who = server.sign_in("stranger");
    for (verb, message) in cases((0usize..6, text())) {
        let (verb, path, body) = match verb {
            0 => (Method::GET, "", None),
            1 => (Method::GET, "/candidates", None),
            2 => (Method::GET, "/chat", None),
            3 => (Method::PUT, "/chat", None),
            4 => (Method::DELETE, "/chat", None),
            _ => (Method::POST, "/chat", Some(json!({ "message": message }))),
        };
        let answer = server
            .send(verb, &format!("/gigs/{gig}{path}"), Some(&who), body)
            .await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN);
        assert!(!answer.body.to_string().contains("Студийн"), "{answer:?}");
    }
    assert_eq!(server.model.request_count(), 0, "no model was asked");
    server.stop().await;
}

/// Feature: gig-ai-chat. Property 7: response schema validation. Validates: Requirements 10.6. And
/// Property 8: only candidates of this gig are mentioned. Validates: Requirements 14.4.
// design: 004 AIResponseParser, aiChatResponseSchema.message, aiChatResponseSchema.quickReplies
// design: 004 aiChatResponseSchema.candidatesMentioned, aiChatResponseSchema.analysisType
// design: 004 property 7, property 8, unit parser
#[tokio::test(flavor = "multi_thread")]
async fn answers_have_their_form_and_name_nobody_else() {
    let scene = scene(Backing::Sqlite, 4).await;
    let app = &scene.test.app;
    let other = gig(app, &scene.who, scene.workspace, "Другое задание").await;
    respond(app, &scene.who, other, &people("Чуж", 4)).await;
    let (server, gig) = scene.serve(&[]).await;
    let rita = server.sign_in("rita");
    let ids = async |gig: Uuid| {
        let page = server
            .get(&rita, &format!("/gigs/{gig}/candidates"))
            .await
            .body;
        let all = page["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["id"].as_str().unwrap().to_owned());
        all.collect::<Vec<String>>()
    };
    let (own, foreign) = (ids(gig).await, ids(other).await);
    let reply = (
        text(),
        prop::collection::vec(text(), 0..8),
        prop::collection::vec(0usize..8, 0..5),
        0usize..3,
    );
    for (number, (message, replies, mentioned, form)) in cases(reply).into_iter().enumerate() {
        if number % 19 == 18 {
            server.clock.advance(Duration::from_secs(61));
        }
        let named: Vec<&String> = mentioned
            .iter()
            .map(|at| own.iter().chain(&foreign).nth(*at).unwrap())
            .collect();
        let object = json!({
            "message": message,
            "quickReplies": replies,
            "candidatesMentioned": named,
            "analysisType": "ranking",
        });
        let text = match form {
            0 => object.to_string(),
            1 => format!("```json\n{object}\n```"),
            _ => message.clone(),
        };
        server.model.script([say(text.as_str()).deltas_of(7)]);
        let sent = server
            .post(
                &rita,
                &format!("/gigs/{gig}/chat"),
                json!({ "message": "Кто лучший?" }),
            )
            .await;
        assert_eq!(sent.status, StatusCode::OK, "{text}: {sent:?}");
        let said = sent.body["message"].as_str().unwrap();
        assert!(said.contains(message.trim()), "{text} became {said}");
        assert!(!said.contains("quickReplies"), "no JSON is shown: {said}");
        assert!(sent.body["quickReplies"].as_array().unwrap().len() <= 4);
        assert!(sent.body["metadata"].is_object());
        let kind = &sent.body["metadata"]["analysisType"];
        assert_eq!(
            kind,
            &if form < 2 {
                json!("ranking")
            } else {
                json!(null)
            }
        );
        let kept = sent.body["metadata"]["candidatesMentioned"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        assert!(
            kept.iter().all(|id| own.iter().any(|known| id == known)),
            "{kept:?}"
        );
    }
    server.stop().await;
}

/// Feature: gig-ai-chat. Property 9: rate limiting, 20 messages in a minute. Validates:
/// Requirements 12.4.
// design: 004 property 9
#[tokio::test(flavor = "multi_thread")]
async fn no_minute_has_more_than_twenty_messages() {
    let (server, gig) = on(scene(Backing::Sqlite, 0).await).await;
    let rita = server.sign_in("rita");
    server.model.otherwise(say("Да"));
    let mut taken = Vec::new();
    for (number, wait) in cases(0u64..8).into_iter().enumerate() {
        server.clock.advance(Duration::from_secs(wait));
        let before = server.clock.now();
        let answer = server
            .post(
                &rita,
                &format!("/gigs/{gig}/chat"),
                json!({ "message": format!("Вопрос {number}") }),
            )
            .await;
        let after = server.clock.now();
        // The clock goes on while a message travels: the server counted at some moment between.
        let minute = TimeDelta::minutes(1);
        let surely = taken.iter().filter(|(from, _)| after - *from < minute);
        let perhaps = taken.iter().filter(|(_, until)| before - *until < minute);
        let (surely, perhaps) = (surely.count(), perhaps.count());
        let status = answer.status.as_u16();
        let is_right = match status {
            200 => surely < 20,
            429 => perhaps >= 20,
            _ => false,
        };
        assert!(is_right, "{status} after {surely} to {perhaps} in a minute");
        if status == 200 {
            taken.push((before, after));
        }
    }
    assert!(taken.len() > 20);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn members_of_a_workspace_share_its_gigs_but_not_their_chats() {
    let scene = scene(Backing::Sqlite, 1).await;
    let colleague = recruiter(&scene.test.app, "colleague").await;
    super::join(&scene.test.app, scene.workspace, &colleague).await;
    let (server, gig) = scene.serve(&[("colleague", &colleague)]).await;
    server.model.otherwise(say("Да"));
    let path = format!("/gigs/{gig}/chat");
    server
        .post(&server.sign_in("rita"), &path, json!({ "message": "Моё" }))
        .await;
    let theirs = server.get(&server.sign_in("colleague"), &path).await.body;
    assert_eq!(
        (&theirs["messages"], &theirs["sessionId"]),
        (&json!([]), &Value::Null)
    );
    server.stop().await;
}

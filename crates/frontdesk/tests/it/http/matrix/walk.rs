//! Access depends on current membership: every operation of the matrix, called by a person who
//! started the conversation and left the company, by colleagues of a person whose conversation is
//! about a subject, and by a stranger. All get exactly the stranger's responses.

use chrono::Utc;
use frontdesk_core::access::CompanyRole;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::cast::{Cast, Who};
use super::objects::{self, CANARY, Objects, Ownership, Stage};
use super::refusal_parts;
use super::rows::{Body, ROWS, Row};
use crate::harness::Backing;
use crate::server::{Answer, TestServer};

/// Ids of a conversation and everything in it.
fn ids(objects: &Objects) -> [&str; 7] {
    [
        &objects.conversation,
        &objects.turn,
        &objects.message,
        &objects.attachment,
        &objects.artifact,
        &objects.waiting,
        &objects.waiting_turn,
    ]
}

/// Whether a row requests an object of the conversation, by path or by body.
fn asks_for(row: &Row, objects: &Objects) -> bool {
    let path = (row.path)(row.operation, objects);
    let body = match (row.body)(objects, Ownership::Shared) {
        Body::None => String::new(),
        Body::Json(body) => body.to_string(),
        Body::File { conversation } => conversation,
    };
    let asked = format!("{path} {body}");
    ids(objects).iter().any(|id| asked.contains(id))
}

/// An audit row names a person's own actions and stays visible to them.
fn is_their_own_record(row: &Row) -> bool {
    row.operation == "GET /api/v1/audit"
}

/// Runs every row. `begun` are the company's objects that none of `people` may see.
async fn walk(server: &TestServer, cast: &Cast, begun: &Objects, people: &[Who]) -> Vec<String> {
    let stage = Stage::of(server, cast, begun.clone(), begun.clone());
    let mut wrong = Vec::new();
    let mut asked = 0;
    for row in ROWS {
        let stranger = stage.ask(row, cast, Who::Outsider, Ownership::Shared).await;
        for who in people {
            let answer = stage.ask(row, cast, *who, Ownership::Shared).await;
            let cell = format!("{} as {who:?}", row.label());
            wrong.extend(leaks(row, begun, &answer).map(|leak| format!("{cell}: {leak}")));
            if !asks_for(row, begun) {
                continue;
            }
            asked += 1;
            let both = [&answer, &stranger].map(|found| (found.status, refusal_parts(found)));
            if answer.status != StatusCode::FORBIDDEN || both[0] != both[1] {
                wrong.push(format!("{cell}: {} {}", answer.status, answer.body));
            }
        }
    }
    assert!(asked >= 20 * people.len(), "only {asked} rows ask for it");
    wrong
}

fn leaks(row: &Row, begun: &Objects, answer: &Answer) -> Option<String> {
    let body = answer.body.to_string();
    if body.contains(CANARY) {
        return Some(format!("tells what was said: {body}"));
    }
    let names = ids(begun).into_iter().find(|id| body.contains(id));
    match names {
        Some(id) if !is_their_own_record(row) => Some(format!("names {id}: {body}")),
        Some(_) | None => None,
    }
}

/// Contents of the conversation, as seen by a caller with access.
async fn contents(server: &TestServer, cast: &Cast, who: Who, objects: &Objects) -> Vec<Value> {
    let person = cast.person(who).unwrap();
    let mut found = Vec::new();
    for path in [
        format!("/conversations/{}", objects.conversation),
        format!("/conversations/{}/messages", objects.conversation),
        format!("/conversations/{}/artifacts", objects.conversation),
        format!(
            "/conversations/{}/turns/{}",
            objects.waiting, objects.waiting_turn
        ),
    ] {
        let answer = server.get(person, &path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
        found.push(without_authors(answer.body));
    }
    found
}

/// Removes author names, because one row renames the caller.
fn without_authors(mut body: Value) -> Value {
    let items = body.get_mut("items").and_then(Value::as_array_mut);
    for item in items.into_iter().flatten() {
        item["author"] = Value::Null;
    }
    body
}

async fn starter_who_left(backing: Backing) {
    let server = TestServer::start(backing).await;
    let cast = Cast::assemble(&server).await;
    server.model.otherwise_with(objects::reply);
    let left = cast.profile(&server, Who::ExMember).await;
    let store = &server.store;
    let member = CompanyRole::Member;
    store
        .add_member(cast.company, left, member, Utc::now())
        .await
        .unwrap();
    let begun = objects::begin(&server, &cast, Who::ExMember, Ownership::Shared, None).await;
    let mine = contents(&server, &cast, Who::ExMember, &begun).await;
    store.remove_member(cast.company, left).await.unwrap();

    let wrong = walk(&server, &cast, &begun, &[Who::ExMember]).await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));

    // Colleagues see it unchanged; the company's owner reassigns and deletes it.
    assert_eq!(contents(&server, &cast, Who::Member, &begun).await, mine);
    let path = format!("/conversations/{}", begun.conversation);
    let owner = cast.person(Who::Owner);
    let heir = cast.profile(&server, Who::Member).await;
    let give = |to: Value| server.send(Method::PATCH, &path, owner, Some(json!({ "owner": to })));
    let refused = give(json!(left)).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.body);
    let given = give(json!(heir)).await;
    assert_eq!(given.status, StatusCode::OK, "{}", given.body);
    assert_eq!(given.body["user_id"], json!(heir));
    let renamed = json!({ "title": "Kept" });
    let heir = cast.person(Who::Member);
    let renamed = server.send(Method::PATCH, &path, heir, Some(renamed)).await;
    assert_eq!(renamed.status, StatusCode::OK, "{}", renamed.body);
    for conversation in [&begun.conversation, &begun.waiting] {
        let path = format!("/conversations/{conversation}");
        let admin = cast.person(Who::Admin);
        let refused = server.send(Method::DELETE, &path, admin, None).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN);
        let deleted = server.send(Method::DELETE, &path, owner, None).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT, "{}", deleted.body);
    }
    server.model.abandon_script();
    server.stop().await;
}

async fn about_a_subject(backing: Backing) {
    let server = TestServer::start(backing).await;
    let cast = Cast::assemble(&server).await;
    server.model.otherwise_with(objects::reply);
    let about = Some("subject-1");
    let begun = objects::begin(&server, &cast, Who::Admin, Ownership::Shared, about).await;
    let mine = contents(&server, &cast, Who::Admin, &begun).await;
    let others = [
        Who::Member,
        Who::Owner,
        Who::MemberWithoutRole,
        Who::ExMember,
    ];
    let wrong = walk(&server, &cast, &begun, &others).await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(contents(&server, &cast, Who::Admin, &begun).await, mine);

    // The person loses access together with the membership in the subject's company.
    let admin = cast.profile(&server, Who::Admin).await;
    let store = &server.store;
    store.remove_member(cast.company, admin).await.unwrap();
    let wrong = walk(&server, &cast, &begun, &[Who::Admin]).await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    server.model.abandon_script();
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_former_member_loses_access_to_conversations_they_started_on_sqlite() {
    starter_who_left(Backing::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_former_member_loses_access_to_conversations_they_started_on_postgres() {
    starter_who_left(Backing::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_about_a_subject_is_private_on_sqlite() {
    about_a_subject(Backing::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_about_a_subject_is_private_on_postgres() {
    about_a_subject(Backing::Postgres).await;
}

//! Every operation × every caller × every object. The list of operations is the router's own: an
//! operation without a row here fails the test.

mod cast;
mod objects;
mod rls;
mod rows;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use frontdesk_testkit::model_server::ModelServer;
use serde_json::Value;

use cast::{Cast, Who};
use objects::{Ownership, Stage};
use rows::{ROWS, Row};

use crate::harness::{Backing, TestApp};
use crate::server::{Answer, TestServer};

/// "GET /api/v1/me" for each operation that the router has.
fn operations() -> BTreeSet<String> {
    let document = frontdesk::http::openapi();
    let mut found = BTreeSet::new();
    for (path, verbs) in document["paths"].as_object().unwrap() {
        for verb in verbs.as_object().unwrap().keys() {
            found.insert(format!("{} {path}", verb.to_uppercase()));
        }
    }
    found
}

// design: 002 file routes
#[test]
fn every_operation_has_a_row() {
    let rows: BTreeSet<String> = ROWS.iter().map(|row| row.operation.to_owned()).collect();
    assert_eq!(operations(), rows);
}

/// The routes an assistant describes before setup equal the ones it registers.
#[tokio::test(flavor = "multi_thread")]
async fn assistants_register_the_routes_they_describe() {
    let model = ModelServer::start().await;
    let test = TestApp::of(
        Backing::Sqlite,
        &model.url(),
        frontdesk_assistants::all,
        &[],
    )
    .await;
    let key = |method: &axum::http::Method, path: &str, id: &str| format!("{method} {path} {id}");
    let brought: BTreeSet<String> = test
        .app
        .routes
        .iter()
        .map(|route| key(&route.method, &route.path, route.id))
        .collect();
    let described: BTreeSet<String> = frontdesk_assistants::operations()
        .iter()
        .map(|route| key(&route.method, &route.path, route.id))
        .collect();
    assert_eq!(brought, described);
    assert!(test.app.routes.iter().all(|route| route.signed_in));
    test.app.close().await;
}

/// Code and message of a refusal, without the parts that vary.
fn refusal_parts(answer: &Answer) -> (Value, Value) {
    let error = &answer.body["error"];
    (error["code"].clone(), error["message"].clone())
}

async fn check(backing: Backing) {
    let server = TestServer::start(backing).await;
    let cast = Cast::assemble(&server).await;
    let mut stage = Stage::set(&server, &cast).await;
    let mut wrong = Vec::new();
    let mut cells = 0;
    for row in ROWS {
        let mut refusals: BTreeMap<u16, BTreeSet<String>> = BTreeMap::new();
        for ownership in Ownership::ALL {
            for who in Who::ALL {
                let expected = (row.expects)(who, ownership, backing);
                let answer = stage.ask(row, &cast, who, ownership).await;
                cells += 1;
                let status = answer.status.as_u16();
                let cell = format!("{} as {who:?} on {ownership:?}", row.label());
                if status != expected {
                    wrong.push(format!("{cell}: {status}, not {expected}: {}", answer.body));
                }
                if let Some(code) = who.refused_as()
                    && row.signed_in
                    && answer.body["error"]["code"] != code
                {
                    wrong.push(format!("{cell}: {} instead of {code}", answer.body));
                }
                if status >= 400 {
                    if answer.body.to_string().contains(objects::CANARY) {
                        wrong.push(format!("{cell}: a refusal leaks its object"));
                    }
                    if who == Who::Outsider {
                        let body = format!("{:?}", refusal_parts(&answer));
                        refusals.entry(status).or_default().insert(body);
                    }
                }
                if answer.status.is_success() && row.changes {
                    stage.renew(ownership).await;
                }
            }
        }
        // Refusals for different foreign objects are identical.
        for (status, bodies) in refusals {
            if bodies.len() > 1 {
                wrong.push(format!(
                    "{}: {status} has several bodies: {bodies:?}",
                    row.label()
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {cells} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert_eq!(cells, ROWS.len() * Ownership::ALL.len() * Who::ALL.len());
    stage.still_there().await;
    drop(stage);
    server.model.abandon_script();
    server.stop().await;
}

// design: promises B1
#[tokio::test(flavor = "multi_thread")]
async fn everyone_reaches_only_their_own_objects_on_sqlite() {
    check(Backing::Sqlite).await;
}

// design: promises B1
#[tokio::test(flavor = "multi_thread")]
async fn everyone_reaches_only_their_own_objects_on_postgres() {
    check(Backing::Postgres).await;
}

impl Row {
    fn label(&self) -> String {
        match self.variant {
            "" => self.operation.to_owned(),
            variant => format!("{} ({variant})", self.operation),
        }
    }
}

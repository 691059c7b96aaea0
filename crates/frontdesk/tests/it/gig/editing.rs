//! Gigs are created and edited by members of their workspace, over HTTP and from a file.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{recruiter, scene};
use crate::harness::BOTH;
use crate::http::replays::replay;

#[tokio::test(flavor = "multi_thread")]
async fn a_gig_is_created_edited_and_refused_field_by_field() {
    for backing in BOTH {
        let scene = scene(backing, 0).await;
        let stranger = recruiter(&scene.test.app, "stranger").await;
        let (server, _) = scene.serve(&[("stranger", &stranger)]).await;
        let [who, other] = ["rita", "stranger"].map(|name| server.sign_in(name));
        let new = json!({ "title": "Логотип", "type": "DESIGN", "budgetMax": 900, "budgetCurrency": "USD" });
        let created = server.post(&who, "/gigs", new.clone()).await;
        assert_eq!(created.status, StatusCode::CREATED, "{created:?}");
        let path = format!("/gigs/{}", created.body["id"].as_str().unwrap());
        let edit = json!({ "budgetMin": 100, "isActive": false });
        let edited = server
            .send(Method::PATCH, &path, Some(&who), Some(edit.clone()))
            .await;
        assert_eq!(edited.status, StatusCode::OK, "{edited:?}");
        let read = server.get(&who, &path).await.body;
        assert_eq!(read, edited.body);
        for (field, value) in [
            ("title", json!("Логотип")),
            ("type", json!("DESIGN")),
            ("budgetMin", json!(100)),
            ("budgetMax", json!(900)),
            ("budgetCurrency", json!("USD")),
            ("isActive", json!(false)),
            ("deadline", Value::Null),
        ] {
            assert_eq!(read[field], value, "{field}");
        }
        let wrong = json!({ "budgetMax": 50 });
        let wrong = server
            .send(Method::PATCH, &path, Some(&who), Some(wrong))
            .await;
        assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
        assert_eq!(
            wrong.body["error"]["message"],
            "budgetMax: не меньше budgetMin"
        );
        assert_eq!(server.get(&who, &path).await.body, read, "nothing changed");
        let foreign = server
            .send(Method::PATCH, &path, Some(&other), Some(edit))
            .await;
        assert_eq!(foreign.status, StatusCode::FORBIDDEN, "{foreign:?}");
        let nowhere = server.post(&other, "/gigs", new).await;
        assert_eq!(nowhere.status, StatusCode::BAD_REQUEST, "{nowhere:?}");
        let taken = json!({ "title": "x", "workspaceId": Uuid::now_v7() });
        let taken = server.post(&who, "/gigs", taken).await;
        assert_eq!(taken.status, StatusCode::FORBIDDEN, "{taken:?}");
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_request_creates_one_gig() {
    for backing in BOTH {
        let (server, _) = scene(backing, 0).await.serve(&[]).await;
        let who = server.sign_in("rita");
        let new = json!({ "title": "Логотип", "type": "DESIGN" });
        replay(&server, &who, "/gigs", new).await;
        let gigs = server.get(&who, "/gigs").await.body.to_string();
        // One for each of the two keys.
        assert_eq!(gigs.matches("Логотип").count(), 2, "{gigs}");
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_creates_a_gig_and_updates_it() {
    for backing in BOTH {
        let scene = scene(backing, 0).await;
        let (app, who) = (&scene.test.app, &scene.who);
        let import = async |file: Value| {
            let bytes = file.to_string();
            let report = app.imports["gig"].import(who, None, "gig.json", bytes.as_bytes());
            let report = report.await.unwrap();
            assert_eq!(report.refused, []);
            [report.new, report.changed, report.unchanged]
        };
        let one = json!({ "candidate_id": "a", "proposed_price": 10 });
        let file = json!({ "gig": { "title": "Из файла", "budgetMax": 100 }, "responses": [one] });
        assert_eq!(import(file.clone()).await, [2, 0, 0]);
        assert_eq!(import(file).await, [0, 0, 2]);
        let other = json!({ "candidate_id": "a", "proposed_price": 20 });
        let file = json!({ "gig": { "title": "Из файла" }, "responses": [other] });
        assert_eq!(import(file).await, [0, 1, 1]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_imported_row_by_row_over_http() {
    for backing in BOTH {
        let (server, gig) = scene(backing, 0).await.serve(&[]).await;
        let who = server.sign_in("rita");
        let path = format!("/gigs/{gig}/responses");
        let import = async |content: &str| {
            let file = json!({ "name": "r.csv", "content": content });
            let sent = server.post(&who, &path, file).await;
            (sent.status.as_u16(), sent.body)
        };
        let rows = "candidate_id;candidate_name;proposed_price\nk-1;Анна;10000\nk-2;Борис;дорого\n";
        let (status, report) = import(rows).await;
        assert_eq!(status, 200, "{report}");
        let problem = report["refused"][0]["problem"].as_str().unwrap();
        assert!(problem.contains("proposed_price"), "{problem}");
        assert_eq!(report["refused"][0]["row"], 2);
        assert_eq!(counts(&report), [1, 0, 0]);
        let (_, report) = import("candidate_id;proposed_price\nk-1;10000\n").await;
        assert_eq!(counts(&report), [0, 0, 1]);
        let (_, report) = import("candidate_id;proposed_price\nk-1;12000\n").await;
        assert_eq!(counts(&report), [0, 1, 0]);
        let (status, refused) = import("a,b\n\"x").await;
        assert_eq!(status, 400, "{refused}");
        let found = server.get(&who, &format!("/gigs/{gig}/candidates")).await;
        assert_eq!(found.body["total"], 1);
        assert_eq!(found.body["items"][0]["proposedPrice"], 12_000);
        server.stop().await;
    }
}

fn counts(report: &Value) -> [u64; 3] {
    ["new", "changed", "unchanged"].map(|kind| report[kind].as_u64().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_who_is_not_signed_in_reads_it_in_their_language() {
    let (server, gig) = scene(crate::harness::Backing::Sqlite, 0)
        .await
        .serve(&[])
        .await;
    for (language, words) in [
        ("ru", "Необходима авторизация"),
        ("en", "Sign in to do this"),
    ] {
        let url = format!("{}/api/v1/gigs/{gig}", server.url);
        let request = server.client.get(url).header("accept-language", language);
        let answer = crate::server::answer(request).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
        assert_eq!(answer.body["error"]["message"], words);
    }
    server.stop().await;
}

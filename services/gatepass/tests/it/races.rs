//! Concurrent users: numbers stay consecutive, and a decision is made once.

use std::collections::BTreeSet;

use chrono::{TimeZone, Utc};
use frontdesk_db::Value as DbValue;
use serde_json::json;

use crate::site::{JPEG, Kind, Site, on_both};

/// Runs `count` requests concurrently.
async fn at_once<T: Send + 'static, F>(count: usize, make: impl Fn(usize) -> F) -> Vec<T>
where
    F: Future<Output = T> + Send + 'static,
{
    let running: Vec<_> = (0..count).map(|index| tokio::spawn(make(index))).collect();
    let mut done = Vec::with_capacity(count);
    for task in running {
        done.push(task.await.unwrap());
    }
    done
}

// design: 003 GatePass.pass_number
#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_concurrent_creates_give_a_thousand_consecutive_numbers() {
    on_both(|site| async move {
        let hr = site.hr();
        let made = at_once(1_000, |index| {
            let body = json!({"person_name": format!("Person {index}"), "description": "Bank", "is_returnable": true});
            let request = hr.request(reqwest::Method::POST, "/hr/gatepass/create").json(&body);
            async move {
                let response = request.send().await.unwrap();
                assert_eq!(response.status(), 201);
                let pass: serde_json::Value = response.json().await.unwrap();
                pass["pass_number"].as_str().unwrap().to_owned()
            }
        })
        .await;
        let distinct: BTreeSet<u32> = made.iter().map(|number| number[8..].parse().unwrap()).collect();
        assert_eq!(distinct, (1..=1_000).collect::<BTreeSet<u32>>());
    })
    .await;
}

#[tokio::test]
async fn a_number_is_not_used_again_after_a_delete() {
    on_both(|site| async move {
        let (first, second) = (site.new_pass(true).await, site.new_pass(true).await);
        for number in [&first, &second] {
            assert_eq!(
                site.admin()
                    .post(&format!("/admin/gatepass/{number}/delete"), &json!({}))
                    .await
                    .status,
                200
            );
        }
        assert_eq!(site.new_pass(true).await[8..], *"0003");
    })
    .await;
}

#[tokio::test]
async fn past_9999_the_number_widens_and_still_works_everywhere() {
    on_both(|site| async move {
        let year = site.new_pass(true).await[3..7].to_owned();
        let counter = format!("numbers:{year}");
        let set = |value: i64| vec![DbValue::from(value), DbValue::from(&counter)];
        let sql = "UPDATE gatepass_counters SET value = $1 WHERE name = $2";
        site.sql(sql, set(9_998)).await;
        assert_eq!(site.new_pass(true).await, format!("GP-{year}-9999"));
        let wide = site.approved_pass(true).await;
        assert_eq!(wide, format!("GP-{year}-10000"));
        assert_eq!(site.guard().scan("exit", &wide, JPEG).await.status, 201);
        let list = site.hr().get("/hr/gatepass/list?limit=1").await.json();
        assert_eq!(
            list["items"][0]["pass_number"], *wide,
            "10000 is newer than 9999"
        );
        site.sql(sql, set(999_999)).await;
        let body = json!({"person_name": "A", "description": "B", "is_returnable": true});
        assert_eq!(
            site.hr()
                .post("/hr/gatepass/create", &body)
                .await
                .refused(503)
                .0,
            "UNAVAILABLE"
        );
    })
    .await;
}

#[tokio::test]
async fn the_year_in_a_number_is_the_sites_own_and_starts_anew() {
    // In Karachi it is already 1 a.m. on the first day of the next year.
    let site = Site::start_with(
        Kind::Sqlite,
        || Utc.with_ymd_and_hms(2026, 12, 31, 20, 0, 0).unwrap(),
        |_| {},
    )
    .await;
    let claims = json!({"sub": "p", "name": "Ayesha", "roles": ["HR_User"], "aud": "gatepass", "iss": "frontdesk", "exp": 1_798_747_260});
    let hr = site.with_token(crate::site::sign(&claims, crate::site::SECRET));
    let body = json!({"person_name": "A", "description": "B", "is_returnable": true});
    assert_eq!(
        hr.post("/hr/gatepass/create", &body).await.json()["pass_number"],
        "GP-2027-0001"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_simultaneous_decisions_one_wins() {
    on_both(|site| async move {
        for round in 0..10 {
            let number = site.new_pass(true).await;
            // Two approvals first, then approvals against rejections.
            let actions: &[&str] = if round < 5 {
                &["approve", "approve"]
            } else {
                &["approve", "reject", "approve", "reject"]
            };
            let admin = site.admin();
            let statuses = at_once(actions.len(), |index| {
                let path = format!("/admin/gatepass/{number}/{}", actions[index]);
                let request = admin
                    .request(reqwest::Method::POST, &path)
                    .json(&json!({"name": "Omar"}));
                async move { request.send().await.unwrap().status().as_u16() }
            })
            .await;
            let won = statuses.iter().filter(|status| **status == 200).count();
            let lost = statuses.iter().filter(|status| **status == 403).count();
            assert_eq!((won, lost), (1, actions.len() - 1), "{statuses:?}");
            let pass = site
                .admin()
                .get(&format!("/admin/gatepass/{number}"))
                .await
                .json();
            assert_eq!(
                pass["status_history"].as_array().unwrap().len(),
                2,
                "one decision is on record"
            );
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_simultaneous_scans_one_wins_and_one_photo_stays() {
    on_both(|site| async move {
        let number = site.approved_pass(true).await;
        let guard = site.guard();
        let statuses = at_once(6, |_| {
            let form = crate::site::scan_form(&number, JPEG);
            let request = guard
                .request(reqwest::Method::POST, "/gate/scan-exit")
                .multipart(form);
            async move { request.send().await.unwrap().status().as_u16() }
        })
        .await;
        assert_eq!(
            statuses.iter().filter(|status| **status == 201).count(),
            1,
            "{statuses:?}"
        );
        assert_eq!(
            statuses.iter().filter(|status| **status == 403).count(),
            5,
            "{statuses:?}"
        );
        assert_eq!(site.stored_photos(), 1);
        assert_eq!(site.count("gatepass_photos").await, 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_concurrent_repeats_of_one_request_create_one_pass() {
    on_both(|site| async move {
        let hr = site.hr();
        for round in 0..5 {
            let body = json!({"person_name": "Twin", "description": "Bank", "is_returnable": true});
            let answers = at_once(16, |_| {
                let request = hr
                    .request(reqwest::Method::POST, "/hr/gatepass/create")
                    .json(&body);
                let request = request.header("Idempotency-Key", format!("twins-{round}"));
                async move {
                    let response = request.send().await.unwrap();
                    (response.status().as_u16(), response.text().await.unwrap())
                }
            })
            .await;
            assert!(
                answers
                    .iter()
                    .all(|answer| *answer == answers[0] && answer.0 == 201),
                "{answers:?}"
            );
        }
        assert_eq!(site.count("gatepass_passes").await, 5);
        assert_eq!(site.count("gatepass_notifications").await, 5);
    })
    .await;
}

//! Idempotency keys: one effect and a replayed response, never across users or requests.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::site::{Answer, JPEG, Kind, Site, on_both, scan_form};

fn new_pass(person: &str) -> Value {
    json!({"person_name": person, "description": "Bank", "is_returnable": true})
}

// design: promises gaps of the designs
#[tokio::test]
async fn a_repeated_request_gets_the_first_answer_and_has_no_second_effect() {
    on_both(|site| async move {
        let first = site
            .hr()
            .post_keyed("/hr/gatepass/create", &new_pass("A"), "key-1")
            .await;
        let again = site
            .hr()
            .post_keyed("/hr/gatepass/create", &new_pass("A"), "key-1")
            .await;
        assert_eq!((first.status, &first.bytes), (again.status, &again.bytes));
        assert_eq!(
            (
                first.header("idempotent-replayed"),
                again.header("idempotent-replayed")
            ),
            ("", "true")
        );
        assert_eq!(site.count("gatepass_passes").await, 1);

        let number = first.json()["pass_number"].as_str().unwrap().to_owned();
        for action in ["approve", "delete"] {
            let path = format!("/admin/gatepass/{number}/{action}");
            let first = site
                .admin()
                .post_keyed(&path, &json!({"name": "O"}), "key-2")
                .await;
            assert_eq!(
                first.status, 200,
                "the same key on another route is another request"
            );
            let again = site
                .admin()
                .post_keyed(&path, &json!({"name": "O"}), "key-2")
                .await;
            assert_eq!(
                (first.status, &first.bytes),
                (again.status, &again.bytes),
                "{action}"
            );
        }
        assert_eq!(site.count("gatepass_status_changes").await, 3);
    })
    .await;
}

#[tokio::test]
async fn a_repeated_scan_is_the_same_scan_whatever_its_boundary() {
    on_both(|site| async move {
        let number = site.approved_pass(true).await;
        let scan = |photo: Vec<u8>| {
            let request = site
                .guard()
                .request(reqwest::Method::POST, "/gate/scan-exit");
            Answer::of(
                request
                    .multipart(scan_form(&number, &photo))
                    .header("Idempotency-Key", "scan-1"),
            )
        };
        let first = scan(JPEG.to_vec()).await;
        let again = scan(JPEG.to_vec()).await;
        assert_eq!((first.status.as_u16(), &first.bytes), (201, &again.bytes));
        assert_eq!(site.stored_photos(), 1);
        let other = scan([JPEG, b"tail"].concat()).await;
        assert_eq!(other.refused(422).0, "IDEMPOTENCY_KEY_REUSED");
        assert_eq!(site.stored_photos(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_key_belongs_to_one_request_of_one_person() {
    on_both(|site| async move {
        let first = site
            .hr()
            .post_keyed("/hr/gatepass/create", &new_pass("A"), "key")
            .await;
        let other = site
            .hr()
            .post_keyed("/hr/gatepass/create", &new_pass("B"), "key")
            .await;
        assert_eq!(other.refused(422).0, "IDEMPOTENCY_KEY_REUSED");
        let colleague = site
            .person("Colleague", &["HR_User"])
            .post_keyed("/hr/gatepass/create", &new_pass("A"), "key")
            .await;
        assert_ne!(colleague.json()["id"], first.json()["id"]);
        let second = site.new_pass(true).await;
        let number = first.json()["pass_number"].as_str().unwrap().to_owned();
        let approve = |number: &str| format!("/admin/gatepass/{number}/approve");
        assert_eq!(
            site.admin()
                .post_keyed(&approve(&number), &json!({}), "key")
                .await
                .status,
            200
        );
        assert_eq!(
            site.admin()
                .post_keyed(&approve(&second), &json!({}), "key")
                .await
                .refused(422)
                .0,
            "IDEMPOTENCY_KEY_REUSED"
        );
        let reordered = json!({"is_returnable": true, "description": "Bank", "person_name": "A"});
        assert_eq!(
            site.hr()
                .post_keyed("/hr/gatepass/create", &reordered, "key")
                .await
                .bytes,
            first.bytes,
            "order of fields is nothing"
        );
    })
    .await;
}

#[tokio::test]
async fn refusals_by_state_are_repeated_and_invalid_requests_are_forgotten() {
    on_both(|site| async move {
        let number = site.new_pass(true).await;
        let early = |key: &'static str| {
            let request = site
                .guard()
                .request(reqwest::Method::POST, "/gate/scan-exit");
            Answer::of(
                request
                    .multipart(scan_form(&number, JPEG))
                    .header("Idempotency-Key", key),
            )
        };
        assert_eq!(early("early").await.refused(403).0, "INVALID_STATE");
        site.admin()
            .post(&format!("/admin/gatepass/{number}/approve"), &json!({}))
            .await;
        assert_eq!(
            early("early").await.refused(403).0,
            "INVALID_STATE",
            "the first answer again"
        );
        assert_eq!(early("later").await.status, 201);

        let bad = json!({"person_name": "", "description": "Bank", "is_returnable": true});
        assert_eq!(
            site.hr()
                .post_keyed("/hr/gatepass/create", &bad, "fixable")
                .await
                .refused(422)
                .0,
            "VALIDATION_ERROR"
        );
        assert_eq!(
            site.hr()
                .post_keyed("/hr/gatepass/create", &new_pass("A"), "fixable")
                .await
                .status,
            201
        );
    })
    .await;
}

#[tokio::test]
async fn malformed_keys_are_refused() {
    let site = Site::start(Kind::Sqlite).await;
    let hr = site.hr();
    let long = "k".repeat(256);
    for key in ["", "\u{e9}", long.as_str()] {
        let request = hr
            .request(reqwest::Method::POST, "/hr/gatepass/create")
            .json(&new_pass("A"));
        let request = request.header(
            "Idempotency-Key",
            reqwest::header::HeaderValue::from_bytes(key.as_bytes()).unwrap(),
        );
        assert_eq!(
            Answer::of(request).await.refused(400).0,
            "BAD_REQUEST",
            "{key}"
        );
    }
    let request = hr
        .request(reqwest::Method::POST, "/hr/gatepass/create")
        .json(&new_pass("A"));
    let twice = request
        .header("Idempotency-Key", "a")
        .header("Idempotency-Key", "b");
    assert_eq!(Answer::of(twice).await.refused(400).0, "BAD_REQUEST");
    assert_eq!(
        hr.post_keyed("/hr/gatepass/create", &new_pass("A"), &long[1..])
            .await
            .status,
        201
    );
    assert_eq!(site.count("gatepass_passes").await, 1);
}

#[test]
fn each_key_and_request_has_one_effect() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let site = runtime.block_on(Site::start(Kind::Sqlite));
    let runs = std::sync::atomic::AtomicUsize::new(0);
    proptest!(ProptestConfig::with_cases(100), |(tries in proptest::collection::vec((0..3usize, 0..2usize, 0..2usize), 1..8))| {
        let run = runs.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        runtime.block_on(async {
            let mut first: std::collections::HashMap<(usize, usize), (usize, Vec<u8>)> = Default::default();
            for (key, person, body) in tries {
                let who = site.person(["P", "Q"][person], &["HR_User"]);
                let answer = who.post_keyed("/hr/gatepass/create", &new_pass(["A", "B"][body]), &format!("{run}-{key}")).await;
                match first.get(&(key, person)) {
                    None => {
                        assert_eq!(answer.status, 201);
                        first.insert((key, person), (body, answer.bytes));
                    }
                    Some((same, bytes)) if *same == body => assert_eq!(*bytes, answer.bytes),
                    Some(_) => assert_eq!(answer.status, 422),
                }
            }
            let made = format!("gatepass_requests WHERE key LIKE '{run}-%'");
            assert_eq!(site.count(&made).await as usize, first.len());
        });
    });
}

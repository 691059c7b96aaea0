//! A pass from request to return, as HR, admin and guard see it.

use serde_json::{Value, json};

use crate::site::{Answer, JPEG, Kind, Site, on_both};

fn statuses(pass: &Value) -> Vec<(String, String)> {
    let text = |change: &Value, name: &str| change[name].as_str().unwrap().to_owned();
    pass["status_history"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| (text(c, "status"), text(c, "changed_by")))
        .collect()
}

fn messages(inbox: &Value) -> Vec<String> {
    inbox["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n["type"].as_str().unwrap().to_owned())
        .collect()
}

// design: 003 POST /hr/gatepass/create, GET /hr/gatepass/{pass_id}
// design: 003 GET /hr/gatepass/{pass_number}/print, GET /admin/gatepass/{pass_number}
// design: 003 POST /admin/gatepass/{pass_number}/approve, GET /admin/gatepass/{pass_number}/print
// design: 003 POST /gate/scan-exit, POST /gate/scan-return
// design: 003 GET /gate/gatepass/number/{pass_number}, GET /gate/gatepass/id/{pass_id}
// design: 003 GET /gate/photos/{pass_number}, GatePass.id, GatePass.person_name, GatePass.status
// design: 003 GatePass.created_at, GatePass.approved_at, GatePass.exit_time, Notification.id
// design: 003 Notification.created_at, Notification.related_pass_id
#[tokio::test]
async fn a_pass_lives_from_request_to_return() {
    on_both(|site| async move {
        let (hr, admin, guard) = (site.hr(), site.admin(), site.guard());
        let body = json!({"person_name": "  Ali Khan ", "description": "Bank visit", "is_returnable": true});
        let created = hr.post("/hr/gatepass/create", &body).await;
        assert_eq!(created.status, 201);
        let pass = created.of_schema("GatePassDetail");
        let number = pass["pass_number"].as_str().unwrap().to_owned();
        let id = pass["id"].as_str().unwrap().to_owned();
        assert_eq!(pass["person_name"], "Ali Khan");
        assert_eq!(pass["status"], "pending");
        assert_eq!(pass["allowed_actions"], json!(["approve", "reject", "delete"]));
        assert_eq!(pass["qr_code_url"], format!("/qr/{number}"));

        let pending = admin.get("/admin/gatepass/pending").await.of_schema("GatePassList");
        assert_eq!(pending["items"][0]["pass_number"], *number);
        let refused = hr.get(&format!("/hr/gatepass/{number}/print")).await;
        assert_eq!(refused.refused(403).0, "INVALID_STATE");
        assert_eq!(refused.details()["current_status"], "pending");

        let approved = admin.post(&format!("/admin/gatepass/{number}/approve"), &json!({"name": "Somebody Else"})).await;
        let pass = approved.of_schema("GatePassDetail");
        assert_eq!((&pass["status"], &pass["approved_by"]), (&json!("approved"), &json!("Omar")), "the token's name counts");
        assert!(pass["approved_at"].is_string());

        let exited = guard.scan("exit", &number, JPEG).await;
        assert_eq!(exited.status, 201);
        let pass = exited.of_schema("GatePassDetail");
        assert_eq!(pass["status"], "exited");
        assert_eq!(pass["photos"][0]["type"], "exit");
        assert!(pass["exit_time"].is_string() && pass["return_time"].is_null());

        let returned = guard.scan("return", &number, JPEG).await.of_schema("GatePassDetail");
        assert_eq!(returned["status"], "returned");
        assert!(returned["return_time"].is_string());
        assert_eq!(returned["allowed_actions"], json!(["print"]));
        let by = |who: &str| who.to_owned();
        assert_eq!(
            statuses(&returned),
            [("pending", "Ayesha"), ("approved", "Omar"), ("exited", "Bilal"), ("returned", "Bilal")].map(|(s, w)| (by(s), by(w)))
        );

        // Every route that reads the pass returns the same data.
        for seen in [
            hr.get(&format!("/hr/gatepass/{id}")).await,
            hr.get(&format!("/hr/gatepass/{number}")).await,
            admin.get(&format!("/admin/gatepass/{number}")).await,
            guard.get(&format!("/gate/gatepass/number/{number}")).await,
            guard.get(&format!("/gate/gatepass/id/{id}")).await,
        ] {
            assert_eq!(seen.of_schema("GatePassDetail"), returned);
        }
        photos_and_print(&site, &number).await;

        let admins = admin.get("/notifications/admin").await.of_schema("NotificationList");
        assert_eq!(messages(&admins), ["pass_created"]);
        let office = hr.get("/notifications/hr").await.of_schema("NotificationList");
        assert_eq!(messages(&office), ["pass_returned", "pass_exited", "pass_approved"], "newest first");
        assert_eq!(office["unread"], 3);
        assert_eq!(office["items"][0]["related_pass_id"], *id);
    })
    .await;
}

async fn photos_and_print(site: &Site, number: &str) {
    let (hr, guard) = (site.hr(), site.guard());
    let photos = guard
        .get(&format!("/gate/photos/{number}"))
        .await
        .of_schema("PhotoList");
    assert_eq!(
        (&photos["total"], &photos["pass_number"]),
        (&json!(2), &json!(number))
    );
    let url = photos["photos"][0]["file_url"].as_str().unwrap();
    assert!(url.starts_with("/media/photo/"));
    let photo = guard.get(url).await;
    assert_eq!(photo.header("content-type"), "image/jpeg");
    assert_eq!(photo.header("x-content-type-options"), "nosniff");
    assert_eq!(
        photo.header("content-disposition"),
        format!("inline; filename=\"{number}-exit.jpg\"")
    );
    assert!(photo.header("content-security-policy").contains("sandbox"));
    assert!(image::load_from_memory(&photo.bytes).is_ok());
    assert!(
        !photo.bytes.windows(9).any(|window| window == b"SECRETCAM"),
        "no EXIF is served"
    );

    let printed = hr.get(&format!("/hr/gatepass/{number}/print")).await;
    assert_eq!(printed.header("content-type"), "application/pdf");
    assert!(printed.bytes.starts_with(b"%PDF-"));
    assert_eq!(
        site.admin()
            .get(&format!("/admin/gatepass/{number}/print"))
            .await
            .status,
        200
    );
}

fn qr_text(answer: &Answer) -> String {
    assert_eq!(answer.header("content-type"), "image/png");
    let picture = image::load_from_memory(&answer.bytes).unwrap().into_luma8();
    let mut prepared = rqrr::PreparedImage::prepare(picture);
    prepared.detect_grids()[0].decode().unwrap().1
}

// design: 003 GET /qr/{pass_number}, GatePass.qr_code_url
#[tokio::test]
async fn every_role_gets_a_qr_code_that_leads_to_the_page_of_the_pass() {
    let site = Site::start(Kind::Sqlite).await;
    let number = site.new_pass(true).await;
    for person in [site.hr(), site.admin(), site.guard()] {
        let code = person.get(&format!("/qr/{number}")).await;
        assert_eq!(
            qr_text(&code),
            format!("https://desk.example.com/gatepass?gid={number}")
        );
    }
    assert_eq!(
        site.hr().get("/qr/GP-2026-9999").await.refused(404).0,
        "NOT_FOUND"
    );
}

// design: 003 POST /admin/gatepass/{pass_number}/reject
#[tokio::test]
async fn a_rejected_pass_allows_no_further_action() {
    on_both(|site| async move {
        let number = site.new_pass(true).await;
        let rejected = site
            .admin()
            .post(&format!("/admin/gatepass/{number}/reject"), &json!({}))
            .await;
        let pass = rejected.of_schema("GatePassDetail");
        assert_eq!(pass["status"], "rejected");
        assert!(pass["approved_at"].is_null() && pass["approved_by"].is_null());
        for action in ["approve", "reject"] {
            let again = site
                .admin()
                .post(&format!("/admin/gatepass/{number}/{action}"), &json!({}))
                .await;
            assert_eq!(again.refused(403).0, "INVALID_STATE");
            assert_eq!(
                again.details()["allowed_actions"],
                json!(["delete", "print"])
            );
        }
        assert_eq!(
            site.guard()
                .scan("exit", &number, JPEG)
                .await
                .refused(403)
                .0,
            "INVALID_STATE"
        );
        assert_eq!(site.stored_photos(), 0, "a refused scan keeps no picture");
        assert_eq!(
            messages(&site.hr().get("/notifications/hr").await.json()),
            ["pass_rejected"]
        );
    })
    .await;
}

#[tokio::test]
async fn a_non_returnable_pass_is_never_scanned_back_in() {
    on_both(|site| async move {
        let number = site.approved_pass(false).await;
        assert_eq!(
            site.guard()
                .scan("return", &number, JPEG)
                .await
                .refused(403)
                .0,
            "INVALID_STATE"
        );
        assert_eq!(site.guard().scan("exit", &number, JPEG).await.status, 201);
        let refused = site.guard().scan("return", &number, JPEG).await;
        let (code, message) = refused.refused(403);
        assert_eq!(code, "INVALID_STATE");
        assert!(
            message.contains("not returnable") && message.contains("Allowed now: print"),
            "{message}"
        );
        assert_eq!(
            site.guard()
                .scan("exit", &number, JPEG)
                .await
                .refused(403)
                .0,
            "INVALID_STATE"
        );
        assert_eq!(site.stored_photos(), 1);
    })
    .await;
}

// design: 003 POST /admin/gatepass/{pass_number}/delete
#[tokio::test]
async fn a_deleted_pass_is_gone_for_everyone_and_kept_on_record() {
    on_both(|site| async move {
        let number = site.approved_pass(true).await;
        let detail = site
            .admin()
            .get(&format!("/admin/gatepass/{number}"))
            .await
            .json();
        let deleted = site
            .admin()
            .post(
                &format!("/admin/gatepass/{number}/delete"),
                &json!({"name": "Mallory"}),
            )
            .await;
        let deleted = deleted.of_schema("Deleted");
        assert_eq!(deleted["deleted_by"], "Omar");
        let id = detail["id"].as_str().unwrap();
        for gone in [
            site.hr().get(&format!("/hr/gatepass/{id}")).await,
            site.admin().get(&format!("/admin/gatepass/{number}")).await,
            site.hr().get(&format!("/hr/gatepass/{number}/print")).await,
            site.guard().get(&format!("/gate/photos/{number}")).await,
            site.guard().get(&format!("/qr/{number}")).await,
            site.admin()
                .post(&format!("/admin/gatepass/{number}/delete"), &json!({}))
                .await,
            site.guard().scan("exit", &number, JPEG).await,
        ] {
            assert_eq!(gone.refused(404).0, "NOT_FOUND");
        }
        assert_eq!(
            site.hr().get("/hr/gatepass/list").await.json()["items"],
            json!([])
        );
        assert_eq!(
            site.hr().get("/hr/gatepass/counts").await.json()["total"],
            0
        );
        assert_eq!(
            messages(&site.hr().get("/notifications/hr").await.json()),
            ["pass_deleted", "pass_approved"]
        );
        assert_eq!(
            site.count("gatepass_status_changes WHERE status = 'deleted' AND changed_by = 'Omar'")
                .await,
            1
        );
        assert_ne!(
            site.new_pass(true).await,
            number,
            "its number is not used again"
        );
    })
    .await;
}

#[tokio::test]
async fn a_pass_cannot_be_deleted_after_the_exit() {
    let site = Site::start(Kind::Sqlite).await;
    let number = site.approved_pass(true).await;
    site.guard().scan("exit", &number, JPEG).await;
    let refused = site
        .admin()
        .post(&format!("/admin/gatepass/{number}/delete"), &json!({}))
        .await;
    let (code, message) = refused.refused(403);
    assert_eq!(code, "INVALID_STATE");
    assert!(
        message.contains("is exited and cannot be deleted"),
        "{message}"
    );
    assert_eq!(
        refused.details()["action_allowed_from"],
        json!(["pending", "approved", "rejected"])
    );
}

// design: 003 GET /notifications/admin, GET /notifications/hr
// design: 003 GET /notifications/mark-read/{notification_id}, Notification.id
// design: 003 Notification.created_at, Notification.related_pass_id
#[tokio::test]
async fn notifications_are_marked_read_by_their_own_role_only() {
    on_both(|site| async move {
        site.new_pass(true).await;
        let inbox = site.admin().get("/notifications/admin").await.json();
        let id = inbox["items"][0]["id"].as_str().unwrap();
        let path = format!("/notifications/mark-read/{id}");
        assert_eq!(site.hr().get(&path).await.refused(403).0, "FORBIDDEN");
        assert_eq!(site.guard().get(&path).await.refused(403).0, "FORBIDDEN");
        for _ in 0..2 {
            let read = site.admin().get(&path).await;
            assert_eq!(read.header("cache-control"), "no-store");
            assert_eq!(read.of_schema("Notification")["is_read"], true);
        }
        assert_eq!(
            site.admin().get("/notifications/admin").await.json()["unread"],
            0
        );
        let unknown = uuid::Uuid::now_v7();
        assert_eq!(
            site.admin()
                .get(&format!("/notifications/mark-read/{unknown}"))
                .await
                .refused(404)
                .0,
            "NOT_FOUND"
        );
        assert_eq!(
            site.admin()
                .get("/notifications/mark-read/undefined")
                .await
                .refused(422)
                .0,
            "VALIDATION_ERROR"
        );
        let both = site.person("Two Hats", &["HR_User", "Admin_User"]);
        assert_eq!(
            both.get(&path).await.status,
            200,
            "whoever has both roles has both rights"
        );
    })
    .await;
}

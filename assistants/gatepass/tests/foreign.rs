//! The assistant over an API that knows only the design: all 20 tools in every notation that such an
//! API may have, and faults after which no write may happen twice or be told as done.

mod faults;
mod site;

use frontdesk_core::tool::{ToolErrorKind, ToolOutput};
use serde_json::{Value, json};

use site::{PHOTO, Site, site};

impl Site {
    /// Runs all 20 tools; each must work. Returns the outputs of reads by tool.
    async fn run_all(&self) -> Vec<(&'static str, ToolOutput)> {
        let mut ran = self.run_decisions().await;
        ran.extend(self.run_scans().await);
        ran
    }

    /// Creates and decides passes, and shows one by id.
    async fn run_decisions(&self) -> Vec<(&'static str, ToolOutput)> {
        let (desk, office, gate) = (&self.desk, &self.office, &self.gate);
        for person in ["Ali Khan", "Sara Ahmed", "Nadia Hussain"] {
            let created = self.create(person).await.done();
            assert!(
                created.summary.starts_with("Created"),
                "{}",
                created.summary
            );
        }
        let mut ran = Vec::new();
        ran.push((
            "list_pending_gate_passes",
            self.read(office, "list_pending_gate_passes", json!({}))
                .await,
        ));
        for (what, number) in [("approve", 1), ("reject", 2), ("delete", 3)] {
            let decided = self.decide(what, number).await.done();
            assert!(
                decided.summary.to_lowercase().starts_with(&what[..5]),
                "{}",
                decided.summary
            );
        }
        let list = self.read(desk, "list_gate_passes", json!({})).await;
        let id = list.result["items"][0]["id"].as_str().unwrap().to_owned();
        ran.push(("list_gate_passes", list));
        let by_id = || json!({ "pass_id": id });
        let by_number = json!({ "pass_id": "GP-2026-0001" });
        ran.push((
            "get_gate_pass_details",
            self.read(desk, "get_gate_pass_details", by_id()).await,
        ));
        ran.push((
            "get_gate_pass_details",
            self.read(desk, "get_gate_pass_details", by_number).await,
        ));
        for pass in [by_id(), json!({ "pass_id": "GP-2026-0001" })] {
            let tool = "get_gate_pass_by_id_gate";
            ran.push((tool, self.read(gate, tool, pass).await));
        }
        ran
    }

    /// Shows the approved pass, records exit and return, and reads notifications.
    async fn run_scans(&self) -> Vec<(&'static str, ToolOutput)> {
        let (desk, office, gate) = (&self.desk, &self.office, &self.gate);
        let first = || json!({ "pass_number": "GP-2026-0001" });
        let mut ran = Vec::new();
        for (talk, tool) in [
            (desk, "print_gate_pass"),
            (office, "print_gate_pass_admin"),
            (office, "get_gate_pass_by_number"),
            (gate, "get_gate_pass_by_number_gate"),
            (gate, "get_qr_code"),
        ] {
            ran.push((tool, self.read(talk, tool, first()).await));
        }
        let search = json!({ "search": "sara" });
        ran.push((
            "list_all_gate_passes_admin",
            self.read(office, "list_all_gate_passes_admin", search)
                .await,
        ));
        for what in ["exit", "return"] {
            self.scan(what).await.done();
        }
        ran.push((
            "get_gate_pass_photos",
            self.read(gate, "get_gate_pass_photos", first()).await,
        ));
        ran.push((
            "get_hr_notifications",
            self.read(desk, "get_hr_notifications", json!({})).await,
        ));
        let notices = self
            .read(office, "get_admin_notifications", json!({}))
            .await;
        let id = notices.result["items"][0]["id"]
            .as_str()
            .unwrap()
            .to_owned();
        ran.push(("get_admin_notifications", notices));
        let read = self
            .read(
                office,
                "mark_notification_read",
                json!({ "notification_id": id }),
            )
            .await;
        assert!(
            read.summary.starts_with("Marked as read: Nadia Hussain"),
            "{}",
            read.summary
        );
        ran
    }
}

fn output<'a>(ran: &'a [(&str, ToolOutput)], tool: &str) -> &'a ToolOutput {
    &ran.iter().rfind(|(name, _)| *name == tool).unwrap().1
}

async fn check_all_tools(mode: Value) {
    let site = site(&[("gatepass.api_auth", "none")]).await;
    site.api.reset(mode.clone()).await;
    let ran = site.run_all().await;
    let expected = [("Ali Khan", "returned"), ("Sara Ahmed", "rejected")];
    let expected = expected.map(|(person, state)| (person.to_owned(), state.to_owned()));
    let state = site.api.state().await;
    assert_eq!(site.api.passes().await, expected, "{mode}: {state}");
    let writes = state["requests"].as_array().unwrap().iter();
    let writes = writes.filter(|request| request.as_str().unwrap().starts_with("POST"));
    // Three passes, three decisions and two scans, each sent once.
    assert_eq!(writes.count(), 8, "{mode}");

    let pass = output(&ran, "get_gate_pass_details");
    assert_eq!(pass.result["person_name"], "Ali Khan", "{mode}");
    let year = chrono::Utc::now().format(", ").to_string();
    let created = pass
        .summary
        .lines()
        .find(|line| line.starts_with("- Created: "))
        .unwrap();
    assert!(
        created.contains(&year) && created.ends_with("UTC"),
        "{mode}: {created}"
    );
    assert!(
        pass.summary.contains("- Approved: "),
        "{mode}: {}",
        pass.summary
    );
    let found = output(&ran, "list_all_gate_passes_admin");
    assert_eq!(
        found.result["count"], 1,
        "{mode}: the search finds Sara only"
    );
    assert_eq!(
        output(&ran, "list_gate_passes").result["count"],
        2,
        "{mode}"
    );
    assert_eq!(
        output(&ran, "get_hr_notifications").result["count"],
        2,
        "{mode}"
    );
    let photos = output(&ran, "get_gate_pass_photos");
    assert_eq!(photos.outbox.files.len(), 2, "{mode}: {}", photos.summary);
    assert!(
        photos.outbox.files.iter().all(|file| file.bytes == PHOTO),
        "{mode}"
    );
    let qr = output(&ran, "get_qr_code");
    assert_eq!(qr.outbox.files.len(), 1, "{mode}");
}

#[tokio::test]
async fn every_tool_works_in_every_wrapper_of_objects() {
    for shape in [
        "bare",
        "data",
        "gate_pass",
        "gatepass",
        "result",
        "camel",
        "message",
    ] {
        check_all_tools(json!({ "shape": shape })).await;
    }
}

#[tokio::test]
async fn every_tool_works_in_every_wrapper_of_lists() {
    for list in [
        "bare",
        "items",
        "data",
        "data.items",
        "results",
        "named",
        "passes",
    ] {
        check_all_tools(json!({ "list": list })).await;
    }
}

#[tokio::test]
async fn every_tool_works_with_every_notation_of_ids_and_times() {
    for dates in ["iso", "naive", "space", "epoch", "epochms", "dmy", "rfc"] {
        for ids in ["str", "int"] {
            check_all_tools(json!({ "dates": dates, "ids": ids })).await;
        }
    }
}

#[tokio::test]
async fn every_tool_works_with_every_address_of_photos() {
    for photo_url in ["rel", "abs", "query", "urlfield"] {
        check_all_tools(json!({ "photo_url": photo_url })).await;
    }
}

#[tokio::test]
async fn pictures_and_prints_pass_in_every_form() {
    let site = site(&[("gatepass.api_auth", "none")]).await;
    site.create("Ali Khan").await.done();
    site.decide("approve", 1).await.done();
    let number = || json!({ "pass_number": "GP-2026-0001" });
    for (qr, media_type, name) in [
        ("png", "image/png", "GP-2026-0001-qr.png"),
        ("svg", "image/svg+xml", "GP-2026-0001-qr.svg"),
        ("jpg", "image/jpeg", "GP-2026-0001-qr.jpg"),
        ("b64", "image/png", "GP-2026-0001-qr.png"),
    ] {
        site.api.set(json!({ "qr": qr })).await;
        let output = site.read(&site.gate, "get_qr_code", number()).await;
        let file = &output.outbox.files[0];
        assert_eq!(
            (file.media_type.as_str(), file.name.as_str()),
            (media_type, name)
        );
        if qr != "b64" {
            let sent = site
                .api
                .http
                .get(format!("{}/qr/GP-2026-0001", site.api.url))
                .send()
                .await;
            assert_eq!(
                file.bytes,
                sent.unwrap().bytes().await.unwrap(),
                "{qr}: byte for byte"
            );
        }
    }
    for (pr, media_type) in [("pdf", "application/pdf"), ("html", "text/html")] {
        site.api.set(json!({ "pr": pr })).await;
        let output = site.read(&site.desk, "print_gate_pass", number()).await;
        assert_eq!(output.outbox.files[0].media_type, media_type);
    }
    site.api.set(json!({ "pr": "json" })).await;
    let output = site.read(&site.desk, "print_gate_pass", number()).await;
    assert!(
        output.outbox.files.is_empty(),
        "another host is never fetched from"
    );
    assert!(
        output
            .summary
            .contains("<http://elsewhere.example/p/GP-2026-0001.pdf>"),
        "{}",
        output.summary
    );
}

#[tokio::test]
async fn a_pass_that_answers_leave_out_is_read_from_the_list() {
    let site = site(&[("gatepass.api_auth", "none")]).await;
    site.api.reset(json!({ "shape": "silent" })).await;
    site.create("Ali Khan").await.done();
    let pass = "**GP-2026-0001** · Ali Khan · approved";
    let approved = site.decide("approve", 1).await.done();
    assert!(approved.summary.contains(pass), "{}", approved.summary);
    let list = site.read(&site.desk, "list_gate_passes", json!({})).await;
    let id = list.result["items"][0]["id"].clone();
    let number = || json!("GP-2026-0001");
    for (talk, tool, argument) in [
        (
            &site.desk,
            "get_gate_pass_details",
            json!({ "pass_id": id }),
        ),
        (
            &site.desk,
            "get_gate_pass_details",
            json!({ "pass_id": number() }),
        ),
        (
            &site.office,
            "get_gate_pass_by_number",
            json!({ "pass_number": number() }),
        ),
    ] {
        let shown = site.read(talk, tool, argument).await;
        assert!(shown.summary.starts_with(pass), "{tool}: {}", shown.summary);
    }
    // An answer that was not followed by the change is no success.
    let fault =
        json!({ "match": "reject", "kind": "raw", "n": 1, "body": "{\"message\": \"ok\"}" });
    site.create("Sara Ahmed").await.done();
    site.api.set(json!({ "faults": [fault] })).await;
    let error = site.decide("reject", 2).await.failed();
    assert_eq!(error.kind, ToolErrorKind::Unknown, "{}", error.message);
    // Guards have no list.
    let tool = "get_gate_pass_by_number_gate";
    let asked = site
        .bench
        .call(&site.gate, tool, json!({ "pass_number": number() }));
    let error = asked.await.failed();
    assert!(
        error.message.contains("cannot be used"),
        "{}",
        error.message
    );
}

#[tokio::test]
async fn every_refusal_is_told_plainly_in_every_notation() {
    let site = site(&[("gatepass.api_auth", "none")]).await;
    let styles = [
        "fastapi",
        "fastapi_obj",
        "rfc9457",
        "django",
        "rails",
        "list",
        "string",
        "msg",
        "html",
        "empty",
    ];
    for style in styles {
        site.api.reset(json!({ "errors": style })).await;
        site.create("Ali Khan").await.done();
        let number = json!({ "pass_number": "GP-2026-0001" });
        let print = site.bench.call(&site.desk, "print_gate_pass", number);
        let error = print.await.failed();
        assert!(
            error.message.starts_with("GP-2026-0001 is pending"),
            "{style}: {}",
            error.message
        );
        site.decide("approve", 1).await.done();

        let error = site.decide("approve", 1).await.failed();
        assert_eq!(
            error.kind,
            ToolErrorKind::Refused,
            "{style}: {}",
            error.message
        );
        assert!(
            error.message.contains("approved"),
            "{style}: the state is named: {}",
            error.message
        );
        if !["html", "empty"].contains(&style) {
            let reason = ": Cannot";
            assert!(error.message.contains(reason), "{style}: {}", error.message);
        }
        let error = site.decide("approve", 7).await.failed();
        assert!(
            error
                .message
                .starts_with("There is no gate pass GP-2026-0007."),
            "{style}: {}",
            error.message
        );
        let error = site.create(" ").await.failed();
        assert_eq!(
            error.kind,
            ToolErrorKind::Invalid,
            "{style}: {}",
            error.message
        );
        if ["fastapi", "rfc9457", "django", "rails", "list"].contains(&style) {
            let expected = "person_name: must not be empty. Correct person_name and try again.";
            assert_eq!(error.message, expected, "{style}");
        }
        assert_eq!(site.api.passes().await.len(), 1, "{style}");
    }
}

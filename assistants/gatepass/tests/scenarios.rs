//! The assistant over the real API: scenarios that no scripted conversation can know beforehand.

use frontdesk_core::tool::ToolErrorKind;
use serde_json::{Value, json};

use super::bench::{Bench, CallOutcome, admin, guard, hr};
use super::service::{signed_tokens, site};

const PHOTO: &[u8] = include_bytes!("../conversations/files/person.jpg");

/// An approved pass GP-2026-0001.
async fn approved_pass(bench: &Bench) {
    let desk = bench.talk(hr()).await;
    let new =
        json!({ "person_name": "Maria Gonzalez", "description": "Audit", "is_returnable": true });
    bench.call(&desk, "create_gate_pass", new).await.done();
    let mut office = bench.talk(admin()).await;
    office.words.push("GP-2026-0001".to_owned());
    let arguments = json!({ "pass_number": "GP-2026-0001", "name": "Omar Farooq" });
    bench
        .call(&office, "approve_gate_pass", arguments)
        .await
        .done();
}

// design: 003 unit agent client, ConversationContext.current_pass_number, property 9
#[tokio::test]
async fn a_pass_from_request_to_return() {
    let (bench, _service) = site().await;
    let desk = bench.talk(hr()).await;
    let new = json!({ "person_name": "علی خان", "description": "O'Brien & \"Sons\" <b>visit</b> 100%", "is_returnable": true });
    let pass = bench.call(&desk, "create_gate_pass", new).await.done();
    assert_eq!(pass.result["pass_number"], "GP-2026-0001");
    assert_eq!(pass.outbox.metadata["current_pass_number"], "GP-2026-0001");
    assert_eq!(pass.outbox.metadata["current_pass_id"], pass.result["id"]);
    let number = json!({ "pass_number": "GP-2026-0001" });

    let mut office = bench.talk(admin()).await;
    office.words.push("approve GP-2026-0001".to_owned());
    let arguments = json!({ "pass_number": "GP-2026-0001", "name": "Somebody Else" });
    let approved = bench
        .call(&office, "approve_gate_pass", arguments.clone())
        .await
        .done();
    assert_eq!(
        (&approved.result["status"], &approved.result["approved_by"]),
        (&json!("approved"), &json!("Omar Farooq"))
    );
    let again = bench
        .call(&office, "approve_gate_pass", arguments)
        .await
        .failed();
    assert_eq!(
        again.details.unwrap()["related_context"]["current_status"],
        "approved"
    );

    let mut gate = bench.talk(guard()).await;
    gate.words.push("GP-2026-0001".to_owned());
    let photo = bench.attach(&mut gate, "IMG_1.exe", PHOTO).await;
    let scan = json!({ "pass_number": "GP-2026-0001", "photo": photo });
    let left = bench.call(&gate, "scan_exit", scan.clone()).await.done();
    assert_eq!(left.result["status"], "exited");
    let back = bench.call(&gate, "scan_return", scan).await.done();
    assert_eq!(back.result["status"], "returned");

    let pdf = bench
        .call(&desk, "print_gate_pass", number.clone())
        .await
        .done();
    assert!(pdf.outbox.files[0].bytes.starts_with(b"%PDF-"));
    let photos = bench
        .call(&gate, "get_gate_pass_photos", number)
        .await
        .done();
    assert_eq!(photos.outbox.files.len(), 2);
    let id = json!({ "pass_id": pass.result["id"] });
    let by_id = bench
        .call(&gate, "get_gate_pass_by_id_gate", id)
        .await
        .done();
    assert_eq!(by_id.result["pass_number"], "GP-2026-0001");
}

// design: 003 scenario notifications
#[tokio::test]
async fn notifications_are_read_and_marked_as_read() {
    let (bench, _service) = site().await;
    let desk = bench.talk(hr()).await;
    let mut office = bench.talk(admin()).await;
    for number in ["GP-2026-0001", "GP-2026-0002"] {
        let new = json!({ "person_name": "Ali", "description": "errand", "is_returnable": true });
        bench.call(&desk, "create_gate_pass", new).await.done();
        office.words.push(number.to_owned());
        let reject = json!({ "pass_number": number, "name": "Omar Farooq" });
        bench.call(&office, "reject_gate_pass", reject).await.done();
    }
    for (who, list) in [
        (hr(), "get_hr_notifications"),
        (admin(), "get_admin_notifications"),
    ] {
        let talk = bench.talk(who).await;
        let before = bench.call(&talk, list, json!({})).await.done();
        assert_eq!(before.result["unread"], 2);
        let newest = before.result["items"][0]["id"].clone();
        for _ in 0..2 {
            // Repeating it changes nothing.
            let marked = bench
                .call(
                    &talk,
                    "mark_notification_read",
                    json!({ "notification_id": newest }),
                )
                .await
                .done();
            assert!(
                marked.summary.starts_with("Marked as read: "),
                "{}",
                marked.summary
            );
        }
        let after = bench.call(&talk, list, json!({})).await.done();
        assert_eq!(after.result["unread"], 1);
        assert_eq!(after.result["items"][0]["is_read"], true);
    }
    // A notification for another role cannot be marked.
    let theirs = bench
        .call(&office, "get_admin_notifications", json!({}))
        .await
        .done();
    let id = theirs.result["items"][1]["id"].clone();
    let error = bench
        .call(
            &desk,
            "mark_notification_read",
            json!({ "notification_id": id }),
        )
        .await
        .failed();
    assert_eq!(error.details.unwrap()["error_type"], "permission_denied");
}

// design: 003 scenario QR code
#[tokio::test]
async fn the_qr_code_arrives_byte_for_byte() {
    let (bench, service) = site().await;
    approved_pass(&bench).await;
    let token = signed_tokens(&bench.env)(&hr(), "gatepass").unwrap();
    let request = reqwest::Client::new().get(format!("{}/qr/GP-2026-0001", service.url));
    let served = request
        .bearer_auth(token)
        .send()
        .await
        .unwrap()
        .bytes()
        .await
        .unwrap();
    assert!(served.starts_with(b"\x89PNG"));
    for who in [hr(), admin(), guard()] {
        let talk = bench.talk(who).await;
        let output = bench
            .call(
                &talk,
                "get_qr_code",
                json!({ "pass_number": "GP-2026-0001" }),
            )
            .await
            .done();
        assert_eq!(output.outbox.files[0].bytes, served);
    }
}

#[tokio::test]
async fn bad_input_gets_a_clear_answer_and_changes_nothing() {
    let (bench, _service) = site().await;
    let desk = bench.talk(hr()).await;
    let count = async || {
        bench
            .call(&desk, "list_gate_passes", json!({}))
            .await
            .done()
            .result["count"]
            .clone()
    };
    let before = count().await;
    let create =
        |name: &str| json!({ "person_name": name, "description": "errand", "is_returnable": true });
    for (name, says) in [
        ("x".repeat(10_000).as_str(), "at most 200 characters"),
        ("Ali\u{0}Khan", "control characters"),
        ("Ali\nKhan", "control characters"),
        ("Ali \u{202e}nahK", "invisible"),
        ("   ", "blank"),
    ] {
        // A blank value cannot be named, so the person is asked, and the approved call is refused.
        let called = match bench.call(&desk, "create_gate_pass", create(name)).await {
            CallOutcome::Asked(granted) if says == "blank" => bench.run(&desk, granted).await,
            called @ (CallOutcome::Asked(_)
            | CallOutcome::Refused(_)
            | CallOutcome::Done(_)
            | CallOutcome::Failed(_)) => called,
        };
        let error = called.failed();
        assert_eq!(error.kind, ToolErrorKind::Invalid);
        assert!(
            error.message.contains("person_name") && error.message.contains(says),
            "{}",
            error.message
        );
        assert!(error.message.len() < 500);
    }
    assert_eq!(count().await, before, "nothing was created");
    // Unusual but visible text is a valid name.
    for name in [
        "Robert'); DROP TABLE passes;--",
        "<script>alert(1)</script>",
    ] {
        let made = bench
            .call(&desk, "create_gate_pass", create(name))
            .await
            .done();
        assert_eq!(made.result["person_name"], name);
        assert!(!made.summary.contains("<script>"), "{}", made.summary);
    }
    assert!(matches!(
        bench
            .call(&desk, "create_gate_pass", json!({ "person_name": "Ali" }))
            .await,
        CallOutcome::Refused(_)
    ));
}

// design: 003 client errors first, scenario upload
#[tokio::test]
async fn bad_photos_change_nothing() {
    let (bench, _service) = site().await;
    approved_pass(&bench).await;
    let mut gate = bench.talk(guard()).await;
    gate.words.push("GP-2026-0001".to_owned());
    let cut = &PHOTO[..PHOTO.len() / 2];
    let mut huge = PHOTO.to_vec();
    huge.resize(6 * 1024 * 1024, 0);
    for (name, bytes, says) in [
        ("empty.jpg", Vec::new(), "empty"),
        ("huge.jpg", huge, "at most 5 MB"),
        ("cut.jpg", cut.to_vec(), "photo"),
        (
            "setup.jpg",
            b"MZ\x90\x00\x03\x00\x00\x00".to_vec(),
            "not a JPEG, PNG or HEIC",
        ),
        (
            "drawing.png",
            b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(),
            "not a JPEG, PNG or HEIC",
        ),
        ("vast.png", vast_png(), "pixels"),
    ] {
        let photo = bench.attach(&mut gate, name, bytes).await;
        let called = bench
            .call(
                &gate,
                "scan_exit",
                json!({ "pass_number": "GP-2026-0001", "photo": photo }),
            )
            .await;
        let error = called.failed();
        assert_eq!(error.kind, ToolErrorKind::Invalid, "{name}");
        assert!(error.message.contains(says), "{name}: {}", error.message);
    }
    let pass = bench
        .call(
            &gate,
            "get_gate_pass_by_number_gate",
            json!({ "pass_number": "GP-2026-0001" }),
        )
        .await
        .done();
    assert_eq!(pass.result["status"], "approved");
    // A file of another conversation is not accepted.
    let mut other = bench.talk(guard()).await;
    bench.attach(&mut other, "mine.jpg", PHOTO).await;
    let id = other.handles.files[0].attachment.to_string();
    let called = bench
        .call(
            &gate,
            "scan_exit",
            json!({ "pass_number": "GP-2026-0001", "photo": id }),
        )
        .await;
    assert_eq!(
        called.failed().details.unwrap()["error_type"],
        "missing_parameter"
    );
}

/// The header of a picture of 50,000 × 50,000 pixels.
fn vast_png() -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR".to_vec();
    png.extend(50_000u32.to_be_bytes());
    png.extend(50_000u32.to_be_bytes());
    png.extend([8, 2, 0, 0, 0, 0x6F, 0x6E, 0x66, 0x2D]);
    png
}

#[tokio::test]
async fn somebody_with_two_roles_has_the_tools_of_both() {
    use frontdesk_core::access::Role;
    let (bench, _service) = site().await;
    let both = super::bench::person("Noor Jahan", &[Role::HR_USER, Role::ADMIN_USER]);
    let mut talk = bench.talk(both).await;
    let made = bench
        .call(
            &talk,
            "create_gate_pass",
            json!({ "person_name": "Ali", "description": "x", "is_returnable": false }),
        )
        .await
        .done();
    let number: Value = made.result["pass_number"].clone();
    talk.words.push(format!("approve {number}"));
    let done = bench
        .call(
            &talk,
            "approve_gate_pass",
            json!({ "pass_number": number, "name": "" }),
        )
        .await
        .done();
    assert_eq!(done.result["approved_by"], "Noor Jahan");
}

#[tokio::test]
async fn the_name_on_the_card_and_in_the_request_is_the_signed_in_persons() {
    let (bench, _service) = site().await;
    let desk = bench.talk(hr()).await;
    let new = json!({ "person_name": "Maria", "description": "Audit", "is_returnable": true });
    bench.call(&desk, "create_gate_pass", new).await.done();
    let office = bench.talk(admin()).await;
    let asked = async |tool: &str, arguments: Value| {
        let CallOutcome::Asked(card) = bench.call(&office, tool, arguments).await else {
            panic!("{tool} waits for a card");
        };
        assert_eq!(card.arguments()["name"], "Omar Farooq");
        card
    };
    for tool in ["approve_gate_pass", "reject_gate_pass", "delete_gate_pass"] {
        for name in [json!("The Director"), json!(7), Value::Null] {
            asked(tool, json!({ "pass_number": "GP-2026-0001", "name": name })).await;
        }
    }
    let card = asked(
        "approve_gate_pass",
        json!({ "pass_number": "GP-2026-0001" }),
    );
    let done = bench.run(&office, card.await).await.done();
    assert_eq!(done.result["approved_by"], "Omar Farooq");
}

// design: 003 ConversationContext.pending_parameters, client parameter, property 9
#[tokio::test]
async fn parameters_of_an_unfinished_request_survive_until_it_is_finished() {
    let (bench, _service) = site().await;
    approved_pass(&bench).await;
    let mut gate = bench.talk(guard()).await;
    gate.words.push("GP-2026-0001".to_owned());
    let scan = |photo: &str| json!({ "pass_number": "GP-2026-0001", "photo": photo });
    let missing = bench
        .call(&gate, "scan_exit", scan("the photo"))
        .await
        .failed();
    assert_eq!(missing.details.unwrap()["error_type"], "missing_parameter");
    assert_eq!(
        missing.remembered["pending_parameters"],
        json!({ "pass_number": "GP-2026-0001" })
    );
    gate.conversation.metadata.extend(missing.remembered);
    let file = bench.attach(&mut gate, "IMG_1.jpg", PHOTO).await;
    let left = bench.call(&gate, "scan_exit", scan(&file)).await.done();
    assert_eq!(left.outbox.metadata["pending_parameters"], Value::Null);

    // A pass in the wrong state leaves nothing to complete.
    let again = bench.call(&gate, "scan_exit", scan(&file)).await.failed();
    assert!(again.remembered.is_empty(), "{:?}", again.remembered);
}

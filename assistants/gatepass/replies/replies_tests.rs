//! The rendered text of a pass, a list and notifications, with times in the site's zone.

use super::*;
use crate::context::Mention;
use crate::tests::bench::{Bench, entry, hr};
use crate::tests::upstream::{self, Upstream};

/// A rendered response, and the passes that it names.
struct RenderedReply {
    result: Value,
    summary: String,
    mention: Mention,
}

fn render(
    tool: &str,
    arguments: Value,
    answer: Value,
    zone: Tz,
) -> Result<RenderedReply, &'static str> {
    let operation = &entry(tool).operation;
    let result = operation.response.read(answer, Tz::UTC);
    let call = Call {
        operation,
        arguments: arguments.as_object().unwrap(),
        zone,
    };
    let (result, summary) = call.render(result.map_err(|_| "unusable")?)?;
    Ok(RenderedReply {
        mention: Mention::in_result(&result),
        result,
        summary,
    })
}

fn pass(number: &str, status: &str) -> Value {
    json!({
        "id": "a7", "pass_number": number, "person_name": "Ali Khan", "description": "bank visit",
        "is_returnable": true, "status": status, "created_at": "2026-09-15T10:00:00.000Z", "created_by": "Ayesha Siddiqui",
        "approved_at": "2026-09-15T10:05:00Z", "approved_by": "Omar Farooq", "exit_time": null, "return_time": null,
        "status_history": [{ "status": "pending" }],
    })
}

// design: 003 ToolDefinition.response_handler
#[test]
fn one_pass_has_number_person_status_and_times_of_the_site() {
    let rendered = render(
        "get_gate_pass_by_number",
        json!({ "pass_number": "GP-2026-0007" }),
        pass("GP-2026-0007", "approved"),
        Tz::Asia__Karachi,
    )
    .unwrap();
    assert_eq!(
        rendered.summary,
        "**GP-2026-0007** · Ali Khan · approved\n\
         - Purpose: bank visit\n\
         - Comes back: yes\n\
         - Created: 15 Sep 2026, 15:00 PKT by Ayesha Siddiqui\n\
         - Approved: 15 Sep 2026, 15:05 PKT by Omar Farooq"
    );
    let mention = Mention::One {
        number: Some("GP-2026-0007".to_owned()),
        id: Some("a7".to_owned()),
    };
    assert_eq!(rendered.mention, mention);
    let wrapped = render(
        "get_gate_pass_by_number",
        json!({}),
        json!({ "success": true, "data": pass("GP-2026-0007", "approved") }),
        Tz::UTC,
    );
    assert!(wrapped.unwrap().summary.contains("15 Sep 2026, 10:05 UTC"));
}

#[test]
fn a_change_says_what_was_done() {
    let rendered = render(
        "approve_gate_pass",
        json!({ "pass_number": "GP-2026-0007" }),
        pass("GP-2026-0007", "approved"),
        Tz::UTC,
    )
    .unwrap();
    assert!(rendered.summary.starts_with(
        "Approved gate pass **GP-2026-0007**.\n\n**GP-2026-0007** · Ali Khan · approved"
    ));
    // A success response without a pass, or without a body, still means that the change was made.
    for answer in [Value::Null, json!({ "message": "ok" }), json!([])] {
        let rendered = render(
            "reject_gate_pass",
            json!({ "pass_number": "GP-2026-0007" }),
            answer,
            Tz::UTC,
        )
        .unwrap();
        assert_eq!(rendered.summary, "Rejected gate pass **GP-2026-0007**.");
        assert_eq!(
            rendered.mention,
            Mention::One {
                number: Some("GP-2026-0007".to_owned()),
                id: None,
            }
        );
    }
    let rendered = render(
        "delete_gate_pass",
        json!({ "pass_number": "GP-2026-0007" }),
        Value::Null,
        Tz::UTC,
    )
    .unwrap();
    assert_eq!(
        (rendered.summary.as_str(), rendered.mention),
        ("Deleted gate pass **GP-2026-0007**.", Mention::Gone)
    );
}

#[test]
fn a_list_is_a_count_and_a_table() {
    let answer = json!({ "items": [pass("GP-2026-0002", "pending"), pass("GP-2026-0001", "approved")], "has_more": false });
    let rendered = render("list_all_gate_passes_admin", json!({}), answer, Tz::UTC).unwrap();
    assert_eq!(
        rendered.summary,
        "2 gate passes: 1 pending, 1 approved.\n\n\
         | Number | Person | Purpose | Comes back | Status | Created |\n|---|---|---|---|---|---|\n\
         | GP-2026-0002 | Ali Khan | bank visit | yes | pending | 15 Sep 2026, 10:00 UTC |\n\
         | GP-2026-0001 | Ali Khan | bank visit | yes | approved | 15 Sep 2026, 10:00 UTC |"
    );
    assert_eq!(rendered.result["count"], 2);
    assert!(
        rendered.result["items"][0].get("status_history").is_none(),
        "the model is spared what it does not need"
    );
    assert_eq!(
        rendered.mention,
        Mention::Several(vec!["GP-2026-0002".to_owned(), "GP-2026-0001".to_owned()])
    );
}

#[test]
fn short_and_long_lists_read_well_too() {
    let summary = |tool: &str, arguments: Value, items: Vec<Value>, more: bool| {
        render(
            tool,
            arguments,
            json!({ "items": items, "has_more": more }),
            Tz::UTC,
        )
        .unwrap()
        .summary
    };
    assert_eq!(
        summary("list_pending_gate_passes", json!({}), vec![], false),
        "There are no pending gate passes."
    );
    assert_eq!(
        summary(
            "list_all_gate_passes_admin",
            json!({ "status": "exited" }),
            vec![],
            false
        ),
        "There are no exited gate passes."
    );
    let one = summary(
        "list_pending_gate_passes",
        json!({}),
        vec![pass("GP-2026-0001", "pending")],
        false,
    );
    assert!(one.starts_with("1 pending gate pass.\n\n|"), "{one}");
    let many = summary(
        "list_all_gate_passes_admin",
        json!({}),
        vec![pass("GP-2026-0001", "pending"); 60],
        true,
    );
    assert!(
        many.starts_with("The newest 60 gate passes (there are more)."),
        "{many}"
    );
    assert!(many.ends_with("… and 10 more."));
}

#[test]
fn untrusted_text_cannot_inject_markdown() {
    let mut evil = pass("GP-2026-0001", "pending");
    evil["person_name"] = json!("a|b<img src=x>\n| forged |");
    evil["description"] = json!("[click](http://evil) ![x](http://evil) `code` \u{202e}");
    let rendered = render(
        "list_pending_gate_passes",
        json!({}),
        json!([evil]),
        Tz::UTC,
    )
    .unwrap();
    let row = rendered.summary.lines().last().unwrap();
    assert!(row.starts_with("| GP-2026-0001 | a\\|b\\<img src=x\\> \\| forged \\| | \\[click\\](http://evil) !\\[x\\]"), "{row}");
    assert!(!row.contains('\u{202e}'));
}

#[test]
fn notifications_say_what_is_new() {
    let answer = json!({ "items": [
        { "id": "n2", "message": "Omar Farooq approved gate pass GP-2026-0007 for Ali Khan.", "type": "pass_approved", "created_at": "2026-09-15T10:05:00Z", "is_read": false },
        { "id": "n1", "message": "Earlier.", "type": "pass_exited", "created_at": "2026-09-14T10:05:00Z", "is_read": true },
    ], "unread": 1, "has_more": false });
    let rendered = render("get_hr_notifications", json!({}), answer, Tz::UTC).unwrap();
    assert_eq!(
        rendered.summary,
        "2 notifications, 1 unread.\n\n| | Notification | When |\n|---|---|---|\n\
         | new | Omar Farooq approved gate pass GP-2026-0007 for Ali Khan. | 15 Sep 2026, 10:05 UTC |\n\
         |  | Earlier. | 14 Sep 2026, 10:05 UTC |"
    );
    assert_eq!(rendered.mention, Mention::Nothing);
    let rendered = render("get_hr_notifications", json!({}), json!([]), Tz::UTC).unwrap();
    assert_eq!(rendered.summary, "There are no notifications.");
    let rendered = render(
        "mark_notification_read",
        json!({ "notification_id": "n2" }),
        json!({ "id": "n2", "message": "Hello", "is_read": true }),
        Tz::UTC,
    )
    .unwrap();
    assert_eq!(rendered.summary, "Marked as read: Hello");
}

#[tokio::test]
async fn files_are_described_in_a_sentence() {
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\nIEND\xAE\x42\x60\x82";
    let upstream = Upstream::start(|seen, _| match seen.target.contains("/qr/") {
        true => upstream::bytes("image/png", PNG),
        false => upstream::bytes("application/pdf", "%PDF-1.7\n%%EOF\n"),
    })
    .await;
    let bench = Bench::new(&upstream.url).await;
    let talk = bench.talk(hr()).await;
    let number = || json!({ "pass_number": "GP-2026-0007" });
    let qr = bench.call(&talk, "get_qr_code", number()).await.done();
    assert_eq!(qr.outbox.files[0].name, "GP-2026-0007-qr.png");
    assert_eq!(
        qr.summary,
        "Here is the QR code of gate pass **GP-2026-0007**. Scanning it opens the pass."
    );
    let print = bench.call(&talk, "print_gate_pass", number()).await.done();
    assert_eq!(print.outbox.files[0].name, "GP-2026-0007.pdf");
    assert_eq!(
        print.result,
        json!({ "pass_number": "GP-2026-0007", "file": "GP-2026-0007.pdf", "media_type": "application/pdf", "bytes": 15 })
    );
}

// design: 003 type safety, unit edge cases
#[test]
fn malformed_responses_are_rejected() {
    for answer in [
        Value::Null,
        json!([]),
        json!({}),
        json!("GP-2026-0007"),
        json!({ "pass_number": 7, "status": "x" }),
    ] {
        assert!(render("get_gate_pass_by_number", json!({}), answer, Tz::UTC).is_err());
    }
    for answer in [
        Value::Null,
        json!({}),
        json!({ "items": {} }),
        json!([{ "x": 1 }]),
    ] {
        let list = render(
            "list_pending_gate_passes",
            json!({}),
            answer.clone(),
            Tz::UTC,
        );
        assert!(list.is_err());
        assert!(render("get_hr_notifications", json!({}), answer, Tz::UTC).is_err());
    }
}

#[test]
fn only_well_formed_identifiers_are_kept() {
    for good in ["GP-2026-0001", "GP-2026-10000", "GP-2026-999999"] {
        assert!(is_pass_number(good));
    }
    for bad in [
        "",
        "GP-26-0001",
        "GP-2026-001",
        "GP-2026-1000000",
        "gp-2026-0001",
        "GP-2026-0001\n",
        "GP-2026-0001/../../admin",
        "GP-٢٠٢٦-٠٠٠١",
    ] {
        assert!(!is_pass_number(bad), "{bad}");
    }
    assert!(is_pass_id("0198c1d2-7a10-7f3e-9b42-5a1d2c3b4e5f"));
    assert!(!is_pass_id("a b") && !is_pass_id(""));
}

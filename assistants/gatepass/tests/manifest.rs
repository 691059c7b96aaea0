//! The manifest against the design: names, parameters, roles and endpoints of all 20 tools.

use std::sync::Arc;

use frontdesk_connect::HttpMethod;
use frontdesk_core::access::Role;
use frontdesk_core::tool::{ApprovalRule, Effect};
use frontdesk_core::toolbox::{Toolbox, ToolboxError};

use super::bench::{Bench, Entry, entries, entry, plain_tokens};
use crate::runner::Runner;

/// Name, method and endpoint, roles, required parameters, optional parameters. The design also
/// requires `name`; ours is filled in from the sign-in. `search` filters the list that the API sends.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

const DESIGN: [Row; 20] = [
    (
        "create_gate_pass",
        "POST /hr/gatepass/create",
        "HR_User",
        "person_name description is_returnable",
        "",
    ),
    (
        "list_gate_passes",
        "GET /hr/gatepass/list",
        "HR_User",
        "",
        "status search",
    ),
    (
        "get_gate_pass_details",
        "GET /hr/gatepass/{pass_id}",
        "HR_User",
        "pass_id",
        "",
    ),
    (
        "print_gate_pass",
        "GET /hr/gatepass/{pass_number}/print",
        "HR_User",
        "pass_number",
        "",
    ),
    (
        "list_pending_gate_passes",
        "GET /admin/gatepass/pending",
        "Admin_User",
        "",
        "",
    ),
    (
        "get_gate_pass_by_number",
        "GET /admin/gatepass/{pass_number}",
        "Admin_User",
        "pass_number",
        "",
    ),
    (
        "approve_gate_pass",
        "POST /admin/gatepass/{pass_number}/approve",
        "Admin_User",
        "pass_number name",
        "",
    ),
    (
        "reject_gate_pass",
        "POST /admin/gatepass/{pass_number}/reject",
        "Admin_User",
        "pass_number name",
        "",
    ),
    (
        "delete_gate_pass",
        "POST /admin/gatepass/{pass_number}/delete",
        "Admin_User",
        "pass_number name",
        "",
    ),
    (
        "list_all_gate_passes_admin",
        "GET /admin/gatepass/list",
        "Admin_User",
        "",
        "status search",
    ),
    (
        "print_gate_pass_admin",
        "GET /admin/gatepass/{pass_number}/print",
        "Admin_User",
        "pass_number",
        "",
    ),
    (
        "scan_exit",
        "POST /gate/scan-exit",
        "Gate_User",
        "pass_number photo",
        "",
    ),
    (
        "scan_return",
        "POST /gate/scan-return",
        "Gate_User",
        "pass_number photo",
        "",
    ),
    (
        "get_gate_pass_by_number_gate",
        "GET /gate/gatepass/number/{pass_number}",
        "Gate_User",
        "pass_number",
        "",
    ),
    (
        "get_gate_pass_by_id_gate",
        "GET /gate/gatepass/id/{pass_id}",
        "Gate_User",
        "pass_id",
        "",
    ),
    (
        "get_gate_pass_photos",
        "GET /gate/photos/{pass_number}",
        "Gate_User",
        "pass_number",
        "",
    ),
    (
        "get_admin_notifications",
        "GET /notifications/admin",
        "Admin_User",
        "",
        "",
    ),
    (
        "get_hr_notifications",
        "GET /notifications/hr",
        "HR_User",
        "",
        "",
    ),
    (
        "mark_notification_read",
        "GET /notifications/mark-read/{notification_id}",
        "Admin_User HR_User",
        "notification_id",
        "",
    ),
    (
        "get_qr_code",
        "GET /qr/{pass_number}",
        "HR_User Admin_User Gate_User",
        "pass_number",
        "",
    ),
];

// design: 003 tool-based, ToolDefinition.name, ToolDefinition.required_role
// design: 003 ToolDefinition.api_endpoint, ToolDefinition.http_method, create_gate_pass
// design: 003 list_gate_passes, get_gate_pass_details, print_gate_pass, list_pending_gate_passes
// design: 003 get_gate_pass_by_number, approve_gate_pass, reject_gate_pass, delete_gate_pass
// design: 003 list_all_gate_passes_admin, print_gate_pass_admin, scan_exit, scan_return
// design: 003 get_gate_pass_by_number_gate, get_gate_pass_by_id_gate, get_gate_pass_photos
// design: 003 get_admin_notifications, get_hr_notifications, mark_notification_read, get_qr_code
#[test]
fn the_table_matches_the_design() {
    let words = |entry: &Entry, required: bool| {
        let parameters = entry.operation.parameters.iter();
        let names: Vec<&str> = parameters
            .filter(|(_, p)| (p.required == Some(true)) == required)
            .map(|(name, _)| name.as_str())
            .collect();
        names.join(" ")
    };
    let table: Vec<(String, String, String, String, String)> = entries()
        .iter()
        .map(|entry| {
            let roles: Vec<&str> = entry.def.spec.roles.iter().map(Role::as_str).collect();
            (
                entry.def.name.to_string(),
                entry.operation.request.to_string(),
                roles.join(" "),
                words(entry, true),
                words(entry, false),
            )
        })
        .collect();
    let design: Vec<(String, String, String, String, String)> = DESIGN
        .iter()
        .map(|(name, endpoint, roles, required, optional)| {
            (
                (*name).into(),
                (*endpoint).into(),
                (*roles).into(),
                (*required).into(),
                (*optional).into(),
            )
        })
        .collect();
    assert_eq!(table, design);
}

#[test]
fn only_posts_and_mark_read_have_effects() {
    for entry in entries().iter() {
        let writes = entry.operation.request.method == HttpMethod::Post
            || entry.def.name == "mark_notification_read";
        let expected = if writes {
            Effect::Idempotent
        } else {
            Effect::Read
        };
        assert_eq!(entry.def.spec.effect, expected, "{}", entry.def.name);
    }
}

#[tokio::test]
async fn a_write_without_idempotency_keys_never_runs_again() {
    let settings = [("gatepass.api_idempotency_keys", "no")];
    let bench = Bench::with("http://127.0.0.1:9", &settings, plain_tokens()).await;
    let posts = entries()
        .iter()
        .filter(|entry| entry.operation.request.method == HttpMethod::Post);
    for entry in posts {
        let def = bench.assistant.toolbox.get(&entry.def.name).unwrap();
        assert_eq!(def.spec.effect, Effect::AtMostOnce, "{}", entry.def.name);
    }
}

#[test]
fn confirmations_match_the_design() {
    for entry in entries().iter() {
        let spec = &entry.def.spec;
        let expected = match entry.def.name.as_ref() {
            "approve_gate_pass" | "reject_gate_pass" | "delete_gate_pass" => ApprovalRule::Always {
                approvers: Vec::new(),
            },
            _ => ApprovalRule::UnlessOrdered,
        };
        assert_eq!(spec.approval, expected, "{}", entry.def.name);
        let target = match entry.def.name.as_ref() {
            "approve_gate_pass" | "reject_gate_pass" | "delete_gate_pass" | "scan_exit"
            | "scan_return" => Some("pass_number"),
            "create_gate_pass" => Some("person_name"),
            "mark_notification_read" => Some("notification_id"),
            _ => None,
        };
        assert_eq!(spec.target.as_deref(), target, "{}", entry.def.name);
    }
}

#[test]
fn every_write_has_a_verb_on_its_buttons_and_only_deleting_is_red() {
    for entry in entries()
        .iter()
        .filter(|entry| entry.def.spec.effect.writes())
    {
        let def = &entry.def;
        assert_eq!(
            def.spec.destructive,
            entry.def.name == "delete_gate_pass",
            "{}",
            entry.def.name
        );
        let (confirm, decline) = (def.verb(), def.decline());
        let verb = confirm.split(' ').next().unwrap().to_lowercase();
        assert!(decline.starts_with(&format!("Don't {verb}")), "{decline}");
        let previews = def.spec.preview.is_some();
        assert_eq!(
            previews,
            def.spec.target.as_deref() == Some("pass_number"),
            "{}",
            entry.def.name
        );
    }
}

// design: 003 tool registry, unit registry
#[tokio::test]
async fn tools_are_offered_in_openai_form_and_found_by_name() {
    let bench = Bench::new("http://127.0.0.1:9").await;
    let toolbox = &bench.assistant.toolbox;
    assert_eq!(toolbox.defs().count(), 20);
    let scan = toolbox.get("scan_exit").unwrap().to_openai_format();
    assert_eq!(scan["type"], "function");
    assert_eq!(scan["function"]["name"], "scan_exit");
    let parameters = &scan["function"]["parameters"];
    assert_eq!(
        parameters["required"],
        serde_json::json!(["pass_number", "photo"])
    );
    assert_eq!(
        parameters["properties"]["pass_number"]["pattern"],
        r"^GP-\d{4}-\d{4,6}$"
    );
    assert_eq!(
        parameters["properties"]["photo"].get("x-handle"),
        None,
        "the keyword is ours"
    );
    assert!(toolbox.get("open_the_gate").is_none());
}

// design: 003 unit registry duplicates
#[tokio::test]
async fn a_second_tool_of_the_same_name_is_refused() {
    let bench = Bench::new("http://127.0.0.1:9").await;
    let entry = entry("create_gate_pass");
    let tool = &bench.gate.tools[entry.def.name.as_ref()].1;
    let runner = || Arc::new(Runner::new(Arc::clone(tool), chrono_tz::Tz::UTC));
    let built = Toolbox::builder()
        .data_tool(entry.def.clone(), runner())
        .data_tool(entry.def.clone(), runner())
        .build();
    assert_eq!(
        built.err(),
        Some(ToolboxError::RepeatedName(entry.def.name.to_string()))
    );
}

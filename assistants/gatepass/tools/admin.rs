//! Tools of admins: decisions about passes. Decisions and deletions always need confirmation,
//! because the description of a pass is untrusted text.

use frontdesk_core::tool::Effect;
use serde_json::json;

use super::parameters::{OWN_NAME, PASS_NUMBER, STATUS};
use super::{ADMIN, Consent, Entry};
use crate::api::Method;
use crate::replies::Reply;

pub(super) const TOOLS: &[Entry] = &[
    Entry {
        name: "list_pending_gate_passes",
        title: "List pending gate passes",
        description: "List the gate passes that wait for an admin's approval, newest first.",
        parameters: &[],
        roles: ADMIN,
        method: Method::Get,
        endpoint: "/admin/gatepass/pending",
        effect: Effect::Read,
        consent: Consent::None,
        reply: Reply::Passes,
        next: &[],
        examples: || {
            vec![
                ("What is waiting for my approval?", json!({})),
                ("Show the pending passes", json!({})),
                ("Any new requests to decide?", json!({})),
                ("What do I have to decide today?", json!({})),
            ]
        },
    },
    Entry {
        name: "get_gate_pass_by_number",
        title: "Show a gate pass",
        description: "Show everything about one gate pass by its number: person, purpose, state and times.",
        parameters: &[PASS_NUMBER],
        roles: ADMIN,
        method: Method::Get,
        endpoint: "/admin/gatepass/{pass_number}",
        effect: Effect::Read,
        consent: Consent::None,
        reply: Reply::Pass,
        next: &[],
        examples: || {
            vec![
                (
                    "Show me GP-2026-0012",
                    json!({ "pass_number": "GP-2026-0012" }),
                ),
                (
                    "Who is pass GP-2026-0007 for?",
                    json!({ "pass_number": "GP-2026-0007" }),
                ),
                (
                    "Details of GP-2026-0011 please",
                    json!({ "pass_number": "GP-2026-0011" }),
                ),
            ]
        },
    },
    Entry {
        name: "approve_gate_pass",
        title: "Approve a gate pass",
        description: "Approve a gate pass that is pending, so that the person may leave. Needs the pass number and the admin's name, which is that of the signed-in person.",
        parameters: &[PASS_NUMBER, OWN_NAME],
        roles: ADMIN,
        method: Method::Post,
        endpoint: "/admin/gatepass/{pass_number}/approve",
        effect: Effect::Idempotent,
        consent: Consent::Always,
        reply: Reply::Changed("Approved"),
        next: &["Print it", "Show its QR code"],
        examples: || {
            vec![
                (
                    "Approve GP-2026-0012",
                    json!({ "pass_number": "GP-2026-0012" }),
                ),
                (
                    "GP-2026-0011 is fine, let her go",
                    json!({ "pass_number": "GP-2026-0011" }),
                ),
                (
                    "Give the go-ahead for pass GP-2026-0007, I am Omar Farooq",
                    json!({ "pass_number": "GP-2026-0007" }),
                ),
                (
                    "Please sign off on GP-2026-0013",
                    json!({ "pass_number": "GP-2026-0013" }),
                ),
            ]
        },
    },
    Entry {
        name: "reject_gate_pass",
        title: "Reject a gate pass",
        description: "Reject a gate pass that is pending; the person may not leave on it. Needs the pass number and the admin's name, which is that of the signed-in person.",
        parameters: &[PASS_NUMBER, OWN_NAME],
        roles: ADMIN,
        method: Method::Post,
        endpoint: "/admin/gatepass/{pass_number}/reject",
        effect: Effect::Idempotent,
        consent: Consent::Always,
        reply: Reply::Changed("Rejected"),
        next: &["List the pending passes"],
        examples: || {
            vec![
                (
                    "Reject GP-2026-0012",
                    json!({ "pass_number": "GP-2026-0012" }),
                ),
                (
                    "Turn down pass GP-2026-0011",
                    json!({ "pass_number": "GP-2026-0011" }),
                ),
                (
                    "No, GP-2026-0007 is refused",
                    json!({ "pass_number": "GP-2026-0007" }),
                ),
                (
                    "Decline GP-2026-0013, my name is Omar Farooq",
                    json!({ "pass_number": "GP-2026-0013" }),
                ),
                (
                    "No go for GP-2026-0011",
                    json!({ "pass_number": "GP-2026-0011" }),
                ),
            ]
        },
    },
    Entry {
        name: "delete_gate_pass",
        title: "Delete a gate pass",
        description: "Delete a gate pass on which nobody has left yet. Needs the pass number and the admin's name, which is that of the signed-in person. The person is asked to confirm each time.",
        parameters: &[PASS_NUMBER, OWN_NAME],
        roles: ADMIN,
        method: Method::Post,
        endpoint: "/admin/gatepass/{pass_number}/delete",
        effect: Effect::Idempotent,
        consent: Consent::Always,
        reply: Reply::Deleted,
        next: &["List all gate passes"],
        examples: || {
            vec![
                (
                    "Delete GP-2026-0004",
                    json!({ "pass_number": "GP-2026-0004" }),
                ),
                (
                    "Remove the pass GP-2026-0010, it was a mistake",
                    json!({ "pass_number": "GP-2026-0010" }),
                ),
                (
                    "Get rid of GP-2026-0011",
                    json!({ "pass_number": "GP-2026-0011" }),
                ),
            ]
        },
    },
    Entry {
        name: "list_all_gate_passes_admin",
        title: "List gate passes",
        description: "List the gate passes, newest first, all of them or only those in one state.",
        parameters: &[STATUS],
        roles: ADMIN,
        method: Method::Get,
        endpoint: "/admin/gatepass/list",
        effect: Effect::Read,
        consent: Consent::None,
        reply: Reply::Passes,
        next: &[],
        examples: || {
            vec![
                ("List all gate passes", json!({})),
                (
                    "Which passes did we reject?",
                    json!({ "status": "rejected" }),
                ),
                (
                    "Show everyone who has exited",
                    json!({ "status": "exited" }),
                ),
                ("Who has come back?", json!({ "status": "returned" })),
            ]
        },
    },
    Entry {
        name: "print_gate_pass_admin",
        title: "Print a gate pass",
        description: "Make the printable version (PDF) of a gate pass from its number. Not possible while the pass is pending.",
        parameters: &[PASS_NUMBER],
        roles: ADMIN,
        method: Method::Get,
        endpoint: "/admin/gatepass/{pass_number}/print",
        effect: Effect::Read,
        consent: Consent::None,
        reply: Reply::Print,
        next: &[],
        examples: || {
            vec![
                (
                    "Print GP-2026-0009",
                    json!({ "pass_number": "GP-2026-0009" }),
                ),
                (
                    "I want a paper copy of GP-2026-0007",
                    json!({ "pass_number": "GP-2026-0007" }),
                ),
                (
                    "Get me the PDF for GP-2026-0012",
                    json!({ "pass_number": "GP-2026-0012" }),
                ),
            ]
        },
    },
];

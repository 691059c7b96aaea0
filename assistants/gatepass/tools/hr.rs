//! Tools of HR: passes for people who leave the site.

use frontdesk_core::tool::Effect;
use serde_json::json;

use super::parameters::{DESCRIPTION, IS_RETURNABLE, PASS_ID, PASS_NUMBER, PERSON_NAME, STATUS};
use super::{Consent, Entry, HR};
use crate::api::Method;
use crate::replies::Reply;

pub(super) const TOOLS: &[Entry] = &[
    Entry {
        name: "create_gate_pass",
        title: "Create a gate pass",
        description: "Make a new gate pass for a person who is to leave the site. Needs the person's name, what the pass is for, and whether they will come back. The pass is pending until an admin decides.",
        parameters: &[PERSON_NAME, DESCRIPTION, IS_RETURNABLE],
        roles: HR,
        method: Method::Post,
        endpoint: "/hr/gatepass/create",
        effect: Effect::Idempotent,
        consent: Consent::UnlessNamed(PERSON_NAME.name),
        reply: Reply::Changed("Created"),
        next: &["Show its QR code", "List the pending passes"],
        examples: || {
            vec![
                (
                    "Create a gate pass for Ali Khan to collect documents from the customs office, he will be back",
                    json!({ "person_name": "Ali Khan", "description": "collect documents from the customs office", "is_returnable": true }),
                ),
                (
                    "Sara Ahmed is leaving with her laptop and won't come back, make her a pass",
                    json!({ "person_name": "Sara Ahmed", "description": "leaving with her laptop", "is_returnable": false }),
                ),
                (
                    "I need a pass for Usman Tariq: bank visit, returning this afternoon",
                    json!({ "person_name": "Usman Tariq", "description": "bank visit", "is_returnable": true }),
                ),
                (
                    "New non-returnable gate pass for Maria Gonzalez, purpose: end of contract",
                    json!({ "person_name": "Maria Gonzalez", "description": "end of contract", "is_returnable": false }),
                ),
                (
                    "Let Danish Raza out for a doctor's appointment, he comes back later",
                    json!({ "person_name": "Danish Raza", "description": "a doctor's appointment", "is_returnable": true }),
                ),
            ]
        },
    },
    Entry {
        name: "list_gate_passes",
        title: "List gate passes",
        description: "List the gate passes, newest first, all of them or only those in one state: pending, approved, rejected, exited or returned.",
        parameters: &[STATUS],
        roles: HR,
        method: Method::Get,
        endpoint: "/hr/gatepass/list",
        effect: Effect::Read,
        consent: Consent::None,
        reply: Reply::Passes,
        next: &[],
        examples: || {
            vec![
                ("Show me all gate passes", json!({})),
                (
                    "Which passes have been approved?",
                    json!({ "status": "approved" }),
                ),
                ("List the rejected ones", json!({ "status": "rejected" })),
                (
                    "Who has left the site and is still out?",
                    json!({ "status": "exited" }),
                ),
                (
                    "What is still waiting for approval?",
                    json!({ "status": "pending" }),
                ),
            ]
        },
    },
    Entry {
        name: "get_gate_pass_details",
        title: "Show a gate pass",
        description: "Show everything about one gate pass by its ID (its number is understood too): person, purpose, state and times.",
        parameters: &[PASS_ID],
        roles: HR,
        method: Method::Get,
        endpoint: "/hr/gatepass/{pass_id}",
        effect: Effect::Read,
        consent: Consent::None,
        reply: Reply::Pass,
        next: &["Show its QR code"],
        examples: || {
            vec![
                (
                    "Show me the details of GP-2026-0007",
                    json!({ "pass_id": "GP-2026-0007" }),
                ),
                (
                    "What is the status of pass GP-2026-0012?",
                    json!({ "pass_id": "GP-2026-0012" }),
                ),
                (
                    "Look up the pass with the ID 0198c1d2-7a10-7f3e-9b42-5a1d2c3b4e5f",
                    json!({ "pass_id": "0198c1d2-7a10-7f3e-9b42-5a1d2c3b4e5f" }),
                ),
                (
                    "Has GP-2026-0003 been approved yet?",
                    json!({ "pass_id": "GP-2026-0003" }),
                ),
            ]
        },
    },
    Entry {
        name: "print_gate_pass",
        title: "Print a gate pass",
        description: "Make the printable version (PDF) of a gate pass from its number (GP-YYYY-NNNN). Not possible while the pass is pending.",
        parameters: &[PASS_NUMBER],
        roles: HR,
        method: Method::Get,
        endpoint: "/hr/gatepass/{pass_number}/print",
        effect: Effect::Read,
        consent: Consent::None,
        reply: Reply::Print,
        next: &[],
        examples: || {
            vec![
                (
                    "Print GP-2026-0007",
                    json!({ "pass_number": "GP-2026-0007" }),
                ),
                (
                    "I need pass GP-2026-0012 on paper",
                    json!({ "pass_number": "GP-2026-0012" }),
                ),
                (
                    "Give me the PDF of GP-2026-0009",
                    json!({ "pass_number": "GP-2026-0009" }),
                ),
            ]
        },
    },
];

//! Tools of guards: record exits and returns, with a photo.

use frontdesk_core::tool::Effect;
use serde_json::json;

use super::parameters::{PASS_ID, PASS_NUMBER, PHOTO};
use super::{Consent, Entry, GATE};
use crate::api::Method;
use crate::replies::Reply;

pub(super) const TOOLS: &[Entry] = &[
    Entry {
        name: "scan_exit",
        title: "Record an exit",
        description: "Record that a person leaves the site on an approved gate pass. Needs the pass number and a photo of the person; ask for the photo when none is attached.",
        parameters: &[PASS_NUMBER, PHOTO],
        roles: GATE,
        method: Method::Post,
        endpoint: "/gate/scan-exit",
        effect: Effect::Idempotent,
        consent: Consent::UnlessNamed(PASS_NUMBER.name),
        reply: Reply::Changed("Recorded the exit on"),
        next: &["Show its photos"],
        examples: || {
            vec![
                (
                    "Scan exit for GP-2026-0009, photo attached",
                    json!({ "pass_number": "GP-2026-0009", "photo": "file:1" }),
                ),
                (
                    "She is going out on GP-2026-0010, here is her picture",
                    json!({ "pass_number": "GP-2026-0010", "photo": "file:1" }),
                ),
                (
                    "GP-2026-0012 is leaving now",
                    json!({ "pass_number": "GP-2026-0012", "photo": "file:1" }),
                ),
                (
                    "Sara is leaving on GP-2026-0011",
                    json!({ "pass_number": "GP-2026-0011", "photo": "file:1" }),
                ),
                (
                    "Log the exit on GP-2026-0007",
                    json!({ "pass_number": "GP-2026-0007", "photo": "file:1" }),
                ),
                (
                    "Exit GP-2026-0009",
                    json!({ "pass_number": "GP-2026-0009", "photo": "file:1" }),
                ),
            ]
        },
    },
    Entry {
        name: "scan_return",
        title: "Record a return",
        description: "Record that a person who left on a returnable gate pass is back on the site. Needs the pass number and a photo of the person; ask for the photo when none is attached.",
        parameters: &[PASS_NUMBER, PHOTO],
        roles: GATE,
        method: Method::Post,
        endpoint: "/gate/scan-return",
        effect: Effect::Idempotent,
        consent: Consent::UnlessNamed(PASS_NUMBER.name),
        reply: Reply::Changed("Recorded the return on"),
        next: &["Show its photos"],
        examples: || {
            vec![
                (
                    "Scan return for GP-2026-0008, photo attached",
                    json!({ "pass_number": "GP-2026-0008", "photo": "file:1" }),
                ),
                (
                    "He is back on GP-2026-0007",
                    json!({ "pass_number": "GP-2026-0007", "photo": "file:1" }),
                ),
                (
                    "GP-2026-0009 has come back in, here is the picture",
                    json!({ "pass_number": "GP-2026-0009", "photo": "file:1" }),
                ),
                (
                    "Return GP-2026-0009",
                    json!({ "pass_number": "GP-2026-0009", "photo": "file:1" }),
                ),
            ]
        },
    },
    Entry {
        name: "get_gate_pass_by_number_gate",
        title: "Show a gate pass",
        description: "Show a gate pass by its number: who it is for, whether they may leave or are expected back.",
        parameters: &[PASS_NUMBER],
        roles: GATE,
        method: Method::Get,
        endpoint: "/gate/gatepass/number/{pass_number}",
        effect: Effect::Read,
        consent: Consent::None,
        reply: Reply::Pass,
        next: &[],
        examples: || {
            vec![
                (
                    "Check GP-2026-0009",
                    json!({ "pass_number": "GP-2026-0009" }),
                ),
                (
                    "May the person with GP-2026-0010 go out?",
                    json!({ "pass_number": "GP-2026-0010" }),
                ),
                (
                    "Look up pass number GP-2026-0012",
                    json!({ "pass_number": "GP-2026-0012" }),
                ),
            ]
        },
    },
    Entry {
        name: "get_gate_pass_by_id_gate",
        title: "Show a gate pass by ID",
        description: "Show a gate pass by its ID, for example one that was read from another system.",
        parameters: &[PASS_ID],
        roles: GATE,
        method: Method::Get,
        endpoint: "/gate/gatepass/id/{pass_id}",
        effect: Effect::Read,
        consent: Consent::None,
        reply: Reply::Pass,
        next: &[],
        examples: || {
            vec![
                (
                    "Find the pass with the ID 0198c1d2-7a10-7f3e-9b42-5a1d2c3b4e5f",
                    json!({ "pass_id": "0198c1d2-7a10-7f3e-9b42-5a1d2c3b4e5f" }),
                ),
                (
                    "Look up pass ID 0198c1d2-8b21-7c4d-a053-6b2e3d4c5f60",
                    json!({ "pass_id": "0198c1d2-8b21-7c4d-a053-6b2e3d4c5f60" }),
                ),
                (
                    "Which pass has the id 0198c1d2-9c32-7d5e-b164-7c3f4e5d6071?",
                    json!({ "pass_id": "0198c1d2-9c32-7d5e-b164-7c3f4e5d6071" }),
                ),
            ]
        },
    },
    Entry {
        name: "get_gate_pass_photos",
        title: "Show the photos of a gate pass",
        description: "Fetch the photos that were taken at the gate for a gate pass, at the exit and at the return.",
        parameters: &[PASS_NUMBER],
        roles: GATE,
        method: Method::Get,
        endpoint: "/gate/photos/{pass_number}",
        effect: Effect::Read,
        consent: Consent::None,
        reply: Reply::Photos,
        next: &[],
        examples: || {
            vec![
                (
                    "Show the photos of GP-2026-0008",
                    json!({ "pass_number": "GP-2026-0008" }),
                ),
                (
                    "What did the person on GP-2026-0007 look like?",
                    json!({ "pass_number": "GP-2026-0007" }),
                ),
                (
                    "Pictures for GP-2026-0001",
                    json!({ "pass_number": "GP-2026-0001" }),
                ),
            ]
        },
    },
];

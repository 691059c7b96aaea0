//! The toolboxes around a gate pass, one for each role.

use frontdesk_core::tool::{ToolDef, ToolSpec};
use serde_json::{Value, json};

use super::toolboxes::{object, tool};

fn number() -> Value {
    json!({"type": "string", "pattern": r"^GP-\d{4}-\d{4,6}$", "description": "Pass number, like GP-2026-0001."})
}

fn status() -> Value {
    json!({"type": ["string", "null"], "enum": ["pending", "approved", "rejected", "exited", "returned", null],
        "description": "Only passes in this state."})
}

fn qr() -> ToolDef {
    tool(
        "get_qr_code",
        object(json!({"pass_number": number()}), &["pass_number"]),
        ToolSpec::read("Generate a QR code for a gate pass.")
            .title("QR code of a pass")
            .example(
                "QR code for GP-2026-0003",
                json!({"pass_number": "GP-2026-0003"}),
            ),
    )
}

fn mark_read() -> ToolDef {
    tool(
        "mark_notification_read",
        object(
            json!({"notification_id": {"type": "string", "description": "The notification's ID."}}),
            &["notification_id"],
        ),
        ToolSpec::idempotent("Mark a notification as read.")
            .title("Mark a notification as read")
            .target("notification_id")
            .example(
                "mark notification 17 as read",
                json!({"notification_id": "17"}),
            ),
    )
}

pub(super) fn hr() -> Vec<ToolDef> {
    vec![
        tool(
            "create_gate_pass",
            object(
                json!({
                    "person_name": {"type": "string", "description": "Name of the person who leaves.", "minLength": 1, "maxLength": 100},
                    "description": {"type": "string", "description": "Purpose of the gate pass.", "minLength": 1, "maxLength": 500},
                    "is_returnable": {"type": "boolean", "description": "Whether the person will return."},
                }),
                &["person_name", "description", "is_returnable"],
            ),
            ToolSpec::at_most_once("Create a new gate pass for a person. Needs the person's name, the purpose, and whether the person will return.")
                .title("Create a gate pass")
                .example(
                    "Create a gate pass for Ali Khan to visit the bank, he will return",
                    json!({"person_name": "Ali Khan", "description": "visit the bank", "is_returnable": true}),
                )
                .example(
                    "New pass for Sara Ahmed, medical appointment, she won't come back",
                    json!({"person_name": "Sara Ahmed", "description": "medical appointment", "is_returnable": false}),
                ),
        ),
        tool(
            "list_gate_passes",
            object(json!({"status": status()}), &[]),
            ToolSpec::read("List all gate passes with optional status filtering.")
                .title("List gate passes")
                .example("show all passes", json!({}))
                .example("which passes are approved?", json!({"status": "approved"}))
                .example("what is waiting for approval", json!({"status": "pending"})),
        ),
        tool(
            "get_gate_pass_details",
            object(json!({"pass_id": {"type": "string", "description": "The gate pass ID or its number."}}), &["pass_id"]),
            ToolSpec::read("Get detailed information about a specific gate pass using its ID.")
                .title("Details of a pass")
                .example("details of GP-2026-0001", json!({"pass_id": "GP-2026-0001"})),
        ),
        tool(
            "print_gate_pass",
            object(json!({"pass_number": number()}), &["pass_number"]),
            ToolSpec::read("Generate a printable version of a gate pass using its pass number.")
                .title("Print a pass")
                .example("print GP-2026-0001", json!({"pass_number": "GP-2026-0001"})),
        ),
        tool(
            "get_hr_notifications",
            object(json!({}), &[]),
            ToolSpec::read("Retrieve notifications for HR users.")
                .title("My notifications")
                .example("any news for me?", json!({}))
                .example("show my notifications", json!({})),
        ),
        mark_read(),
        qr(),
    ]
}

pub(super) fn admin() -> Vec<ToolDef> {
    let decide = |verb: &str| {
        object(
            json!({
                "pass_number": number(),
                "name": {"type": "string", "description": format!("Name of the {verb} admin.")},
            }),
            &["pass_number", "name"],
        )
    };
    vec![
        tool(
            "list_pending_gate_passes",
            object(json!({}), &[]),
            ToolSpec::read("List all gate passes that are pending approval.")
                .title("Passes waiting for approval")
                .example("what do I have to approve?", json!({}))
                .example("pending passes", json!({})),
        ),
        tool(
            "get_gate_pass_by_number",
            object(json!({"pass_number": number()}), &["pass_number"]),
            ToolSpec::read("Get detailed information about a gate pass using its pass number.")
                .title("Details of a pass")
                .example(
                    "show me GP-2026-0001",
                    json!({"pass_number": "GP-2026-0001"}),
                )
                .example(
                    "what is the status of GP-2026-0002?",
                    json!({"pass_number": "GP-2026-0002"}),
                ),
        ),
        tool(
            "approve_gate_pass",
            decide("approving"),
            ToolSpec::at_most_once(
                "Approve a pending gate pass. Requires the pass number and admin name.",
            )
            .title("Approve a gate pass")
            .target("pass_number")
            .example(
                "approve GP-2026-0001, I am Omar",
                json!({"pass_number": "GP-2026-0001", "name": "Omar"}),
            ),
        ),
        tool(
            "reject_gate_pass",
            decide("rejecting"),
            ToolSpec::at_most_once(
                "Reject a pending gate pass. Requires the pass number and admin name.",
            )
            .title("Reject a gate pass")
            .target("pass_number")
            .example(
                "reject GP-2026-0001 as Omar",
                json!({"pass_number": "GP-2026-0001", "name": "Omar"}),
            ),
        ),
        tool(
            "delete_gate_pass",
            decide("deleting"),
            ToolSpec::at_most_once("Delete a gate pass. Requires the pass number and admin name.")
                .title("Delete a gate pass")
                .target("pass_number")
                .example(
                    "delete GP-2026-0001, Omar",
                    json!({"pass_number": "GP-2026-0001", "name": "Omar"}),
                ),
        ),
        tool(
            "list_all_gate_passes_admin",
            object(json!({"status": status()}), &[]),
            ToolSpec::read("List all gate passes with optional status filtering.")
                .title("List gate passes")
                .example("show all passes", json!({}))
                .example("rejected passes", json!({"status": "rejected"})),
        ),
        tool(
            "print_gate_pass_admin",
            object(json!({"pass_number": number()}), &["pass_number"]),
            ToolSpec::read("Generate a printable version of a gate pass.")
                .title("Print a pass")
                .example("print GP-2026-0001", json!({"pass_number": "GP-2026-0001"})),
        ),
        tool(
            "get_admin_notifications",
            object(json!({}), &[]),
            ToolSpec::read("Retrieve notifications for admin users.")
                .title("My notifications")
                .example("show my notifications", json!({})),
        ),
        mark_read(),
        qr(),
    ]
}

pub(super) fn gate() -> Vec<ToolDef> {
    let scan = |direction: &str| {
        object(
            json!({
                "pass_number": number(),
                "photo": {"type": "string", "x-handle": "file", "description": format!("Photo of the person {direction}.")},
            }),
            &["pass_number", "photo"],
        )
    };
    vec![
        tool(
            "scan_exit",
            scan("exiting"),
            ToolSpec::at_most_once("Record a person's exit from the facility. Requires the gate pass number and a photo of the person.")
                .title("Record an exit")
                .target("pass_number")
                .example("GP-2026-0001 is leaving, photo attached", json!({"pass_number": "GP-2026-0001", "photo": "file:1"})),
        ),
        tool(
            "scan_return",
            scan("returning"),
            ToolSpec::at_most_once("Record a person's return to the facility. Requires the gate pass number and a photo of the person.")
                .title("Record a return")
                .target("pass_number")
                .example("GP-2026-0001 is back, photo attached", json!({"pass_number": "GP-2026-0001", "photo": "file:1"})),
        ),
        tool(
            "get_gate_pass_by_number_gate",
            object(json!({"pass_number": number()}), &["pass_number"]),
            ToolSpec::read("Get gate pass details using the pass number.")
                .title("Details of a pass by number")
                .example("check GP-2026-0001", json!({"pass_number": "GP-2026-0001"})),
        ),
        tool(
            "get_gate_pass_by_id_gate",
            object(json!({"pass_id": {"type": "string", "format": "uuid", "description": "The gate pass ID."}}), &["pass_id"]),
            ToolSpec::read("Get gate pass details using the pass ID.").title("Details of a pass by ID"),
        ),
        tool(
            "get_gate_pass_photos",
            object(json!({"pass_number": number()}), &["pass_number"]),
            ToolSpec::read("Retrieve photos associated with a gate pass.")
                .title("Photos of a pass")
                .example("show the photos of GP-2026-0001", json!({"pass_number": "GP-2026-0001"})),
        ),
        qr(),
    ]
}

//! Notifications, and the QR code that every role may have.

use frontdesk_core::tool::Effect;
use serde_json::json;

use super::parameters::{NOTIFICATION_ID, PASS_NUMBER};
use super::{ADMIN, Consent, EVERYONE, Entry, HR, OFFICE};
use crate::api::Method;
use crate::replies::Reply;

pub(super) const TOOLS: &[Entry] = &[
    Entry {
        name: "get_admin_notifications",
        title: "Show notifications",
        description: "Show the notifications for admins, newest first.",
        parameters: &[],
        roles: ADMIN,
        method: Method::Get,
        endpoint: "/notifications/admin",
        effect: Effect::Read,
        consent: Consent::None,
        reply: Reply::Notifications,
        next: &[],
        examples: || {
            vec![
                ("Do I have any notifications?", json!({})),
                ("What's new?", json!({})),
                ("Check the admin notifications", json!({})),
            ]
        },
    },
    Entry {
        name: "get_hr_notifications",
        title: "Show notifications",
        description: "Show the notifications for HR, newest first.",
        parameters: &[],
        roles: HR,
        method: Method::Get,
        endpoint: "/notifications/hr",
        effect: Effect::Read,
        consent: Consent::None,
        reply: Reply::Notifications,
        next: &[],
        examples: || {
            vec![
                ("Any news about my passes?", json!({})),
                ("Show my notifications", json!({})),
                ("What happened while I was away?", json!({})),
            ]
        },
    },
    Entry {
        name: "mark_notification_read",
        title: "Mark a notification as read",
        description: "Mark one notification as read, by its ID from the list of notifications.",
        parameters: &[NOTIFICATION_ID],
        roles: OFFICE,
        // The API contract has it as a GET, although it changes state.
        method: Method::Get,
        endpoint: "/notifications/mark-read/{notification_id}",
        effect: Effect::Idempotent,
        consent: Consent::UnlessNamed(NOTIFICATION_ID.name),
        reply: Reply::MarkedRead,
        next: &[],
        examples: || {
            vec![
                (
                    "Mark notification 0198c1d2-7a10-7f3e-9b42-5a1d2c3b4e5f as read",
                    json!({ "notification_id": "0198c1d2-7a10-7f3e-9b42-5a1d2c3b4e5f" }),
                ),
                (
                    "I have read 0198c1d2-8b21-7c4d-a053-6b2e3d4c5f60",
                    json!({ "notification_id": "0198c1d2-8b21-7c4d-a053-6b2e3d4c5f60" }),
                ),
                (
                    "Dismiss the notification 0198c1d2-9c32-7d5e-b164-7c3f4e5d6071",
                    json!({ "notification_id": "0198c1d2-9c32-7d5e-b164-7c3f4e5d6071" }),
                ),
            ]
        },
    },
    Entry {
        name: "get_qr_code",
        title: "Show the QR code of a gate pass",
        description: "Make the QR code of a gate pass, as a picture to show or to print.",
        parameters: &[PASS_NUMBER],
        roles: EVERYONE,
        method: Method::Get,
        endpoint: "/qr/{pass_number}",
        effect: Effect::Read,
        consent: Consent::None,
        reply: Reply::Qr,
        next: &[],
        examples: || {
            vec![
                (
                    "QR code for GP-2026-0007",
                    json!({ "pass_number": "GP-2026-0007" }),
                ),
                (
                    "Give me the code to scan for GP-2026-0012",
                    json!({ "pass_number": "GP-2026-0012" }),
                ),
                (
                    "Show the QR of pass GP-2026-0009",
                    json!({ "pass_number": "GP-2026-0009" }),
                ),
            ]
        },
    },
];

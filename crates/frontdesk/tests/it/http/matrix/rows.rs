//! One row for each operation: the request, and the expected status for every caller.

use serde_json::{Value, json};
use uuid::Uuid;

use super::cast::Who;
use super::objects::{NOWHERE, Objects, Ownership};
use crate::harness::Backing;

pub struct Row {
    /// Method and path, as in the router.
    pub operation: &'static str,
    /// Distinguishes several requests to one operation.
    pub variant: &'static str,
    pub signed_in: bool,
    /// Whether success changes the objects.
    pub changes: bool,
    /// Whether the response never ends; only its head is read.
    pub endless: bool,
    pub path: fn(&str, &Objects) -> String,
    pub body: fn(&Objects, Ownership) -> Body,
    pub expects: fn(Who, Ownership, Backing) -> u16,
}

pub enum Body {
    None,
    Json(Value),
    File { conversation: String },
}

/// Open to everyone.
const OPEN: Row = Row {
    operation: "",
    variant: "",
    signed_in: false,
    changes: false,
    endless: false,
    path: fill,
    body: |_, _| Body::None,
    expects: |_, _, _| 200,
};

/// Open to everyone who is signed in, about themselves.
const SELF: Row = Row {
    signed_in: true,
    expects: |who, _, _| door(who).unwrap_or(200),
    ..OPEN
};

/// Open to those who can see the conversation.
const SEE: Row = Row {
    expects: |who, what, _| sees(who, what).unwrap_or(200),
    ..SELF
};

fn fill(path: &str, objects: &Objects) -> String {
    path.replace("{id}", &objects.conversation)
        .replace("{turn}", &objects.turn)
        .replace("{artifact}", &objects.artifact)
        .replace("{name}", objects.assistant)
}

fn door(who: Who) -> Option<u16> {
    (!who.is_signed_in()).then_some(401)
}

/// Status of the refusal if a caller cannot see a conversation.
fn sees(who: Who, what: Ownership) -> Option<u16> {
    if let Some(refused) = door(who) {
        return Some(refused);
    }
    match what {
        Ownership::Missing => Some(404),
        Ownership::Private => (who != Who::Owner).then_some(403),
        Ownership::Shared => (!who.belongs()).then_some(403),
    }
}

/// Status of the refusal if a caller may not post: posting needs access and the assistant's role.
fn speaks(who: Who, what: Ownership) -> Option<u16> {
    sees(who, what).or_else(|| (!who.has_role()).then_some(403))
}

/// Status of the refusal if a caller may not do what only the owner may.
fn owns(who: Who, what: Ownership) -> Option<u16> {
    sees(who, what).or_else(|| (who != Who::Owner).then_some(403))
}

/// Status of the refusal if a caller may not decide a card that waits for the owner.
fn decides(who: Who, what: Ownership) -> Option<u16> {
    door(who).or(match what {
        Ownership::Missing => Some(404),
        Ownership::Private | Ownership::Shared => (who != Who::Owner).then_some(403),
    })
}

/// Status of the refusal if a caller cannot see the owner's company.
fn company(who: Who, what: Ownership) -> Option<u16> {
    door(who).or(match what {
        Ownership::Missing => Some(404),
        Ownership::Private | Ownership::Shared => (!who.belongs()).then_some(403),
    })
}

/// Status of the refusal if a caller may not manage the company.
fn runs(who: Who, what: Ownership) -> Option<u16> {
    company(who, what).or_else(|| (!matches!(who, Who::Owner | Who::Admin)).then_some(403))
}

fn of_company(path: &str, objects: &Objects) -> String {
    path.replace("{id}", &objects.company)
        .replace("{profile}", NOWHERE)
        .replace("{invitation}", NOWHERE)
}

/// Nobody in the cast is in the workspace of the demo's gigs.
const GIGS: Row = Row {
    path: |path, _| {
        let gig = frontdesk_core::persona::demo_id("gig", "landing");
        path.replace("{id}", &gig.to_string())
    },
    expects: |who, _, _| door(who).unwrap_or(403),
    ..SELF
};

/// Nobody in the cast has a gate pass role.
const GATES: Row = Row {
    path: |path, _| {
        path.replace("{pass_number}", "GP-2026-0001")
            .replace("{photo_id}", NOWHERE)
            .replace("{notification_id}", NOWHERE)
    },
    expects: |who, _, _| door(who).unwrap_or(403),
    ..SELF
};

fn of_message(path: &str, objects: &Objects) -> String {
    path.replace("{id}", &objects.message)
}

/// Demo people exist on the embedded database only.
fn demo(backing: Backing, status: u16) -> u16 {
    match backing {
        Backing::Sqlite => status,
        Backing::Postgres => 404,
    }
}

pub const ROWS: &[Row] = &[
    Row {
        operation: "GET /healthz",
        ..OPEN
    },
    Row {
        operation: "GET /readyz",
        ..OPEN
    },
    Row {
        operation: "POST /api/v1/conversations",
        body: |objects, what| {
            Body::Json(match what {
                Ownership::Private => json!({ "assistant": "planner" }),
                Ownership::Shared | Ownership::Missing => {
                    json!({ "assistant": "planner", "company_id": objects.company })
                }
            })
        },
        expects: |who, what, _| {
            door(who).unwrap_or_else(|| {
                let member =
                    what == Ownership::Private || (what == Ownership::Shared && who.belongs());
                if who.has_role() && member { 201 } else { 403 }
            })
        },
        ..SELF
    },
    Row {
        operation: "GET /api/v1/conversations",
        ..SELF
    },
    Row {
        operation: "GET /api/v1/conversations/{id}",
        ..SEE
    },
    Row {
        operation: "PATCH /api/v1/conversations/{id}",
        variant: "rename",
        changes: true,
        body: |_, _| Body::Json(json!({ "title": "Mine now" })),
        expects: |who, what, _| owns(who, what).unwrap_or(200),
        ..SEE
    },
    Row {
        operation: "PATCH /api/v1/conversations/{id}",
        variant: "move the phase",
        changes: true,
        body: |_, _| Body::Json(json!({ "phase": "roi" })),
        expects: |who, what, _| speaks(who, what).unwrap_or(200),
        ..SEE
    },
    Row {
        operation: "PATCH /api/v1/conversations/{id}",
        variant: "give it away",
        changes: true,
        body: |objects, _| Body::Json(json!({ "owner": objects.profile })),
        expects: |who, what, _| owns(who, what).unwrap_or(200),
        ..SEE
    },
    Row {
        operation: "DELETE /api/v1/conversations/{id}",
        changes: true,
        expects: |who, what, _| owns(who, what).unwrap_or(204),
        ..SEE
    },
    Row {
        operation: "POST /api/v1/conversations/{id}/reset",
        changes: true,
        expects: |who, what, _| owns(who, what).unwrap_or(200),
        ..SEE
    },
    Row {
        operation: "POST /api/v1/conversations/{id}/title",
        changes: true,
        body: |_, _| Body::Json(json!({ "suggestion": "Travel" })),
        expects: |who, what, _| sees(who, what).unwrap_or(200),
        ..SEE
    },
    Row {
        operation: "POST /api/v1/conversations/{id}/messages",
        changes: true,
        body: |_, _| Body::Json(json!({ "content": "Hello" })),
        expects: |who, what, _| speaks(who, what).unwrap_or(201),
        ..SEE
    },
    Row {
        operation: "POST /api/v1/conversations/{id}/messages",
        variant: "with a file of the conversation",
        changes: true,
        body: |objects, _| {
            Body::Json(json!({
                "content": "Look", "attachments": [objects.attachment],
            }))
        },
        expects: |who, what, _| speaks(who, what).unwrap_or(201),
        ..SEE
    },
    Row {
        operation: "GET /api/v1/conversations/{id}/messages",
        ..SEE
    },
    Row {
        operation: "POST /api/v1/conversations/{id}/forms",
        changes: true,
        body: |_, _| {
            Body::Json(json!({
                "tool": "write_plan", "arguments": { "title": "x", "steps": [] },
            }))
        },
        expects: |who, what, _| speaks(who, what).unwrap_or(201),
        ..SEE
    },
    Row {
        operation: "GET /api/v1/conversations/{id}/turns/{turn}",
        ..SEE
    },
    Row {
        operation: "GET /api/v1/conversations/{id}/turns/{turn}/events",
        ..SEE
    },
    Row {
        operation: "POST /api/v1/conversations/{id}/turns/{turn}/cancel",
        ..SEE
    },
    Row {
        operation: "POST /api/v1/conversations/{id}/turns/{turn}/retry",
        // The turn was already answered, so there is nothing to retry.
        expects: |who, what, _| speaks(who, what).unwrap_or(409),
        ..SEE
    },
    Row {
        operation: "GET /api/v1/conversations/{id}/turns/{turn}/approvals/{call}/preview",
        path: |path, objects| {
            path.replace("{id}", &objects.waiting)
                .replace("{turn}", &objects.waiting_turn)
                .replace("{call}", &objects.call)
        },
        expects: |who, what, _| decides(who, what).unwrap_or(200),
        ..SEE
    },
    Row {
        operation: "POST /api/v1/conversations/{id}/turns/{turn}/approvals/{call}",
        changes: true,
        path: |path, objects| {
            path.replace("{id}", &objects.waiting)
                .replace("{turn}", &objects.waiting_turn)
                .replace("{call}", &objects.call)
        },
        body: |_, _| Body::Json(json!({ "decision": "approve" })),
        expects: |who, what, _| decides(who, what).unwrap_or(200),
        ..SEE
    },
    Row {
        operation: "GET /api/v1/conversations/{id}/artifacts",
        ..SEE
    },
    Row {
        operation: "GET /api/v1/conversations/{id}/artifacts/{artifact}",
        ..SEE
    },
    Row {
        operation: "GET /api/v1/conversations/{id}/artifacts/{artifact}",
        variant: "as a file",
        path: |path, objects| fill(path, objects) + ".md",
        ..SEE
    },
    Row {
        operation: "PUT /api/v1/conversations/{id}/artifacts/{artifact}",
        body: |_, _| Body::Json(json!({ "fields": { "unknown": true } })),
        expects: |who, what, _| sees(who, what).unwrap_or(422),
        ..SEE
    },
    Row {
        operation: "GET /api/v1/conversations/{id}/artifacts/{artifact}/changes",
        path: |path, objects| format!("{}?since={}", fill(path, objects), objects.artifact),
        ..SEE
    },
    Row {
        operation: "POST /api/v1/attachments",
        body: |objects, _| Body::File {
            conversation: objects.conversation.clone(),
        },
        expects: |who, what, _| sees(who, what).unwrap_or(201),
        ..SEE
    },
    Row {
        operation: "GET /api/v1/attachments/{id}",
        path: |path, objects| path.replace("{id}", &objects.attachment),
        ..SEE
    },
    Row {
        operation: "GET /api/v1/approvals",
        ..SELF
    },
    Row {
        operation: "GET /api/v1/inbox",
        ..SELF
    },
    Row {
        operation: "POST /api/v1/conversations/{id}/messages/{message}/versions",
        changes: true,
        path: |path, objects| fill(path, objects).replace("{message}", &objects.question),
        body: |_, _| Body::Json(json!({ "content": "hello again" })),
        expects: |who, what, _| speaks(who, what).or_else(|| owns(who, what)).unwrap_or(201),
        ..SELF
    },
    Row {
        operation: "POST /api/v1/conversations/{id}/messages/{message}/select",
        changes: true,
        path: |path, objects| fill(path, objects).replace("{message}", &objects.question),
        expects: |who, what, _| sees(who, what).unwrap_or(204),
        ..SELF
    },
    Row {
        operation: "POST /api/v1/conversations/{id}/presence",
        body: |_, _| Body::Json(json!({ "present": true })),
        expects: |who, what, _| sees(who, what).unwrap_or(204),
        ..SEE
    },
    Row {
        operation: "PUT /api/v1/conversations/{id}/marks",
        body: |_, _| Body::Json(json!({ "pinned": true, "archived": false })),
        expects: |who, what, _| sees(who, what).unwrap_or(204),
        ..SELF
    },
    Row {
        operation: "POST /api/v1/conversations/{id}/shares",
        body: |objects, _| Body::Json(json!({ "audience": { "company": objects.company } })),
        expects: |who, what, _| owns(who, what).unwrap_or(201),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/conversations/{id}/shares",
        ..SEE
    },
    Row {
        operation: "DELETE /api/v1/conversations/{id}/shares/{share}",
        path: |path, objects| fill(path, objects).replace("{share}", NOWHERE),
        expects: |who, what, _| sees(who, what).unwrap_or(404),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/shared/{id}",
        path: |path, _| path.replace("{id}", NOWHERE),
        expects: |who, _, _| door(who).unwrap_or(404),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/conversations/{id}/export",
        path: |path, objects| fill(path, objects) + "?format=md",
        ..SEE
    },
    Row {
        operation: "POST /api/v1/me/tokens",
        body: |_, _| Body::Json(json!({ "name": "Nightly report" })),
        expects: |who, _, _| door(who).unwrap_or(201),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/me/tokens",
        ..SELF
    },
    Row {
        operation: "DELETE /api/v1/me/tokens/{id}",
        path: |path, _| path.replace("{id}", NOWHERE),
        expects: |who, _, _| door(who).unwrap_or(404),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/me/mail",
        ..SELF
    },
    Row {
        operation: "PUT /api/v1/me/mail",
        body: |_, _| Body::Json(json!({ "on": false })),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/about",
        ..SELF
    },
    Row {
        operation: "GET /api/v1/search",
        path: |path, _| format!("{path}?q=hello"),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/audit",
        ..SELF
    },
    Row {
        operation: "GET /api/v1/assistants",
        ..SELF
    },
    Row {
        operation: "GET /api/v1/assistants/{name}/tools",
        expects: |who, what, _| {
            door(who).unwrap_or(match what {
                Ownership::Missing => 404,
                Ownership::Private | Ownership::Shared if who.has_role() => 200,
                Ownership::Private | Ownership::Shared => 403,
            })
        },
        ..SELF
    },
    Row {
        operation: "POST /api/v1/assistants/choose",
        body: |_, _| Body::Json(json!({ "content": "What do you know about travel?" })),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/collections",
        ..SELF
    },
    Row {
        operation: "GET /api/v1/collections/{name}/documents",
        ..SELF
    },
    Row {
        operation: "POST /api/v1/collections/{name}/documents",
        body: |_, _| Body::Json(json!({ "url": "http://127.0.0.1/" })),
        expects: |who, _, _| door(who).unwrap_or(if who == Who::Operator { 422 } else { 403 }),
        ..SELF
    },
    Row {
        operation: "POST /api/v1/collections/{name}/files",
        body: |objects, _| Body::File {
            conversation: objects.conversation.clone(),
        },
        // The form is that of attachments: a caller with access gets an unknown field error.
        expects: |who, _, _| door(who).unwrap_or(if who == Who::Operator { 422 } else { 403 }),
        ..SELF
    },
    Row {
        operation: "POST /api/v1/collections/{name}/search",
        body: |_, _| Body::Json(json!({ "query": "travel" })),
        ..SELF
    },
    Row {
        operation: "DELETE /api/v1/collections/{name}/documents",
        path: |path, objects| fill(path, objects) + "?url=x",
        expects: |who, _, _| door(who).unwrap_or(if who == Who::Operator { 404 } else { 403 }),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/sources/{name}",
        path: |_, _| "/api/v1/sources/handbook?path=people/leave.md".to_owned(),
        expects: |who, _, _| door(who).unwrap_or(200),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/me",
        ..SELF
    },
    Row {
        operation: "GET /api/v1/demo/personas",
        expects: |_, _, backing| demo(backing, 200),
        ..OPEN
    },
    Row {
        operation: "POST /api/v1/demo/sign-in",
        body: |_, _| Body::Json(json!({ "persona": "reader" })),
        expects: |_, _, backing| demo(backing, 201),
        ..OPEN
    },
    Row {
        operation: "GET /api/v1/sign-in",
        ..OPEN
    },
    Row {
        operation: "POST /api/v1/sign-in",
        // No issuer is configured.
        body: |_, _| {
            Body::Json(json!({
                "code": "code", "code_verifier": "v".repeat(43), "redirect_uri": "http://127.0.0.1/signed-in",
            }))
        },
        expects: |_, _, _| 404,
        ..OPEN
    },
    Row {
        operation: "GET /api/v1/gatepass/passes",
        ..GATES
    },
    Row {
        operation: "GET /api/v1/gatepass/counts",
        ..GATES
    },
    Row {
        operation: "GET /api/v1/gatepass/passes/{pass_number}",
        ..GATES
    },
    Row {
        operation: "GET /api/v1/gatepass/passes/{pass_number}/qr",
        ..GATES
    },
    Row {
        operation: "GET /api/v1/gatepass/passes/{pass_number}/print",
        ..GATES
    },
    Row {
        operation: "GET /api/v1/gatepass/photos/{photo_id}",
        ..GATES
    },
    Row {
        operation: "GET /api/v1/gatepass/notifications/admin",
        ..GATES
    },
    Row {
        operation: "GET /api/v1/gatepass/notifications/hr",
        ..GATES
    },
    Row {
        operation: "POST /api/v1/gatepass/notifications/{notification_id}/read",
        ..GATES
    },
    Row {
        operation: "GET /api/v1/products",
        ..SELF
    },
    Row {
        operation: "POST /api/v1/products",
        body: |_, _| Body::Json(json!({})),
        // A caller with access gets the missing fields of a product.
        expects: |who, _, _| door(who).unwrap_or(if who == Who::Operator { 422 } else { 403 }),
        ..SELF
    },
    Row {
        operation: "POST /api/v1/products/search",
        body: |_, _| Body::Json(json!({ "query": "restaurant" })),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/products/{sku}",
        path: |path, _| path.replace("{sku}", "pudu-cc1"),
        ..SELF
    },
    Row {
        operation: "DELETE /api/v1/products/{sku}",
        path: |path, _| path.replace("{sku}", "nobody-added-this"),
        expects: |who, _, _| door(who).unwrap_or(if who == Who::Operator { 404 } else { 403 }),
        ..SELF
    },
    Row {
        operation: "POST /api/v1/roi/calculate",
        body: |_, _| Body::Json(json!({ "robots": ["pudu-cc1"] })),
        ..SELF
    },
    Row {
        operation: "POST /api/v1/roi/recommendations",
        body: |_, _| Body::Json(json!({})),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/discovery/questions",
        ..SELF
    },
    Row {
        operation: "GET /api/v1/discovery/{conversation}",
        path: |path, objects| path.replace("{conversation}", &objects.conversation),
        // The conversation uses another assistant, which only people with access may learn.
        expects: |who, what, _| sees(who, what).unwrap_or(404),
        ..SEE
    },
    Row {
        operation: "GET /api/v1/gigs",
        ..SELF
    },
    // A workspace that nobody of the cast is in.
    Row {
        operation: "POST /api/v1/gigs",
        body: |_, _| Body::Json(json!({ "title": "Лендинг", "workspaceId": NOWHERE })),
        ..GIGS
    },
    Row {
        operation: "PATCH /api/v1/gigs/{id}",
        body: |_, _| Body::Json(json!({ "title": "Лендинг" })),
        ..GIGS
    },
    Row {
        operation: "GET /api/v1/gigs/{id}",
        ..GIGS
    },
    Row {
        operation: "GET /api/v1/gigs/{id}/candidates",
        ..GIGS
    },
    Row {
        operation: "POST /api/v1/gigs/{id}/responses",
        body: |_, _| Body::Json(json!({ "name": "r.csv", "content": "candidate_id\nk-1\n" })),
        ..GIGS
    },
    Row {
        operation: "GET /api/v1/gigs/{id}/chat",
        ..GIGS
    },
    Row {
        operation: "PUT /api/v1/gigs/{id}/chat",
        ..GIGS
    },
    Row {
        operation: "POST /api/v1/gigs/{id}/chat",
        body: |_, _| Body::Json(json!({ "message": "Кто лучший?" })),
        ..GIGS
    },
    Row {
        operation: "DELETE /api/v1/gigs/{id}/chat",
        ..GIGS
    },
    // The refusals have tRPC's shape; the procedures define access.
    Row {
        operation: "GET /api/trpc/{path}",
        path: |path, _| path.replace("{path}", "nobody.knows"),
        expects: |_, _, _| 404,
        ..OPEN
    },
    Row {
        operation: "POST /api/trpc/{path}",
        path: |path, _| path.replace("{path}", "nobody.knows"),
        body: |_, _| Body::Json(json!({})),
        expects: |_, _, _| 404,
        ..OPEN
    },
    Row {
        operation: "GET /metrics",
        ..OPEN
    },
    Row {
        operation: "GET /api/v1/events",
        endless: true,
        ..SELF
    },
    Row {
        operation: "GET /api/v1/usage",
        ..SELF
    },
    Row {
        operation: "GET /api/v1/turns",
        expects: |who, _, _| door(who).unwrap_or(if who == Who::Operator { 200 } else { 403 }),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/turns/{turn}",
        expects: |who, what, _| {
            door(who).unwrap_or(match (who, what) {
                (Who::Operator, Ownership::Missing) => 404,
                (Who::Operator, _) => 200,
                _ => 403,
            })
        },
        ..SELF
    },
    Row {
        operation: "GET /api/v1/names",
        path: |path, _| format!("{path}?ids=018f6f2e-7c1a-7a31-9a55-3f0c5d1e2b4a"),
        expects: |who, _, _| door(who).unwrap_or(if who == Who::Operator { 200 } else { 403 }),
        ..SELF
    },
    Row {
        operation: "POST /api/v1/manifests/reload",
        expects: |who, _, _| door(who).unwrap_or(if who == Who::Operator { 200 } else { 403 }),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/installation",
        expects: |who, _, _| door(who).unwrap_or(if who == Who::Operator { 200 } else { 403 }),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/evaluations",
        expects: |who, _, _| door(who).unwrap_or(if who == Who::Operator { 200 } else { 403 }),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/evaluations/{name}",
        expects: |who, _, _| door(who).unwrap_or(if who == Who::Operator { 404 } else { 403 }),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/profiles/me",
        ..SELF
    },
    Row {
        operation: "PUT /api/v1/profiles/me",
        body: |_, _| Body::Json(json!({ "display_name": "Me" })),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/profiles/me/companies",
        ..SELF
    },
    Row {
        operation: "GET /api/v1/profiles/{id}",
        path: |path, objects| path.replace("{id}", &objects.profile),
        expects: |who, what, _| company(who, what).unwrap_or(200),
        ..SELF
    },
    Row {
        operation: "POST /api/v1/companies",
        body: |_, _| Body::Json(json!({ "name": "Another Ltd" })),
        expects: |who, _, _| door(who).unwrap_or(201),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/companies",
        ..SELF
    },
    Row {
        operation: "GET /api/v1/companies/{id}",
        path: of_company,
        expects: |who, what, _| company(who, what).unwrap_or(200),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/companies/{id}/members",
        path: of_company,
        expects: |who, what, _| company(who, what).unwrap_or(200),
        ..SELF
    },
    Row {
        operation: "DELETE /api/v1/companies/{id}/members/{profile}",
        path: of_company,
        // A caller who may remove members gets 404 for an unknown one.
        expects: |who, what, _| runs(who, what).unwrap_or(404),
        ..SELF
    },
    Row {
        operation: "POST /api/v1/companies/{id}/leave",
        changes: true,
        path: of_company,
        expects: |who, what, _| {
            company(who, what).unwrap_or(if who == Who::Owner { 409 } else { 204 })
        },
        ..SELF
    },
    Row {
        operation: "POST /api/v1/companies/{id}/invitations",
        path: of_company,
        body: |_, _| Body::Json(json!({ "email": format!("{}@example.com", Uuid::now_v7()) })),
        expects: |who, what, _| runs(who, what).unwrap_or(201),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/companies/{id}/invitations",
        path: of_company,
        // Invited addresses are visible only to those who may invite.
        expects: |who, what, _| runs(who, what).unwrap_or(200),
        ..SELF
    },
    Row {
        operation: "DELETE /api/v1/companies/{id}/invitations/{invitation}",
        path: of_company,
        expects: |who, what, _| runs(who, what).unwrap_or(404),
        ..SELF
    },
    Row {
        operation: "GET /api/v1/invitations",
        ..SELF
    },
    Row {
        operation: "POST /api/v1/invitations/accept",
        body: |_, _| Body::Json(json!({ "token": "guessed" })),
        expects: |who, _, _| door(who).unwrap_or(404),
        ..SELF
    },
    Row {
        operation: "POST /api/v1/invitations/{id}/accept",
        path: |path, _| path.replace("{id}", NOWHERE),
        expects: |who, _, _| door(who).unwrap_or(404),
        ..SELF
    },
    Row {
        operation: "POST /api/v1/invitations/{id}/decline",
        path: |path, _| path.replace("{id}", NOWHERE),
        expects: |who, _, _| door(who).unwrap_or(404),
        ..SELF
    },
    Row {
        operation: "POST /api/v1/messages/{id}/feedback",
        path: of_message,
        body: |_, _| Body::Json(json!({ "rating": "up" })),
        ..SEE
    },
    Row {
        operation: "GET /api/v1/messages/{id}/feedback",
        path: of_message,
        ..SEE
    },
    Row {
        operation: "DELETE /api/v1/messages/{id}/feedback",
        path: of_message,
        expects: |who, what, _| sees(who, what).unwrap_or(204),
        ..SEE
    },
];

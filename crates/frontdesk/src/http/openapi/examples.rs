//! One example per schema. A test validates each example against its schema.

use serde_json::{Value, json};

const ID: &str = "7f0c1d9e-8a34-4f0e-9a5b-2f6f1d3c4b5a";
const TURN: &str = "01980a3e-7d1c-7c3a-9b52-0d7f6a3c1e10";
const USER_MESSAGE: &str = "01980a3e-7d1c-7c3a-9b52-0d7f6a3c1e12";
const ANSWER: &str = "01980a3e-7d1c-7c3a-9b52-0d7f6a3c1e13";
const FILE: &str = "01980a3e-7d1c-7c3a-9b52-0d7f6a3c1e14";
const DOCUMENT: &str = "01980a3e-7d1c-7c3a-9b52-0d7f6a3c1e15";
const PROFILE: &str = "01980a3e-0000-7c3a-9b52-0d7f6a3c1e16";
const COMPANY: &str = "01980a3e-0000-7c3a-9b52-0d7f6a3c1e17";
const ASSISTANT: &str = frontdesk_assistants::IN_EXAMPLES;
const TIME: &str = "2026-11-16T09:30:00Z";
const LATER: &str = "2026-11-16T09:40:00Z";

pub(super) fn stream() -> String {
    let before = "id: 1\nevent: turn.started\ndata: {\"turn\":\"01980a3e-7d1c-7c3a-9b52-0d7f6a3c1e10\",\"conversation\":\"7f0c1d9e-8a34-4f0e-9a5b-2f6f1d3c4b5a\",\"message\":\"01980a3e-7d1c-7c3a-9b52-0d7f6a3c1e12\",\"assistant\":\"";
    let after = "\",\"author\":{\"id\":\"01980a3e-0000-7c3a-9b52-0d7f6a3c1e16\",\"name\":\"Ann Admin\"}}\n\nid: 10\nevent: text.delta\ndata: {\"text\":\"Good day.\"}\n\n";
    format!("{before}{ASSISTANT}{after}")
}

pub(super) const INGEST: &str = "event: progress\ndata: {\"total\":1,\"done\":1,\"url\":\"https://example.com/handbook\"}\n\nevent: finished\ndata: {\"success\":1,\"unchanged\":0,\"skipped\":0,\"total_chunks\":3,\"failed\":[]}\n\n";

pub(super) fn of(name: &str) -> Option<Value> {
    Some(match name {
        "ConversationCreate" => {
            json!({ "title": "Cleaning the courts", "metadata": { "source": "website" } })
        }
        "ConversationUpdate" => json!({ "title": "Cleaning robots", "owner": PROFILE }),
        "ArtifactEditRequest" => {
            json!({ "text": "# Job ad\n\n## What you will do\n\n* Run payroll\n" })
        }
        "ConversationResponse" => conversation(),
        "MessageCreate" => {
            json!({ "content": "What would a robot save us?", "attachments": [FILE] })
        }
        "MessageResponse" => message(USER_MESSAGE, "user", "What would a robot save us?"),
        "MessageWithAgentResponse" => json!({
            "user_message": message(USER_MESSAGE, "user", "What would a robot save us?"),
            "agent_message": message(ANSWER, "assistant", "About 1,645 a month."),
            "turn": turn(),
        }),
        "FormCreate" => json!({ "tool": "search_products", "arguments": { "query": "scrubber" } }),
        "TurnResponse" => turn(),
        "DecisionCreate" => json!({
            "decision": "approve", "arguments": { "pass_number": "GP-2026-0002" },
        }),
        "PendingApproval" => pending(),
        "Inbox" => inbox(),
        "ApprovalCard" => card(),
        "Preview" => preview(),
        "ArtifactEntry" => json!({
            "id": DOCUMENT, "kind": "job_profile", "key": "", "version": 2, "status": "draft",
        }),
        "Artifact" => json!({
            "id": DOCUMENT, "conversation": ID, "kind": "job_profile", "key": "", "version": 2,
            "status": "confirmed", "title": "Welder", "content": { "must_have": ["MIG", "TIG"] },
            "built_from": [{ "kind": "transcript", "key": "", "version": 1 }], "created_at": TIME,
        }),
        "Attachment" => json!({
            "id": FILE, "conversation_id": ID, "name": "badge.jpg", "media_type": "image/jpeg",
            "bytes": 48_213, "created_at": TIME,
        }),
        "AssistantEntry" => json!({
            "name": ASSISTANT, "title": "Procurement", "description": "Finds cleaning robots for a building and calculates what they save.",
            "greeting": "Which building is it about?", "suggestions": ["We run a warehouse"],
            "phases": [], "message_limit": 8_000,
        }),
        "OfferedTool" => json!({
            "usable": true, "effect": "read", "type": "function",
            "function": {
                "name": "search_products", "description": "Search the catalogue of cleaning robots.",
                "parameters": { "type": "object", "properties": { "query": { "type": "string" } } },
            },
            "title": "Search robots", "handles": {},
        }),
        "SignIn" => json!({ "persona": "reader" }),
        "SignedIn" => json!({ "token": "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl", "me": me() }),
        "SignInOffer" => json!({ "issuer": {
            "issuer": "https://id.example.com", "client_id": "frontdesk",
            "authorization_endpoint": "https://id.example.com/authorize",
            "scope": "openid email profile",
        }}),
        "CodeGrant" => json!({
            "code": "SplxlOBeZQQYbYS6WxSbIA",
            "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            "redirect_uri": "https://desk.example.com/signed-in",
        }),
        "LineChange" => json!({ "kind": "added", "text": "TIG", "old_line": null, "new_line": 4 }),
        "Health" => json!({ "status": "ok" }),
        "TurnEvent" => json!({ "event": "text.delta", "data": { "text": "Good day." } }),
        "Error" => json!({ "error": {
            "code": "NOT_FOUND", "message": "Conversation not found", "request_id": TURN,
        }}),
        other => return of_small_questions(other).or_else(|| of_people(other)),
    })
}

fn of_small_questions(name: &str) -> Option<Value> {
    match name {
        "ChoiceRequest" => Some(json!({ "content": "What would a robot save us?" })),
        "AssistantChoice" => Some(json!({ "assistant": ASSISTANT })),
        "TitleRequest" => Some(json!({ "suggestion": "Savings of a robot" })),
        _ => None,
    }
}

fn of_people(name: &str) -> Option<Value> {
    Some(match name {
        "PersonaEntry" => {
            json!({ "name": "reader", "display_name": "Rae Lindqvist", "roles": ["Reader"] })
        }
        "Me" => me(),
        "ProfileResponse" => json!({
            "id": PROFILE, "display_name": "Rae Lindqvist", "email": "rae@example.com",
            "avatar_url": null, "created_at": TIME, "updated_at": TIME,
        }),
        "ProfileUpdate" => json!({ "display_name": "Rae R. Reader" }),
        "CompanyCreate" => json!({ "name": "Acme Ltd" }),
        "Company" => json!({
            "id": COMPANY, "name": "Acme Ltd", "owner_id": PROFILE, "created_at": TIME, "role": "owner",
        }),
        "Member" => json!({
            "profile_id": PROFILE, "display_name": "Rae Lindqvist", "email": "rae@example.com",
            "avatar_url": null, "role": "owner", "joined_at": TIME,
        }),
        "InvitationCreate" => json!({ "email": "ann@example.com", "role": "member" }),
        "Invitation" => invitation(),
        "InvitationCreated" => {
            let mut created = invitation();
            created["token"] = json!("fWbTnQ3kQ0y8n1u1m2eFqg");
            created["link"] = json!("http://127.0.0.1:8080/invitations#fWbTnQ3kQ0y8n1u1m2eFqg");
            created["mailed"] = json!(true);
            created
        }
        "TokenAccept" => json!({ "token": "fWbTnQ3kQ0y8n1u1m2eFqg" }),
        "FeedbackCreate" => json!({ "rating": "up", "comment": "Exactly." }),
        "Feedback" => json!({
            "message_id": ANSWER, "rating": "up", "comment": "Exactly.",
            "created_at": TIME, "updated_at": TIME,
        }),
        "UsageResponse" => json!({
            "from": "2026-11-01", "to": "2026-11-16",
            "items": [{
                "day": "2026-11-16", "profile_id": PROFILE, "company_id": null, "assistant": ASSISTANT,
                "turns": 3, "input_tokens": 2_400, "output_tokens": 310, "cached_tokens": 0,
                "estimated_turns": 1, "cost": 0.0079,
            }],
            "cursor": null, "has_more": false,
            "total": {
                "turns": 3, "input_tokens": 2_400, "output_tokens": 310, "cached_tokens": 0,
                "estimated_turns": 1, "cost": 0.0079,
            },
            "by_day": [group("2026-11-16")],
            "by_assistant": [group(ASSISTANT)],
            "by_company": [],
        }),
        "OperatorName" => json!({ "id": PROFILE, "name": "Ann Example" }),
        "OperatorTurn" => watched(),
        "OperatorTurnResponse" => json!({
            "turn": watched(),
            "steps": [
                step("model", "gpt-4o", 0, 1_200),
                step("tool", "search_products", 1_200, 35),
                step("model", "gpt-4o", 1_235, 900),
            ],
            "other_ms": 0,
        }),
        "ManifestReport" => json!({
            "name": "helpdesk", "state": "kept",
            "problem": "assistants.d/helpdesk/assistant.toml, line 3, `titel`: unknown key `titel`; did you mean `title`?",
        }),
        "EvaluationEntry" => evaluation(),
        "Installation" => installation(),
        "EvaluationResponse" => json!({ "evaluation": evaluation(), "cases": [{
            "name": "what is waiting?", "as": "reader", "runs": [{
                "passed": true, "problems": [], "seconds": 0.4,
                "usage": { "input_tokens": 600, "output_tokens": 40, "cached_tokens": 0, "estimated": false },
                "transcript": [{ "who": "person", "text": "what is waiting?" }],
            }],
        }] }),
        "AuditRow" => audit(),
        _ => return of_sources(name),
    })
}

fn installation() -> Value {
    json!({
        "version": "0.1.0",
        "model": {
            "address": "https://api.openai.com/v1",
            "health": { "state": "answers", "milliseconds": 180, "status": null },
            "fallback": true,
        },
        "limits": {
            "turns_in_flight": 20, "tokens_a_person_and_day": 1_000_000,
            "tokens_a_company_and_day": 10_000_000, "storage_bytes": null,
        },
        "assistants": [{
            "name": ASSISTANT, "title": "Robot advisor", "model": "gpt-4o", "tools": 8, "roles": [],
            "from_manifest": false,
        }],
        "manifests": [],
        "storage": {
            "database": "postgres", "database_bytes": 96_000_000, "folder_bytes": 5_100_000,
            "documents": 18, "passages": 103,
        },
        "people": [{ "id": PROFILE, "name": "Ann Admin", "roles": ["Operator"], "seen_at": TIME }],
    })
}

fn watched() -> Value {
    json!({
        "id": TURN, "conversation_id": ID, "profile_id": PROFILE, "company_id": COMPANY,
        "assistant": ASSISTANT, "state": "completed", "outcome": { "outcome": "answered" },
        "started_at": TIME, "ended_at": LATER, "duration_ms": 2_135, "input_tokens": 1_900,
        "output_tokens": 120, "cached_tokens": 640, "estimated": false,
    })
}

fn group(name: &str) -> Value {
    json!({
        "name": name, "turns": 3, "input_tokens": 2_400, "output_tokens": 310, "cached_tokens": 0,
        "estimated_turns": 1, "cost": 0.0079,
    })
}

fn step(kind: &str, name: &str, began_ms: u64, duration_ms: u64) -> Value {
    json!({
        "kind": kind, "name": name, "ok": true, "problem": null, "began_ms": began_ms, "duration_ms": duration_ms,
        "input_tokens": 0, "output_tokens": 0,
    })
}

fn evaluation() -> Value {
    json!({
        "id": format!("20261116T093000000-{ASSISTANT}-requests"), "suite": format!("{ASSISTANT}/requests"), "model": "offline",
        "at": TIME, "summary": {
            "cases": 74, "passed": 73, "repeats": 1, "pass_rate": 98.6, "threshold": 95.0,
            "pass_hat": [98.6], "messages": 90, "like_examples": 30, "right_tools": 89,
            "with_calls": 70, "right_arguments": 69, "wrong_writes": 0, "wrong_calls": 0, "input_tokens": 41_000,
            "output_tokens": 2_900, "cached_tokens": 0, "estimated": true, "cost": null,
            "seconds_p50": 0.01, "seconds_p95": 0.05,
        },
    })
}

pub(super) fn list(item: Value) -> Value {
    json!({ "items": [item], "cursor": null, "has_more": false })
}

fn conversation() -> Value {
    json!({
        "id": ID, "user_id": PROFILE, "company_id": COMPANY, "assistant": ASSISTANT, "subject": null,
        "title": "Cleaning the courts", "phase": "discovery", "metadata": {}, "message_count": 2,
        "last_message_at": TIME, "created_at": TIME, "updated_at": TIME,
    })
}

fn message(id: &str, role: &str, content: &str) -> Value {
    let author = match role {
        "user" => json!({ "id": PROFILE, "name": "Ann Admin" }),
        _ => Value::Null,
    };
    json!({
        "id": id, "conversation_id": ID, "role": role, "author": author, "content": content,
        "metadata": { "turn_id": TURN }, "created_at": TIME,
    })
}

fn turn() -> Value {
    json!({
        "id": TURN, "conversation_id": ID, "state": "completed", "outcome": "answered",
        "approvals": [], "position": 42, "started_at": TIME, "ended_at": TIME,
    })
}

fn pending() -> Value {
    json!({ "conversation_id": ID, "turn_id": TURN, "assistant": ASSISTANT, "card": card() })
}

fn inbox() -> Value {
    json!({
        "count": 3,
        "cards": [pending()],
        "work": [{
            "assistant": ASSISTANT, "title": "Business cases", "about": "Business cases to decide", "count": 2, "link": "/cases",
            "items": [{ "title": "Warehouse North", "link": "/cases/1", "count": 1 }],
            "decided": [{
                "title": "Warehouse South", "link": "/cases/2", "state": "approved",
                "by": "Ann Admin", "at": TIME,
            }],
        }],
        "decided": [{
            "conversation_id": ID, "turn_id": TURN, "assistant": ASSISTANT, "card": card(),
            "decision": "approved", "decided_by": { "id": PROFILE, "name": "Ann Admin" },
            "decided_at": TIME, "reason": null,
        }],
    })
}

/// Turns that are stopped, search, versions and sharing.
fn of_conversations(name: &str) -> Option<Value> {
    Some(match name {
        "ShareCreate" => json!({ "audience": { "company": ID }, "days": 30 }),
        "Share" => {
            json!({ "id": ID, "audience": { "company": ID }, "created_at": TIME, "expires_at": LATER })
        }
        "SharedConversation" => json!({
            "title": "Cleaning the courts", "assistant": ASSISTANT, "shared_by": "Ann Admin", "expires_at": LATER,
            "messages": [{ "role": "user", "author": "Ann Admin", "content": "What would a robot save us?", "created_at": TIME }],
            "has_older": false,
        }),
        "PresenceUpdate" => json!({ "present": true, "asks": false }),
        "Marks" => json!({ "pinned": true, "archived": false }),
        "ApiTokenCreate" => json!({ "name": "Nightly report", "days": 90 }),
        "ApiToken" => {
            json!({ "id": ID, "name": "Nightly report", "created_at": TIME, "expires_at": LATER })
        }
        "ApiTokenCreated" => json!({
            "id": ID, "name": "Nightly report", "created_at": TIME, "expires_at": LATER,
            "token": "fdt_kPq2…",
        }),
        "InboxMailChange" => json!({ "on": true, "language": "de" }),
        "InboxMailStatus" => {
            json!({ "available": true, "on": true, "address": "rae@example.com" })
        }
        "About" => {
            json!({ "version": "0.1.0", "model": "gpt-4o", "offline": false, "fallback": true, "mail": true })
        }
        "SearchResults" => search_results(),
        "Cancelling" => json!({ "cancelling": true }),
        "VersionCreate" => json!({ "content": "What would two robots save us?" }),
        _ => return None,
    })
}

fn search_results() -> Value {
    json!({
        "conversations": [{
            "id": ID, "assistant": ASSISTANT, "title": "Cleaning the courts", "kind": "message",
            "object_id": ANSWER, "excerpt": "… collects it at the customs office on Friday", "at": TIME,
        }],
        "objects": [{
            "assistant": ASSISTANT, "title": "Procurement",
            "items": [{ "title": "Pudu CC1", "detail": "Scrubber, 15 m2 a minute", "link": "/robots/1" }],
        }],
        "unavailable": [],
    })
}

fn card() -> Value {
    json!({
        "call_id": "call_1", "tool": "approve_pass", "title": "Approve gate pass GP-2026-0001",
        "arguments": { "pass_number": "GP-2026-0001" },
        "seal": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "requested_by": PROFILE, "requester": "Ann Admin", "approvers": [],
        "expires_at": LATER, "editable": true, "confirm": "Approve the pass",
        "decline": "Don't approve", "consequence": "The person may leave on it.",
        "destructive": false, "preview": true, "confirms": [],
        "target": { "argument": "pass_number", "value": "GP-2026-0001" },
        "origins": [{ "argument": "pass_number", "source": { "kind": "earlier_message" } }],
        "form": [{
            "name": "pass_number", "label": "Pass number", "help": "As printed on the pass.",
            "input": { "kind": "text" }, "required": true,
        }],
    })
}

fn preview() -> Value {
    json!({
        "title": "Approve gate pass GP-2026-0001 for Sara Khan", "subject": "Sara Khan",
        "state": "pending", "problem": null,
        "facts": [
            { "name": "person_name", "label": "Person", "value": "Sara Khan" },
            { "name": "purpose", "label": "Purpose", "value": "Bank visit" },
            { "name": "status", "label": "State", "value": "pending" },
        ],
    })
}

fn invitation() -> Value {
    json!({
        "id": FILE, "company_id": COMPANY, "company_name": "Acme Ltd", "email": "ann@example.com",
        "role": "member", "invited_by": PROFILE, "status": "pending", "created_at": TIME,
        "expires_at": LATER,
    })
}

fn me() -> Value {
    json!({
        "id": PROFILE, "name": "Rae Lindqvist", "email": "rae@example.com", "roles": ["Reader"],
        "companies": [{ "company": COMPANY, "standing": "owner" }], "expires_at": LATER,
    })
}

fn audit() -> Value {
    json!({
        "id": 7, "at": TIME, "profile": PROFILE, "profile_name": "Rae Lindqvist", "conversation": ID,
        "turn": TURN, "call_id": "call_1", "tool": "approve_pass", "target": "GP-2026-0002",
        "outcome": "executed", "approver": PROFILE, "approver_name": "Omar Farooq",
    })
}

pub(super) const NEWS: &str = "id: 1790000000000000\nevent: snapshot\ndata: {\"approvals\":1,\"invitations\":0}\n\nid: 1790000000500000\nevent: conversation.changed\ndata: {\"conversation_id\":\"0b0e7a3c-6a51-4f0e-9d53-3f1f6a8c2d11\"}\n\n";

fn of_sources(name: &str) -> Option<Value> {
    const ADDRESS: &str = "https://example.com/handbook";
    Some(match name {
        "CollectionEntry" => json!({ "name": "web_documents", "documents": 46, "chunks": 120 }),
        "DocumentEntry" => json!({
            "url": ADDRESS, "title": "Handbook", "chunks": 3, "taken_in": TIME,
        }),
        "DocumentCreate" => json!({ "url": ADDRESS }),
        "SearchRequest" => json!({
            "query": "How many days of leave?", "top_k": 3, "filters": { "folder": "hr" },
        }),
        "SearchResponse" => json!({
            "query": "How many days of leave?", "total_results": 1, "execution_time_seconds": 0.01,
            "top_score": 0.91, "avg_score": 0.91,
            "chunks": [{
                "chunk_id": "1", "similarity_score": 0.91, "chunk_text": "Everyone has 30 days.",
                "url": ADDRESS, "title": "Handbook", "section": "Leave", "page": null,
                "context": null, "chunk_index": 0, "token_count": 5, "timestamp": TIME,
                "chunk_config": { "chunk_size": 128, "chunk_overlap": 16 },
                "model_name": "all-MiniLM-L6-v2", "dimension": 384,
            }],
        }),
        "TakenIn" => json!({
            "success": 1, "unchanged": 0, "skipped": 0, "total_chunks": 3, "failed": [],
        }),
        "SourceText" => json!({
            "collection": "web_documents", "url": ADDRESS, "title": "Handbook",
            "text": "# Handbook", "passages": [{ "chunk_id": "1", "begin": 0, "end": 10 }],
        }),
        _ => return of_conversations(name),
    })
}

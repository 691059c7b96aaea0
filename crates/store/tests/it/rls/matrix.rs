//! Every table, every verb, everyone: what the rules say.

use tokio_postgres::Client;
use uuid::Uuid;

use super::scene::{EVERYONE, Scene, Who, attempt, scene};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    Select,
    Insert,
    Update,
    Delete,
}

use Verb::{Delete, Insert, Select, Update};

const OWNER: &[Who] = &[Who::Owner];
const INSIDE: &[Who] = &[Who::Owner, Who::Member];
const SIGNED_IN: &[Who] = &[Who::Owner, Who::Member, Who::Stranger, Who::Former];
const NO_ONE: &[Who] = &[];

/// Table, verb, who may, and the statement. Changes are tried without a condition where all
/// rows are Ann's: a condition would need the right to read as well.
#[rustfmt::skip]
const RULES: &[(&str, Verb, &[Who], &str)] = &[
    ("profiles", Select, INSIDE, "SELECT 1 FROM profiles WHERE id = {owner}"),
    ("profiles", Insert, OWNER, "INSERT INTO profiles (id, user_id, display_name) VALUES ({new}, {owner_subject}, 'x')"),
    ("profiles", Update, SIGNED_IN, "UPDATE profiles SET display_name = 'x'"),
    ("profiles", Update, OWNER, "UPDATE profiles SET display_name = 'x' WHERE id = {owner}"),
    ("profiles", Delete, OWNER, "DELETE FROM profiles WHERE id = {owner}"),

    ("companies", Select, INSIDE, "SELECT 1 FROM companies"),
    ("companies", Insert, SIGNED_IN, "INSERT INTO companies (id, name, owner_id) VALUES ({new}, 'x', {me})"),
    ("companies", Insert, OWNER, "INSERT INTO companies (id, name, owner_id) VALUES ({new}, 'x', {owner})"),
    ("companies", Update, OWNER, "UPDATE companies SET name = 'x'"),
    ("companies", Delete, OWNER, "DELETE FROM companies"),

    ("company_members", Select, INSIDE, "SELECT 1 FROM company_members"),
    ("company_members", Insert, OWNER, "INSERT INTO company_members (company_id, profile_id, role) VALUES ({company}, {stranger}, 'member')"),
    ("company_members", Insert, NO_ONE, "INSERT INTO company_members (company_id, profile_id, role) VALUES ({company}, {stranger}, 'owner')"),
    ("company_members", Update, OWNER, "UPDATE company_members SET role = 'admin'"),
    ("company_members", Delete, INSIDE, "DELETE FROM company_members WHERE profile_id = {member}"),
    ("company_members", Delete, NO_ONE, "DELETE FROM company_members WHERE role = 'owner'"),

    ("invitations", Select, OWNER, "SELECT 1 FROM invitations"),
    ("invitations", Insert, OWNER, "INSERT INTO invitations (id, company_id, email, invited_by, expires_at) VALUES ({new}, {company}, 'x', {me}, now())"),
    ("invitations", Update, OWNER, "UPDATE invitations SET status = 'declined'"),
    ("invitations", Delete, OWNER, "DELETE FROM invitations"),

    ("conversations", Select, INSIDE, "SELECT 1 FROM conversations"),
    ("conversations", Insert, INSIDE, "INSERT INTO conversations (id, user_id, company_id, scope_id, assistant, title) VALUES ({new}, {me}, {company}, {company}, 'docs', 'x')"),
    // Nobody makes one in Ann's name.
    ("conversations", Insert, OWNER, "INSERT INTO conversations (id, user_id, company_id, scope_id, assistant, title) VALUES ({new}, {owner}, {company}, {company}, 'docs', 'x')"),
    ("conversations", Insert, SIGNED_IN, "INSERT INTO conversations (id, user_id, scope_id, assistant, title) VALUES ({new}, {me}, {me}, 'docs', 'x')"),
    ("conversations", Update, INSIDE, "UPDATE conversations SET phase = 'roi'"),
    ("conversations", Update, OWNER, "UPDATE conversations SET title = 'mine'"),
    ("conversations", Delete, OWNER, "DELETE FROM conversations"),

    ("messages", Select, INSIDE, "SELECT 1 FROM messages"),
    ("messages", Insert, INSIDE, "INSERT INTO messages (id, conversation_id, role, content, scope_id, seq, turn_id, part) VALUES ({new}, {conversation}, 'user', 'x', {company}, 99, {turn}, 'said')"),
    // A row whose scope is not its conversation's fits nowhere; so it is with all that follow.
    ("messages", Insert, NO_ONE, "INSERT INTO messages (id, conversation_id, role, content, scope_id, seq, turn_id, part) VALUES ({new}, {conversation}, 'user', 'x', {me}, 99, {turn}, 'said')"),
    ("messages", Update, INSIDE, "UPDATE messages SET metadata = '{}'"),
    ("messages", Delete, NO_ONE, "DELETE FROM messages"),

    ("texts", Select, INSIDE, "SELECT 1 FROM texts"),
    ("texts", Insert, INSIDE, "INSERT INTO texts (conversation_id, number, scope_id, content, created_at) VALUES ({conversation}, 9, {company}, 'x', now())"),
    ("texts", Insert, NO_ONE, "INSERT INTO texts (conversation_id, number, scope_id, content, created_at) VALUES ({conversation}, 9, {me}, 'x', now())"),
    ("texts", Update, NO_ONE, "UPDATE texts SET content = 'x'"),
    ("texts", Delete, NO_ONE, "DELETE FROM texts"),

    ("turns", Select, INSIDE, "SELECT 1 FROM turns"),
    ("turns", Insert, INSIDE, "INSERT INTO turns (id, conversation_id, scope_id, profile_id, subject, principal, opening, first_seq, user_message_id, state, position, epoch, node, deadline, started_at) VALUES ({new}, {conversation}, {company}, {me}, {my_subject}, '{}', '{}', 1, {new}, 'completed', 1, 1, 'n', now(), now())"),
    ("turns", Insert, NO_ONE, "INSERT INTO turns (id, conversation_id, scope_id, profile_id, subject, principal, opening, first_seq, user_message_id, state, position, epoch, node, deadline, started_at) VALUES ({new}, {conversation}, {me}, {me}, {my_subject}, '{}', '{}', 1, {new}, 'completed', 1, 1, 'n', now(), now())"),
    // Nobody opens one in Ann's name.
    ("turns", Insert, OWNER, "INSERT INTO turns (id, conversation_id, scope_id, profile_id, subject, principal, opening, first_seq, user_message_id, state, position, epoch, node, deadline, started_at) VALUES ({new}, {conversation}, {company}, {owner}, {owner_subject}, '{}', '{}', 1, {new}, 'completed', 1, 1, 'n', now(), now())"),
    ("turns", Update, INSIDE, "UPDATE turns SET cancel_requested = true"),
    ("turns", Delete, NO_ONE, "DELETE FROM turns"),

    ("journal", Select, INSIDE, "SELECT 1 FROM journal"),
    ("journal", Insert, INSIDE, "INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event) VALUES ({turn}, 99, {conversation}, {company}, 1, '{}')"),
    ("journal", Insert, NO_ONE, "INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event) VALUES ({turn}, 99, {conversation}, {me}, 1, '{}')"),
    ("journal", Update, NO_ONE, "UPDATE journal SET epoch = 9"),
    ("journal", Delete, NO_ONE, "DELETE FROM journal"),

    ("approvals", Select, INSIDE, "SELECT 1 FROM approvals"),
    ("approvals", Insert, INSIDE, "INSERT INTO approvals (turn_id, call_id, conversation_id, company_id, scope_id, assistant, requested_by, for_roles, card, requested_at, expires_at) VALUES ({turn}, 'd', {conversation}, {company}, {company}, 'docs', {owner}, false, '{}', now(), now())"),
    ("approvals", Insert, NO_ONE, "INSERT INTO approvals (turn_id, call_id, conversation_id, company_id, scope_id, assistant, requested_by, for_roles, card, requested_at, expires_at) VALUES ({turn}, 'd', {conversation}, {company}, {me}, 'docs', {owner}, false, '{}', now(), now())"),
    ("approvals", Update, INSIDE, "UPDATE approvals SET decision = 'approved', decided_by = {me}"),
    // Nobody decides in Ann's name.
    ("approvals", Update, OWNER, "UPDATE approvals SET decision = 'approved', decided_by = {owner}"),
    ("approvals", Delete, NO_ONE, "DELETE FROM approvals"),

    ("artifacts", Select, INSIDE, "SELECT 1 FROM artifacts"),
    ("artifacts", Insert, INSIDE, "INSERT INTO artifacts (id, conversation_id, scope_id, kind, key, version, status, title, content, built_from, created_at) VALUES ({new}, {conversation}, {company}, 'k', '', 1, 'draft', 'x', '{}', '[]', now())"),
    ("artifacts", Insert, NO_ONE, "INSERT INTO artifacts (id, conversation_id, scope_id, kind, key, version, status, title, content, built_from, created_at) VALUES ({new}, {conversation}, {me}, 'k', '', 1, 'draft', 'x', '{}', '[]', now())"),
    ("artifacts", Update, NO_ONE, "UPDATE artifacts SET title = 'x'"),
    ("artifacts", Delete, NO_ONE, "DELETE FROM artifacts"),

    ("attachments", Select, INSIDE, "SELECT 1 FROM attachments"),
    ("attachments", Insert, INSIDE, "INSERT INTO attachments (id, conversation_id, scope_id, name, media_type, size, bytes, created_at) VALUES ({new}, {conversation}, {company}, 'x', 'y', 0, '', now())"),
    ("attachments", Insert, NO_ONE, "INSERT INTO attachments (id, conversation_id, scope_id, name, media_type, size, bytes, created_at) VALUES ({new}, {conversation}, {me}, 'x', 'y', 0, '', now())"),
    ("attachments", Update, INSIDE, "UPDATE attachments SET number = 5"),
    ("attachments", Delete, NO_ONE, "DELETE FROM attachments"),

    ("idempotency_keys", Select, OWNER, "SELECT 1 FROM idempotency_keys"),
    ("idempotency_keys", Insert, OWNER, "INSERT INTO idempotency_keys (profile_id, route, key, fingerprint, turn_id, created_at) VALUES ({owner}, 'r', 'x', 'f', {turn}, now())"),
    ("idempotency_keys", Update, OWNER, "UPDATE idempotency_keys SET fingerprint = 'x'"),
    ("idempotency_keys", Delete, OWNER, "DELETE FROM idempotency_keys"),

    ("rate_events", Select, OWNER, "SELECT 1 FROM rate_events"),
    ("rate_events", Insert, OWNER, "INSERT INTO rate_events (bucket, at, turn_id, profile_id) VALUES ('x', now(), {new}, {owner})"),
    ("rate_events", Update, NO_ONE, "UPDATE rate_events SET bucket = 'x'"),
    ("rate_events", Delete, OWNER, "DELETE FROM rate_events"),

    ("message_feedback", Select, OWNER, "SELECT 1 FROM message_feedback"),
    ("message_feedback", Insert, INSIDE, "INSERT INTO message_feedback (message_id, profile_id, conversation_id, scope_id, rating, created_at, updated_at) VALUES ({message}, {me}, {conversation}, {company}, 'up', now(), now())"),
    // Nobody rates in Ann's name, and nothing in a conversation that is not the message's.
    ("message_feedback", Insert, OWNER, "INSERT INTO message_feedback (message_id, profile_id, conversation_id, scope_id, rating, created_at, updated_at) VALUES ({message}, {owner}, {conversation}, {company}, 'up', now(), now())"),
    ("message_feedback", Insert, NO_ONE, "INSERT INTO message_feedback (message_id, profile_id, conversation_id, scope_id, rating, created_at, updated_at) VALUES ({message}, {me}, {conversation}, {me}, 'up', now(), now())"),
    ("message_feedback", Update, OWNER, "UPDATE message_feedback SET rating = 'down'"),
    ("message_feedback", Delete, OWNER, "DELETE FROM message_feedback"),

    ("usage_days", Select, OWNER, "SELECT 1 FROM usage_days"),
    ("usage_days", Insert, SIGNED_IN, "INSERT INTO usage_days (profile_id, day, scope_id, assistant, turns, input_tokens, output_tokens, cached_tokens) VALUES ({me}, 9, {me}, 'x', 1, 1, 1, 0)"),
    ("usage_days", Insert, OWNER, "INSERT INTO usage_days (profile_id, day, scope_id, assistant, turns, input_tokens, output_tokens, cached_tokens) VALUES ({owner}, 9, {owner}, 'x', 1, 1, 1, 0)"),
    ("usage_days", Update, OWNER, "UPDATE usage_days SET turns = 0"),
    ("usage_days", Delete, NO_ONE, "DELETE FROM usage_days"),

    ("conversation_marks", Select, OWNER, "SELECT 1 FROM conversation_marks"),
    ("conversation_marks", Insert, INSIDE, "INSERT INTO conversation_marks (profile_id, conversation_id, scope_id, pinned, archived) VALUES ({me}, {conversation}, {company}, true, false)"),
    ("conversation_marks", Insert, OWNER, "INSERT INTO conversation_marks (profile_id, conversation_id, scope_id, pinned, archived) VALUES ({owner}, {conversation}, {company}, true, false)"),
    ("conversation_marks", Insert, NO_ONE, "INSERT INTO conversation_marks (profile_id, conversation_id, scope_id, pinned, archived) VALUES ({me}, {conversation}, {me}, true, false)"),
    ("conversation_marks", Update, OWNER, "UPDATE conversation_marks SET archived = true"),
    ("conversation_marks", Delete, OWNER, "DELETE FROM conversation_marks"),

    ("conversation_shares", Select, OWNER, "SELECT 1 FROM conversation_shares"),
    ("conversation_shares", Insert, OWNER, "INSERT INTO conversation_shares (id, conversation_id, scope_id, created_by, company_id, created_at, expires_at) VALUES ({new}, {conversation}, {company}, {me}, {company}, now(), now())"),
    ("conversation_shares", Insert, OWNER, "INSERT INTO conversation_shares (id, conversation_id, scope_id, created_by, company_id, created_at, expires_at) VALUES ({new}, {conversation}, {company}, {owner}, {company}, now(), now())"),
    ("conversation_shares", Update, NO_ONE, "UPDATE conversation_shares SET expires_at = now()"),
    ("conversation_shares", Delete, OWNER, "DELETE FROM conversation_shares"),

    ("api_tokens", Select, OWNER, "SELECT 1 FROM api_tokens"),
    ("api_tokens", Insert, OWNER, "INSERT INTO api_tokens (id, profile_id, name, hash, identity, created_at, expires_at) VALUES ({new}, {owner}, 'x', 'y', '{}', now(), now())"),
    ("api_tokens", Insert, SIGNED_IN, "INSERT INTO api_tokens (id, profile_id, name, hash, identity, created_at, expires_at) VALUES ({new}, {me}, 'x', 'y', '{}', now(), now())"),
    ("api_tokens", Update, NO_ONE, "UPDATE api_tokens SET expires_at = now()"),
    ("api_tokens", Delete, OWNER, "DELETE FROM api_tokens"),

    ("inbox_mails", Select, OWNER, "SELECT 1 FROM inbox_mails"),
    ("inbox_mails", Insert, OWNER, "INSERT INTO inbox_mails (profile_id, language, identity, signed_in_at) VALUES ({owner}, 'en', '{}', now())"),
    ("inbox_mails", Insert, SIGNED_IN, "INSERT INTO inbox_mails (profile_id, language, identity, signed_in_at) VALUES ({me}, 'en', '{}', now())"),
    ("inbox_mails", Update, OWNER, "UPDATE inbox_mails SET language = 'de'"),
    ("inbox_mails", Delete, OWNER, "DELETE FROM inbox_mails"),

    ("audit_log", Select, OWNER, "SELECT 1 FROM audit_log"),
    ("audit_log", Insert, OWNER, "INSERT INTO audit_log (at, profile_id, scope_id, conversation_id, call_id, tool, target, outcome) VALUES (now(), {owner}, {company}, {conversation}, 'c', 't', 'h', 'executed')"),
    ("audit_log", Insert, INSIDE, "INSERT INTO audit_log (at, profile_id, scope_id, conversation_id, turn_id, call_id, tool, target, outcome) VALUES (now(), {owner}, {company}, {conversation}, {turn}, 'c', 't', 'h', 'executed')"),
    ("audit_log", Update, NO_ONE, "UPDATE audit_log SET outcome = 'denied'"),
    ("audit_log", Delete, NO_ONE, "DELETE FROM audit_log"),
];

fn filled(scene: &Scene, who: Who, sql: &str) -> String {
    let values = [
        ("{new}", Uuid::now_v7()),
        ("{me}", scene.profile(who)),
        ("{my_subject}", scene.subject(who)),
        ("{owner}", scene.profile(Who::Owner)),
        ("{owner_subject}", scene.subject(Who::Owner)),
        ("{member}", scene.profile(Who::Member)),
        ("{stranger}", scene.profile(Who::Stranger)),
        ("{company}", scene.company),
        ("{conversation}", scene.conversation),
        ("{turn}", scene.turn),
        ("{message}", scene.message),
    ];
    values.iter().fold(sql.to_owned(), |sql, (name, value)| {
        sql.replace(name, &format!("'{value}'"))
    })
}

/// The first difference from the rules, in words.
pub(super) async fn difference(
    scene: &Scene,
    client: &Client,
    role: &str,
    only: Option<&str>,
) -> Option<String> {
    for (table, _, allowed, sql) in RULES {
        if only.is_some_and(|only| only != *table) {
            continue;
        }
        for who in EVERYONE {
            let sql = filled(scene, who, sql);
            let claims = scene.claims(who);
            let passed = attempt(client, role, claims.as_deref(), &sql).await;
            if passed != Ok(allowed.contains(&who)) {
                return Some(format!("{who:?}: {passed:?}: {sql}"));
            }
        }
    }
    None
}

/// As the application role, with its grants.
// design: 002 policy conversations_select, policy messages_select, auth.uid
// design: promises row-level security traps, P7
#[tokio::test]
async fn everyone_may_do_what_the_rules_say_and_nothing_else() {
    let scene = scene().await;
    let client = scene.database().connect().await;
    client.batch_execute("BEGIN").await.unwrap();
    let found = difference(&scene, &client, "fd_app", None).await;
    assert_eq!(found, None);
    // A connection that has never had claims, not even empty ones.
    let new = scene.database().connect().await;
    new.batch_execute("BEGIN").await.unwrap();
    for table in tables() {
        let sql = format!("SELECT 1 FROM {table}");
        assert_eq!(attempt(&new, "fd_app", None, &sql).await, Ok(false));
    }
    assert!(RULES.len() * EVERYONE.len() >= 300);
    for table in tables() {
        for verb in [Select, Insert, Update, Delete] {
            let tried = RULES.iter().any(|rule| rule.0 == table && rule.1 == verb);
            assert!(tried, "{verb:?} on {table} is tried by nobody");
        }
    }
}

/// Tables with people's data.
pub(super) fn tables() -> [&'static str; 21] {
    [
        "profiles",
        "companies",
        "company_members",
        "invitations",
        "conversations",
        "messages",
        "texts",
        "turns",
        "journal",
        "approvals",
        "artifacts",
        "attachments",
        "idempotency_keys",
        "rate_events",
        "audit_log",
        "message_feedback",
        "usage_days",
        "conversation_marks",
        "conversation_shares",
        "api_tokens",
        "inbox_mails",
    ]
}

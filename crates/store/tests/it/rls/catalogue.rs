//! Properties of the catalogue that do not depend on single policies.

use frontdesk_core::access::Role;
use serde_json::json;

use super::matrix::tables;
use super::scene::{Who, passes, scene};

/// A defect, and the query that finds it.
const FAULTS: &[(&str, &str)] = &[
        (
            "a table with people's data without forced row-level security",
            "SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
             AND relname <> 'schema_migrations' AND NOT (relrowsecurity AND relforcerowsecurity)",
        ),
        (
            "a table without scope_id NOT NULL",
            "SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
             AND c.relkind = 'r' AND c.relname <> 'schema_migrations' AND NOT EXISTS (
                 SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'scope_id' AND a.attnotnull)",
        ),
        (
            "a table without a policy for each verb",
            "SELECT c.relname || ' ' || v.verb FROM pg_class c
             CROSS JOIN (VALUES ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE')) v (verb)
             WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'schema_migrations'
             AND NOT EXISTS (SELECT 1 FROM pg_policies p WHERE p.tablename = c.relname AND p.cmd = v.verb
                 AND p.roles = ARRAY['public']::name[])",
        ),
        (
            "a policy of fd_keeper that whoever inherits from it passes",
            "SELECT policyname::text FROM pg_policies WHERE 'fd_keeper' = ANY (roles)
             AND (qual NOT LIKE '%acts_as_keeper%' OR with_check NOT LIKE '%acts_as_keeper%')",
        ),
        (
            "a policy for writing without WITH CHECK",
            "SELECT policyname::text FROM pg_policies WHERE cmd IN ('INSERT', 'UPDATE') AND with_check IS NULL",
        ),
        (
            "a role that is above the rules",
            "SELECT rolname::text FROM pg_roles WHERE rolname IN ('fd_app', 'fd_worker', 'fd_keeper')
             AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolcanlogin)",
        ),
        (
            "a table that belongs to a role of the application",
            "SELECT relname::text FROM pg_class WHERE relowner IN ('fd_app'::regrole, 'fd_worker'::regrole, 'fd_keeper'::regrole)",
        ),
        (
            "a function with rights of its own and without a fixed search path",
            "SELECT proname::text FROM pg_proc WHERE pronamespace = 'fd'::regnamespace AND prosecdef
             AND (proconfig IS NULL OR NOT 'search_path=public, pg_temp' = ANY (proconfig) OR proowner <> 'fd_keeper'::regrole)",
        ),
        (
            "a function that everyone may call",
            "SELECT proname::text FROM pg_proc WHERE pronamespace = 'fd'::regnamespace
             AND EXISTS (SELECT 1 FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) a WHERE a.grantee = 0)",
        ),
        (
            "a right that the application has no use for",
            "SELECT c.relname || ' ' || r.kind FROM pg_class c
             CROSS JOIN (VALUES ('TRUNCATE'), ('REFERENCES'), ('TRIGGER')) r (kind)
             WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
             AND (has_table_privilege('fd_app', c.oid, r.kind) OR has_table_privilege('fd_keeper', c.oid, r.kind))",
        ),
        (
            "a table that the worker can touch",
            "SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
             AND has_table_privilege('fd_worker', c.oid, 'SELECT, INSERT, UPDATE, DELETE')",
        ),
        (
            "an index of the design that is missing",
            "SELECT name FROM (VALUES ('idx_conversations_user_id'), ('idx_conversations_company_id'),
                 ('idx_conversations_updated_at'), ('idx_messages_conversation_id'), ('idx_messages_created_at')) i (name)
             WHERE to_regclass(i.name) IS NULL",
        ),
        (
            "a view, which would need security_invoker",
            "SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm')",
        ),
];

// design: 002 index idx_conversations_user_id, index idx_conversations_company_id
// design: 002 index idx_conversations_updated_at, index idx_messages_conversation_id
// design: 002 index idx_messages_created_at, RLS conversations, RLS messages, file migration
// design: promises row-level security traps, gaps of the designs
#[tokio::test]
async fn tables_policies_roles_and_functions_are_as_they_must_be() {
    let scene = scene().await;
    let client = scene.database().connect().await;
    for (fault, sql) in FAULTS {
        let found: Vec<String> = client
            .query(*sql, &[])
            .await
            .unwrap_or_else(|error| panic!("{fault}: {error:?}"))
            .iter()
            .map(|row| row.get(0))
            .collect();
        assert!(found.is_empty(), "{fault}: {found:?}");
    }
    let all: Vec<String> = client
        .query(
            "SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace
             AND relkind = 'r' AND relname <> 'schema_migrations'",
            &[],
        )
        .await
        .unwrap()
        .iter()
        .map(|row| row.get(0))
        .collect();
    assert_eq!(all.len(), tables().len());
    assert!(
        tables()
            .iter()
            .all(|table| all.contains(&(*table).to_owned()))
    );
}

#[tokio::test]
async fn a_role_in_the_claims_opens_cards_and_the_audit_and_nothing_else() {
    let scene = scene().await;
    let client = scene.database().connect().await;
    client.batch_execute("BEGIN").await.unwrap();
    let with_role = |who: Who, role: &Role| {
        json!({"sub": scene.subject(who), "app_metadata": {"roles": [role]}}).to_string()
    };
    let cards = format!("SELECT 1 FROM approvals WHERE turn_id = '{}'", scene.turn);
    let turns = format!("SELECT 1 FROM turns WHERE id = '{}'", scene.turn);
    let audit = "SELECT 1 FROM audit_log".to_owned();
    for (who, role, sql, expected) in [
        // The card stands in a company: an admin of elsewhere does not see it.
        (Who::Stranger, Role::ADMIN_USER, &cards, false),
        (Who::Former, Role::ADMIN_USER, &cards, false),
        (Who::Member, Role::ADMIN_USER, &cards, true),
        (Who::Stranger, Role::OPERATOR, &audit, true),
        (Who::Stranger, Role::ADMIN_USER, &audit, false),
        (Who::Stranger, Role::OPERATOR, &cards, false),
        (Who::Stranger, Role::OPERATOR, &turns, false),
    ] {
        let claims = with_role(who, &role);
        let passed = passes(&client, "fd_app", Some(&claims), sql).await;
        assert_eq!(passed, expected, "{who:?} as {role}: {sql}");
    }
    // Without a company the role alone decides.
    client
        .batch_execute("UPDATE approvals SET company_id = NULL")
        .await
        .unwrap();
    for (role, expected) in [(Role::ADMIN_USER, true), (Role::GATE_USER, false)] {
        let claims = with_role(Who::Stranger, &role);
        let passed = passes(&client, "fd_app", Some(&claims), &cards).await;
        assert_eq!(passed, expected, "{role}");
    }
    for broken in [
        r#"{"sub": "", "app_metadata": {"roles": "Operator"}}"#,
        r#"{"app_metadata": {"roles": {"Operator": true}}}"#,
        r#"{"role": "service_role"}"#,
    ] {
        assert!(!passes(&client, "fd_app", Some(broken), &audit).await);
        assert!(!passes(&client, "fd_app", Some(broken), &turns).await);
    }
}

// design: promises P7
#[tokio::test]
async fn the_worker_reads_no_table_and_the_application_cannot_act_as_worker() {
    let scene = scene().await;
    let client = scene.database().connect().await;
    client.batch_execute("BEGIN").await.unwrap();
    for table in tables() {
        let sql = format!("SELECT 1 FROM {table}");
        assert!(!passes(&client, "fd_worker", None, &sql).await, "{table}");
    }
    let owner = scene.claims(Who::Owner);
    for sql in [
        "SELECT * FROM fd.claim('n', now(), now())".to_owned(),
        "SELECT fd.fold(now(), 1)".to_owned(),
        "SELECT * FROM fd.renew('[]')".to_owned(),
        format!(
            "SELECT fd.add_member('{}', '{}', 'owner', now())",
            scene.company,
            scene.profile(Who::Stranger)
        ),
        "SELECT set_config('role', 'fd_keeper', true), 1 FROM fd.ensure_company(gen_random_uuid(), 'x', gen_random_uuid(), now())".to_owned(),
    ] {
        assert!(!passes(&client, "fd_app", owner.as_deref(), &sql).await, "{sql}");
    }
    // A decision that was not taken cannot be told.
    let forged = format!(
        "SELECT fd.decided('{}', now(), 'c', 't', 'h', 'approved', '{}', '{{}}', now())",
        scene.turn,
        scene.profile(Who::Owner)
    );
    assert!(!passes(&client, "fd_app", owner.as_deref(), &forged).await);
}

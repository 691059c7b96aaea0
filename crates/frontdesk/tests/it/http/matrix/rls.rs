//! The same requests with the application's own checks disabled: the application takes everyone for
//! the owner, and only the database knows the real caller. Nothing leaks.

use std::collections::HashMap;

use reqwest::StatusCode;

use super::cast::{Cast, Who};
use super::objects::{CANARY, Ownership, Stage, reply};
use super::rows::ROWS;
use crate::harness::{Backing, TestApp};
use crate::server::TestServer;
use frontdesk_testkit::model_server::ModelServer;

/// Overrides the application's profile lookup so that every caller has the owner's profile. The
/// policies read the real table, by the claims of the transaction.
fn everyone_is(owner: &str) -> String {
    format!(
        "CREATE SCHEMA lie;
         DO $$ DECLARE t text; BEGIN
             FOR t IN SELECT relname FROM pg_class WHERE relnamespace = 'frontdesk'::regnamespace
                 AND relkind = 'r' AND relname <> 'profiles' LOOP
                 EXECUTE format('CREATE VIEW lie.%I WITH (security_invoker) AS TABLE frontdesk.%I', t, t);
             END LOOP;
         END $$;
         CREATE VIEW lie.profiles AS
             SELECT '{owner}'::uuid AS id, p.user_id, p.display_name, p.email, p.avatar_url,
                 p.created_at, p.updated_at
             FROM frontdesk.profiles p;
         GRANT USAGE ON SCHEMA lie TO PUBLIC;
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA lie TO PUBLIC;
         REVOKE INSERT, UPDATE, DELETE ON lie.profiles FROM PUBLIC;"
    )
}

// design: promises P7, B1
#[tokio::test(flavor = "multi_thread")]
async fn with_the_applications_checks_off_row_level_security_leaks_nothing() {
    let server = TestServer::start(Backing::Postgres).await;
    let cast = Cast::assemble(&server).await;
    let stage = Stage::set(&server, &cast).await;
    let owner = cast.profile(&server, Who::Owner).await.to_string();
    let outsider = cast.profile(&server, Who::Outsider).await.to_string();
    let (private, shared) = (
        stage.objects(Ownership::Private),
        stage.objects(Ownership::Shared),
    );
    drop(stage);
    let keep = server.stop_and_keep().await;
    let database = keep.database.as_ref().unwrap();
    let before = facts(database, &owner).await;
    database.execute(&everyone_is(&owner)).await;

    let model = ModelServer::start().await;
    model.otherwise_with(reply);
    let lie = [("database.schema", "lie")];
    let test = TestApp::again_with_settings(keep, &model.url(), &lie).await;
    let server = TestServer::serve(test, model, HashMap::new()).await;
    let stage = Stage::of(&server, &cast, private, shared);

    // The override works: the application takes an outsider for the owner.
    let me = server.get(cast.person(Who::Outsider).unwrap(), "/me").await;
    assert_eq!(me.body["id"], owner.as_str());
    assert_ne!(owner, outsider);
    // Control: the real owner still reads their own objects.
    let see = ROWS
        .iter()
        .find(|row| row.operation == "GET /api/v1/conversations/{id}");
    let own = stage
        .ask(see.unwrap(), &cast, Who::Owner, Ownership::Private)
        .await;
    assert_eq!(own.status, StatusCode::OK);
    assert!(own.body.to_string().contains(CANARY));

    let strangers = [
        Who::Outsider,
        Who::ExMember,
        Who::OtherRole,
        Who::NoRole,
        Who::Operator,
    ];
    let members = [Who::Member, Who::Admin, Who::MemberWithoutRole];
    for row in ROWS {
        for (ownership, people) in [
            (Ownership::Private, [&strangers[..], &members].concat()),
            (Ownership::Shared, strangers.to_vec()),
        ] {
            for who in people {
                let answer = stage.ask(row, &cast, who, ownership).await;
                assert!(
                    !answer.body.to_string().contains(&ownership.canary()),
                    "{} as {who:?} on {ownership:?} reads {}",
                    row.operation,
                    answer.body
                );
            }
        }
    }
    let database = server.keep.database.as_ref().unwrap();
    assert_eq!(
        facts(database, &owner).await,
        before,
        "nothing of the owner's changed"
    );
    drop(stage);
    server.model.abandon_script();
    server.stop().await;
}

/// The owner's rows, as a superuser sees them.
async fn facts(
    database: &frontdesk_testkit::postgres::TestDatabase,
    owner: &str,
) -> Vec<(String, String)> {
    let of = "IN (SELECT id FROM frontdesk.conversations WHERE user_id = ";
    let mut facts = Vec::new();
    for (what, sql) in [
        (
            "conversations",
            format!(
                "SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t.id), '')) FROM frontdesk.conversations t WHERE t.user_id = '{owner}' AND t.title LIKE '{CANARY}%'"
            ),
        ),
        (
            "messages",
            format!(
                "SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t.id), '')) FROM frontdesk.messages t WHERE t.conversation_id {of}'{owner}' AND title LIKE '{CANARY}%')"
            ),
        ),
        (
            "turns",
            format!(
                "SELECT count(*)::text FROM frontdesk.turns t WHERE t.conversation_id {of}'{owner}' AND title LIKE '{CANARY}%')"
            ),
        ),
        (
            "attachments",
            format!(
                "SELECT count(*)::text FROM frontdesk.attachments t WHERE t.conversation_id {of}'{owner}' AND title LIKE '{CANARY}%')"
            ),
        ),
        (
            "approvals",
            format!(
                "SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t.call_id), '')) FROM frontdesk.approvals t WHERE t.turn_id IN (SELECT id FROM frontdesk.turns WHERE conversation_id {of}'{owner}' AND title LIKE '{CANARY}%'))"
            ),
        ),
    ] {
        let rows = database.query(&sql).await;
        facts.push((what.to_owned(), rows[0].get::<_, String>(0)));
    }
    facts
}

//! Every policy is needed: without it, or with it opened, somebody may do something else.

use tokio_postgres::Client;

use super::matrix::{difference, tables};
use super::scene::{Scene, Who, attempt, scene};

struct Policy {
    table: String,
    name: String,
    verb: String,
    refuses_all: bool,
    for_keeper: bool,
}

async fn policies(client: &Client) -> Vec<Policy> {
    let rows = client
        .query(
            "SELECT tablename::text, policyname::text, cmd, coalesce(qual, with_check) = 'false' AS refuses_all,
                 roles = ARRAY['fd_keeper']::name[] AS for_keeper
             FROM pg_policies WHERE schemaname = 'public' ORDER BY 1, 2",
            &[],
        )
        .await
        .unwrap();
    rows.iter()
        .map(|row| Policy {
            table: row.get(0),
            name: row.get(1),
            verb: row.get(2),
            refuses_all: row.get(3),
            for_keeper: row.get(4),
        })
        .collect()
}

fn opened(policy: &Policy) -> String {
    let (table, name) = (&policy.table, &policy.name);
    match policy.verb.as_str() {
        "INSERT" => format!("ALTER POLICY {name} ON {table} WITH CHECK (true)"),
        "UPDATE" => format!("ALTER POLICY {name} ON {table} USING (true) WITH CHECK (true)"),
        _ => format!("ALTER POLICY {name} ON {table} USING (true)"),
    }
}

/// Whether the functions that act across scopes still work; each needs its policies.
async fn functions_work(scene: &Scene, client: &Client) -> bool {
    let (turn, company) = (scene.turn, scene.company);
    let (owner, member) = (scene.profile(Who::Owner), scene.profile(Who::Member));
    let stranger = scene.claims(Who::Stranger);
    let attempts = [
        (
            "fd_app",
            format!(
                "SELECT 1 WHERE fd.exists('conversation', '{}')",
                scene.conversation
            ),
        ),
        (
            "fd_app",
            format!("SELECT 1 WHERE fd.exists('turn', '{turn}')"),
        ),
        (
            "fd_app",
            format!(
                "SELECT 1 WHERE fd.exists('attachment', '{}')",
                scene.attachment
            ),
        ),
        (
            "fd_app",
            "SELECT 1 WHERE fd.blocked_by('ann', '2000-01-01', 0) IS NOT NULL".to_owned(),
        ),
        (
            "fd_app",
            format!("SELECT 1 WHERE fd.exists('message', '{}')", scene.message),
        ),
        (
            "fd_app",
            format!(
                "SELECT 1 WHERE fd.exists('invitation', '{}')",
                scene.invitation
            ),
        ),
        (
            "fd_app",
            format!("SELECT 1 WHERE fd.exists('company', '{company}')"),
        ),
        (
            "fd_keeper",
            format!("SELECT 1 FROM profiles WHERE id = '{owner}'"),
        ),
        (
            "fd_worker",
            "SELECT 1 FROM fd.claim('n', '2100-01-01', '2100-01-02')".to_owned(),
        ),
        (
            "fd_worker",
            format!("SELECT fd.ensure_company('{turn}', 'x', '{owner}', now())"),
        ),
        (
            "fd_worker",
            format!("SELECT fd.add_member('{company}', '{member}', 'admin', now())"),
        ),
        (
            "fd_worker",
            "SELECT 1 FROM fd.claim('n', '2100-01-01', '2100-01-02') c
             WHERE fd.interrupt(c.turn_id, c.epoch, '{}', now(), '{}') IS NOT NULL"
                .to_owned(),
        ),
    ];
    for (role, sql) in &attempts {
        if attempt(client, role, stranger.as_deref(), sql).await != Ok(true) {
            return false;
        }
    }
    recorded(scene, client).await
        && decides(scene, client).await
        && removes(scene, client).await
        && answers(scene, client).await
        && founds_and_counts(scene, client).await
        && holds(scene, client).await
        && clears(scene, client).await
        && reads_past_people(scene, client).await
        && super::steps::work(scene, client).await
}

/// Runs statements one after the other as a role, and tells whether the last one found a row.
async fn steps(client: &Client, role: &str, claims: Option<&str>, steps: &[String]) -> bool {
    client.batch_execute("SAVEPOINT steps").await.unwrap();
    let mut script = String::new();
    if let Some(claims) = claims {
        script = format!("SELECT set_config('request.jwt.claims', '{claims}', true);");
    }
    script.push_str(&format!("SET LOCAL ROLE {role};"));
    let (last, before) = steps.split_last().unwrap();
    script.push_str(&before.join(";"));
    let found = match client.batch_execute(&script).await {
        Ok(()) => client
            .query(last, &[])
            .await
            .is_ok_and(|rows| !rows.is_empty()),
        Err(_) => false,
    };
    client
        .batch_execute("ROLLBACK TO steps; RELEASE steps")
        .await
        .unwrap();
    found
}

/// Somebody outside the conversation decides a card that is addressed to a role; another card
/// that they do not see keeps the turn waiting.
async fn decides(scene: &Scene, client: &Client) -> bool {
    let (turn, profile) = (scene.turn, scene.profile(Who::Stranger));
    let claims = format!(
        r#"{{"sub": "{}", "app_metadata": {{"roles": ["Admin_User"]}}}}"#,
        scene.subject(Who::Stranger)
    );
    let decided = [
        format!(
            "UPDATE approvals SET decision = 'approved', decided_at = '2026-01-01',
             decided_by = '{profile}' WHERE turn_id = '{turn}'"
        ),
        format!(
            "SELECT fd.decided('{turn}', '2026-01-01', 'c', 't', 'h', 'approved', '{profile}', '{{}}', '1970-01-01')"
        ),
        "RESET ROLE".to_owned(),
        format!("SELECT 1 FROM turns WHERE id = '{turn}' AND lease_until = '2200-01-01'"),
    ];
    client
        .batch_execute(&format!(
            "SAVEPOINT cards; UPDATE approvals SET company_id = NULL;
             INSERT INTO approvals SELECT turn_id, 'other', conversation_id, company_id, scope_id, assistant,
                 requested_by, true, '{{\"approvers\": [\"Gate_User\"]}}', requested_at, '2200-01-01'
             FROM approvals WHERE turn_id = '{turn}'"
        ))
        .await
        .unwrap();
    let found = steps(client, "fd_app", Some(&claims), &decided).await;
    client
        .batch_execute("ROLLBACK TO cards; RELEASE cards")
        .await
        .unwrap();
    found
}

/// Whom an invitation is addressed to joins by it, once; nobody else does.
async fn answers(scene: &Scene, client: &Client) -> bool {
    let (invitation, company) = (scene.invitation, scene.company);
    let claims = |email: &str| {
        format!(
            r#"{{"sub": "{}", "email": "{email}"}}"#,
            scene.subject(Who::Stranger)
        )
    };
    let seen = "SELECT 1 FROM invitations".to_owned();
    let accepted = format!("SELECT fd.answer_invitation('{invitation}', 'accepted', '2026-01-01')");
    let joined = format!(
        "SELECT 1 FROM company_members WHERE company_id = '{company}' AND profile_id = '{}' AND role = 'member'",
        scene.profile(Who::Stranger)
    );
    let again = format!(
        "SELECT 1 WHERE NOT fd.answer_invitation('{invitation}', 'declined', '2026-01-01')"
    );
    let right = claims("NEW@example.com");
    let wrong = claims("other@example.com");
    let as_app =
        async |claims: &str, all: &[String]| steps(client, "fd_app", Some(claims), all).await;
    as_app(&right, std::slice::from_ref(&seen)).await
        && !as_app(&wrong, std::slice::from_ref(&seen)).await
        && as_app(&right, &[accepted.clone(), joined.clone()]).await
        && as_app(&right, &[accepted.clone(), again]).await
        && !as_app(&wrong, &[accepted, joined]).await
}

/// A company is founded in the caller's own name, and a member learns how much it used
/// without seeing who did.
async fn founds_and_counts(scene: &Scene, client: &Client) -> bool {
    let (new, company) = (scene.turn, scene.company);
    let founded = [
        format!("SELECT fd.found_company('{new}', 'x', now())"),
        format!(
            "SELECT 1 FROM companies c JOIN company_members m ON m.company_id = c.id WHERE c.id = '{new}' AND m.role = 'owner'"
        ),
    ];
    let spent = format!("SELECT 1 WHERE fd.spent('{company}', 1) = 30");
    let reserved = format!("SELECT 1 WHERE fd.reserved('{company}') > 0 AND fd.reserved() = 0");
    let foreign = format!("SELECT 1 WHERE fd.reserved('{company}') = 0");
    let stranger = scene.claims(Who::Stranger);
    let member = scene.claims(Who::Member);
    let nobody = scene.claims(Who::Unknown);
    steps(client, "fd_app", stranger.as_deref(), &founded).await
        && !steps(client, "fd_app", nobody.as_deref(), &founded).await
        && steps(
            client,
            "fd_app",
            member.as_deref(),
            std::slice::from_ref(&spent),
        )
        .await
        && steps(client, "fd_app", member.as_deref(), &[reserved]).await
        && steps(client, "fd_app", stranger.as_deref(), &[foreign]).await
        && !steps(client, "fd_app", stranger.as_deref(), &[spent]).await
}

async fn recorded(scene: &Scene, client: &Client) -> bool {
    let row = client
        .query_one(
            "SELECT event::text FROM journal WHERE turn_id = $1 AND position = 1",
            &[&scene.turn],
        )
        .await
        .unwrap();
    let event: String = row.get(0);
    let sql = format!(
        "SELECT 1 WHERE fd.recorded('{}', 0, 1, '{event}')",
        scene.turn
    );
    attempt(client, "fd_app", None, &sql).await == Ok(true)
}

async fn removes(scene: &Scene, client: &Client) -> bool {
    let (company, member) = (scene.company, scene.profile(Who::Member));
    let removed = [
        format!("SELECT fd.remove_member('{company}', '{member}')"),
        format!("SELECT 1 WHERE fd.remove_member('{company}', '{member}') IS NULL"),
    ];
    let kept = [
        format!("SELECT fd.ensure_company('{company}', 'other', '{member}', now())"),
        format!("SELECT 1 WHERE fd.remove_member('{company}', '{member}') = 'member'"),
    ];
    steps(client, "fd_worker", None, &removed).await
        && steps(client, "fd_worker", None, &kept).await
}

/// The search, the lookup of tokens and links.
async fn reads_past_people(scene: &Scene, client: &Client) -> bool {
    let stranger = scene.claims(Who::Stranger);
    searches(client, stranger.as_deref()).await
        && finds_tokens(client).await
        && finds_mails(client).await
        && shows(scene, client).await
}

/// The search reads documents past the rules of people, which would keep it from the index.
async fn searches(client: &Client, claims: Option<&str>) -> bool {
    attempt(client, "fd_keeper", claims, "SELECT 1 FROM artifacts").await == Ok(true)
}

/// A token is found before anybody is signed in.
async fn finds_tokens(client: &Client) -> bool {
    let sql = "SELECT 1 FROM fd.token_identity('hash', now())";
    attempt(client, "fd_worker", None, sql).await == Ok(true)
}

/// Nobody is signed in when the server looks for people to write to.
async fn finds_mails(client: &Client) -> bool {
    let sql = "SELECT 1 FROM fd.inbox_mails('2000-01-01')";
    attempt(client, "fd_worker", None, sql).await == Ok(true)
}

/// A link shows a conversation to a member of the company that it is for.
async fn shows(scene: &Scene, client: &Client) -> bool {
    let share = scene.invitation;
    let sql = format!("SELECT 1 FROM fd.shared_messages('{share}', now(), 10)");
    let reads = async |who: Who| {
        let claims = scene.claims(who);
        steps(
            client,
            "fd_app",
            claims.as_deref(),
            std::slice::from_ref(&sql),
        )
        .await
    };
    reads(Who::Member).await && !reads(Who::Stranger).await && !reads(Who::Former).await
}

/// The owner clears the conversation; nobody else does.
async fn clears(scene: &Scene, client: &Client) -> bool {
    let clear = format!("SELECT fd.clear('{}')", scene.conversation);
    let empty =
        "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM messages) AND NOT EXISTS (SELECT 1 FROM texts)
         AND EXISTS (SELECT 1 FROM artifacts) AND NOT EXISTS (SELECT 1 FROM attachments)
         AND NOT EXISTS (SELECT 1 FROM journal) AND NOT EXISTS (SELECT 1 FROM approvals)
         AND NOT EXISTS (SELECT 1 FROM turns WHERE state NOT IN ('running', 'awaiting_approval'))";
    let cleared = [clear.clone(), "RESET ROLE".to_owned(), empty.to_owned()];
    client
        .batch_execute(
            "SAVEPOINT past; INSERT INTO turns (id, conversation_id, scope_id, profile_id, subject, principal, opening,
                 first_seq, user_message_id, state, position, epoch, node, deadline, started_at)
             SELECT gen_random_uuid(), conversation_id, scope_id, profile_id, subject, principal, opening,
                 first_seq, user_message_id, 'completed', position, epoch, node, deadline, started_at FROM turns",
        )
        .await
        .unwrap();
    let owner = scene.claims(Who::Owner);
    let mut works = steps(client, "fd_app", owner.as_deref(), &cleared).await;
    for who in [Who::Nobody, Who::Member, Who::Stranger] {
        let claims = scene.claims(who);
        works &= attempt(client, "fd_app", claims.as_deref(), &clear).await == Ok(false);
    }
    client
        .batch_execute("ROLLBACK TO past; RELEASE past")
        .await
        .unwrap();
    works
}

async fn holds(scene: &Scene, client: &Client) -> bool {
    client.batch_execute("SAVEPOINT held").await.unwrap();
    client
        .batch_execute("SELECT fd.claim('n', '2100-01-01', '2100-01-02')")
        .await
        .unwrap();
    let turn = scene.turn;
    let held = [
        format!("SELECT fd.hold('{turn}', 1)"),
        format!("SELECT 1 FROM turns WHERE id = '{turn}'"),
    ];
    let found = steps(client, "fd_app", None, &held).await;
    client
        .batch_execute("ROLLBACK TO held; RELEASE held")
        .await
        .unwrap();
    found
}

// design: promises P7
#[tokio::test]
async fn every_policy_that_is_dropped_or_opened_is_noticed() {
    let scene = scene().await;
    // A role with every right but those of the policies, so that they alone decide.
    let role = scene.database().create_role("NOLOGIN").await;
    let client = scene.database().connect().await;
    client.batch_execute("BEGIN").await.unwrap();
    for table in tables() {
        let script = format!("GRANT ALL ON {table} TO {role}");
        client.batch_execute(&script).await.unwrap();
    }
    client
        .batch_execute(
            "ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only;
             ALTER TABLE journal DISABLE TRIGGER journal_append_only",
        )
        .await
        .unwrap();
    client
        .batch_execute(&format!(
            "GRANT USAGE ON SCHEMA fd TO {role}; GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA fd TO {role}"
        ))
        .await
        .unwrap();
    let found = difference(&scene, &client, &role, None).await;
    assert_eq!(found, None, "before anything is changed");
    assert!(
        functions_work(&scene, &client).await,
        "before anything is changed"
    );

    let policies = policies(&client).await;
    assert_eq!(policies.iter().filter(|p| !p.for_keeper).count(), 84);
    let mut survivors = Vec::new();
    for policy in &policies {
        let mut mutants = Vec::new();
        let (table, name) = (&policy.table, &policy.name);
        if policy.for_keeper {
            // The policy also checks the current role, so both guards must fall.
            mutants.push(format!(
                "ALTER POLICY {name} ON {table} TO PUBLIC; {}",
                opened(policy)
            ));
        } else {
            mutants.push(opened(policy));
        }
        // A missing policy allows nothing, like one that refuses everything.
        if !policy.refuses_all {
            mutants.push(format!("DROP POLICY {name} ON {table}"));
        }
        for mutant in mutants {
            client.batch_execute("SAVEPOINT mutant").await.unwrap();
            client.batch_execute(&mutant).await.unwrap();
            let noticed = difference(&scene, &client, &role, Some(table))
                .await
                .is_some()
                || !functions_work(&scene, &client).await;
            client
                .batch_execute("ROLLBACK TO mutant; RELEASE mutant")
                .await
                .unwrap();
            if !noticed {
                survivors.push(mutant);
            }
        }
    }
    assert!(survivors.is_empty(), "{survivors:#?}");
}

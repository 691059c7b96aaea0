//! The functions that make each step of a turn one call: whom they refuse, what they write, and
//! that they find out once who is asking.

use serde_json::json;
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;
use uuid::Uuid;

use super::scene::{EVERYONE, Scene, Who, attempt, scene};

/// Functions that policies call; a step calls none of them.
const ASKED: [&str; 5] = [
    "fd.profile()",
    "fd.scopes()",
    "fd.companies()",
    "fd.owned()",
    "fd.administered()",
];

fn enter(scene: &Scene) -> String {
    format!(
        "SELECT 1 FROM fd.load_caller_and_conversation('{}')",
        scene.conversation
    )
}

fn look(scene: &Scene) -> String {
    format!(
        "SELECT 1 FROM fd.look('{{1,2}}', '{}', 'ann', '2000-01-01', 19, 'r', 'k', 1, false)",
        scene.conversation
    )
}

fn open(scene: &Scene, turn: Uuid) -> String {
    let message = Uuid::now_v7();
    let request = json!({
        "conversation": scene.conversation, "turn": turn, "now": "2026-01-02", "principal": "{}",
        "opening": "{}", "first_seq": 7, "message": message, "node": "n",
        "lease_until": "2100-01-01", "deadline": "2100-01-01", "reserved": 0, "allowance": null,
        "position": 1, "started": r#"{"event": "turn.started"}"#,
        "lines": [{"id": message, "role": "user", "content": "hello", "metadata": {},
            "part": "said", "kind": "user", "wire": "w", "tokens": 3}],
        "next_seq": 8, "message_count": 5, "last_message_at": "2026-01-02", "floor_seq": 3,
        "text_count": 1, "new_files": 0, "bucket": "ann", "window_start": "2100-01-01",
        "key": {"route": "r", "key": "another", "fingerprint": "f", "forget": "2010-01-01"},
    });
    format!("SELECT fd.open_turn('{request}')")
}

fn step(turn: Uuid, epoch: i64, audit: bool) -> String {
    let note = json!({"call": "c", "tool": "t", "target": "h", "outcome": "executed"});
    let report = json!({
        "turn": turn, "epoch": epoch, "now": "2026-01-02",
        "entries": [{"position": 2, "event": r#"{"event": "a"}"#},
            {"position": 5, "event": r#"{"event": "b"}"#}],
        "audit": if audit { vec![note] } else { Vec::new() },
    });
    format!("SELECT fd.step('{report}')")
}

fn finish(turn: Uuid, epoch: i64) -> String {
    let answer = Uuid::now_v7();
    let report = json!({
        "turn": turn, "epoch": epoch, "lock": 3, "now": "2026-01-03",
        "entries": [{"position": 9, "event": r#"{"event": "c"}"#}], "audit": [],
    });
    let ending = json!({
        "lines": [
            {"id": Uuid::now_v7(), "role": "tool", "content": "", "metadata": {}, "part": "step",
                "kind": "result", "wire": "w", "tokens": 1},
            {"id": answer, "role": "assistant", "content": "bye", "metadata": {}, "part": "said",
                "kind": "answer", "wire": "v", "tokens": 2}],
        "answer": answer, "progress": null, "state": "completed", "outcome": "{}",
        "input_tokens": 10, "output_tokens": 20, "cached_tokens": 5, "estimated": true, "day": 1,
    });
    format!("SELECT fd.finish('{report}', '{ending}')")
}

async fn asked(client: &Client) -> i64 {
    let mut calls = 0;
    for function in ASKED {
        let sql = format!(
            "SELECT coalesce(pg_stat_get_xact_function_calls('{function}'::regprocedure), 0)"
        );
        let row = client.query_one(&sql, &[]).await.unwrap();
        calls += row.get::<_, i64>(0);
    }
    calls
}

/// Runs statements as a role with claims; whether all went through.
async fn run(client: &Client, claims: Option<&str>, statements: &[String]) -> bool {
    let claims = claims.unwrap_or_default();
    let script = format!(
        "SELECT set_config('request.jwt.claims', '{claims}', true); SET LOCAL ROLE fd_app; {}; RESET ROLE",
        statements.join(";")
    );
    client.batch_execute(&script).await.is_ok()
}

/// A whole turn of Ann's by the functions leaves what it should, and no policy of people's
/// was asked for it.
pub(super) async fn work(scene: &Scene, client: &Client) -> bool {
    let setup = format!(
        "SAVEPOINT steps; SET LOCAL track_functions = 'all'; UPDATE turns SET state = 'completed';
         INSERT INTO idempotency_keys (profile_id, route, key, fingerprint, turn_id, created_at) VALUES
             ('{0}', 'r', 'old', 'f', '{1}', '2000-01-01'), ('{0}', 'r', 'another', 'f', '{1}', '2020-01-01')",
        scene.profile(Who::Owner),
        scene.turn
    );
    client.batch_execute(&setup).await.unwrap();
    let before = asked(client).await;
    let turn = Uuid::now_v7();
    let owner = scene.claims(Who::Owner);
    let opened = [enter(scene), look(scene), open(scene, turn)];
    // A worker comes without claims: the lease is what it has.
    let worked = [step(turn, 0, false), finish(turn, 0)];
    let ran = run(client, owner.as_deref(), &opened).await && run(client, None, &worked).await;
    let works = ran && asked(client).await == before && left(scene, client, turn).await;
    client
        .batch_execute("ROLLBACK TO steps; RELEASE steps")
        .await
        .unwrap();
    works
}

async fn left(scene: &Scene, client: &Client, turn: Uuid) -> bool {
    let sql = format!(
        "SELECT 1 FROM turns t JOIN conversations c ON c.id = t.conversation_id
         WHERE t.id = '{turn}' AND t.profile_id = '{0}' AND t.subject = '{1}' AND t.scope_id = '{2}'
         AND t.state = 'completed' AND t.position = 9 AND t.lease_until IS NULL AND t.output_tokens = 20
         AND c.next_seq = 10 AND c.message_count = 6 AND c.floor_seq = 3 AND c.last_message_at = '2026-01-03'
         AND (SELECT array_agg(m.seq || m.content ORDER BY m.seq) FROM messages m WHERE m.turn_id = t.id)
             = ARRAY['7hello', '8', '9bye']
         AND (SELECT array_agg(j.position || (j.event ->> 'event') ORDER BY j.position) FROM journal j
             WHERE j.turn_id = t.id) = ARRAY['1turn.started', '2a', '5b', '9c']
         AND (SELECT count(*) FROM rate_events r WHERE r.turn_id = t.id AND r.profile_id = t.profile_id) = 1
         AND (SELECT count(*) FROM rate_events r WHERE r.bucket = 'ann') = 1
         AND (SELECT count(*) FROM idempotency_keys k WHERE k.turn_id = t.id AND k.profile_id = t.profile_id) = 1
         AND NOT EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.key = 'old')
         AND (SELECT u.input_tokens FROM usage_days u WHERE u.profile_id = t.profile_id AND u.scope_id = t.scope_id
             AND u.day = 1) = 20",
        scene.profile(Who::Owner),
        scene.subject(Who::Owner),
        scene.company
    );
    !client.query(&sql, &[]).await.unwrap().is_empty()
}

// design: promises P7
#[tokio::test]
async fn a_step_in_one_call_is_for_those_alone_who_may_take_it() {
    let scene = scene().await;
    let client = scene.database().connect().await;
    client
        .batch_execute("BEGIN; UPDATE turns SET state = 'completed'")
        .await
        .unwrap();
    for who in EVERYONE {
        let claims = scene.claims(who);
        let inside = matches!(who, Who::Owner | Who::Member);
        let entered = attempt(&client, "fd_app", claims.as_deref(), &enter(&scene)).await;
        assert_eq!(entered, Ok(inside), "{who:?} enters");
        let seen = attempt(&client, "fd_app", claims.as_deref(), &look(&scene)).await;
        assert_eq!(seen, Ok(inside), "{who:?} looks");
        let turn = Uuid::now_v7();
        let opened = attempt(&client, "fd_app", claims.as_deref(), &open(&scene, turn)).await;
        assert_eq!(opened, Ok(inside), "{who:?} opens");
    }
    // In one's own name, whatever is asked for: the function takes nobody's.
    let turn = Uuid::now_v7();
    let member = scene.claims(Who::Member);
    assert!(run(&client, member.as_deref(), &[open(&scene, turn)]).await);
    let sql = format!(
        "SELECT profile_id, subject FROM turns WHERE id = '{turn}' AND profile_id = '{}' AND subject = '{}'",
        scene.profile(Who::Member),
        scene.subject(Who::Member)
    );
    assert_eq!(client.query(&sql, &[]).await.unwrap().len(), 1);
    // Neither without the lease, nor once the turn is over, nor for somebody who left meanwhile.
    for sql in [
        step(turn, 1, false),
        finish(turn, 1),
        step(Uuid::now_v7(), 0, false),
    ] {
        let refused = attempt(&client, "fd_app", None, &sql).await;
        assert_eq!(refused, Err(SqlState::CHECK_VIOLATION), "{sql}");
    }
    assert_eq!(
        attempt(&client, "fd_app", None, &step(turn, 0, true)).await,
        Ok(true)
    );
    client
        .batch_execute(&format!(
            "SAVEPOINT member; DELETE FROM company_members WHERE profile_id = '{}'",
            scene.profile(Who::Member)
        ))
        .await
        .unwrap();
    for sql in [step(turn, 0, false), finish(turn, 0)] {
        assert_eq!(
            attempt(&client, "fd_app", None, &sql).await,
            Ok(false),
            "{sql}"
        );
    }
    client.batch_execute("ROLLBACK TO member").await.unwrap();
    assert!(run(&client, None, &[finish(turn, 0)]).await);
    for sql in [step(turn, 0, false), finish(turn, 0)] {
        let refused = attempt(&client, "fd_app", None, &sql).await;
        assert_eq!(refused, Err(SqlState::CHECK_VIOLATION), "{sql}");
    }
}

// design: promises P7
#[tokio::test]
async fn a_table_of_the_callers_own_cannot_stand_in_for_ours() {
    let scene = scene().await;
    let client = scene.database().connect().await;
    client
        .batch_execute("BEGIN; UPDATE turns SET state = 'completed'")
        .await
        .unwrap();
    let stranger = scene.claims(Who::Stranger);
    let forged = format!(
        "CREATE TEMP TABLE profiles AS SELECT '{0}'::uuid AS id, '{1}'::uuid AS user_id;
         CREATE TEMP TABLE company_members AS SELECT '{2}'::uuid AS company_id, '{0}'::uuid AS profile_id",
        scene.profile(Who::Owner),
        scene.subject(Who::Stranger),
        scene.company
    );
    assert!(run(&client, stranger.as_deref(), &[forged]).await);
    let turn = Uuid::now_v7();
    for sql in [enter(&scene), look(&scene), open(&scene, turn)] {
        let passed = attempt(&client, "fd_app", stranger.as_deref(), &sql).await;
        assert_eq!(passed, Ok(false), "{sql}");
    }
    // The worker calls none of them.
    for sql in [
        enter(&scene),
        look(&scene),
        open(&scene, turn),
        step(turn, 0, false),
        finish(turn, 0),
    ] {
        let passed = attempt(&client, "fd_worker", stranger.as_deref(), &sql).await;
        assert_eq!(passed, Ok(false), "{sql}");
    }
}

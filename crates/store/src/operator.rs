//! Everyone's turns for the operator, without their content. On PostgreSQL two functions tell
//! it, because the tables are closed to everyone else's eyes.

use chrono::{DateTime, Utc};
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::id::TurnId;
use frontdesk_core::store::{
    OperatorName, OperatorQuery, OperatorStep, OperatorTurn, Page, StepKind, StoreError,
};
use frontdesk_db::{Dialect, Row, Tx, Value};
use uuid::Uuid;

use crate::cursor::{After, List, place_cursor, read_place_cursor};
use crate::rows::{named, optional_json};
use crate::tx_error::{TxError, unreadable};
use crate::{Store, access};

const MAX_PAGE: u32 = 100;

/// `$1` until, `$2` last, `$3` most, `$4` assistant, `$5` state, `$6` one.
const TURNS_SQLITE: &str = "SELECT t.id, t.conversation_id, t.profile_id, c.company_id, \
         c.assistant, t.state, t.outcome, t.started_at, t.ended_at, t.input_tokens, \
         t.output_tokens, t.cached_tokens, t.usage_estimated AS estimated \
     FROM turns t JOIN conversations c ON c.id = t.conversation_id \
     WHERE ($1 IS NULL OR t.started_at < $1 OR (t.started_at = $1 AND t.id < $2)) \
         AND ($4 IS NULL OR c.assistant = $4) AND ($5 IS NULL OR t.state = $5) \
         AND ($6 IS NULL OR t.id = $6) \
     ORDER BY t.started_at DESC, t.id DESC LIMIT $3";
const TURNS_POSTGRES: &str = "SELECT * FROM fd.watched_turns($1, $2, $3, $4, $5, $6)";

const STEPS_SQLITE: &str = "SELECT json_extract(j.event, '$.event') AS kind, \
         coalesce(json_extract(j.event, '$.data.name'), json_extract(j.event, '$.data.model'), \
             json_extract(j.event, '$.data.card.tool'), json_extract(j.event, '$.data.call_id')) AS name, \
         CASE json_extract(j.event, '$.data.ok') WHEN 1 THEN 'true' WHEN 0 THEN 'false' END AS ok, \
         coalesce(json_extract(j.event, '$.data.refused'), json_extract(j.event, '$.data.error'), \
             json_extract(j.event, '$.data.decision')) AS problem, \
         json_extract(j.event, '$.data.duration_ms') AS duration_ms, \
         json_extract(j.event, '$.data.usage.input_tokens') AS input_tokens, \
         json_extract(j.event, '$.data.usage.output_tokens') AS output_tokens \
     FROM journal j WHERE j.turn_id = $1 AND json_extract(j.event, '$.event') IN \
         ('model.replied', 'tool.finished', 'approval.requested', 'approval.decided') \
     ORDER BY j.position";
const STEPS_POSTGRES: &str = "SELECT * FROM fd.watched_steps($1)";

/// `$1` ids, with commas between them.
const NAMES_SQLITE: &str = "SELECT id, display_name AS name FROM profiles \
         WHERE instr(',' || $1 || ',', ',' || id || ',') > 0 \
     UNION ALL SELECT id, name FROM companies WHERE instr(',' || $1 || ',', ',' || id || ',') > 0";
const NAMES_POSTGRES: &str = "SELECT * FROM fd.watched_names($1)";

/// Requires the role Operator; [`StoreError::Forbidden`] for everyone else.
impl Store {
    /// Newest first.
    pub async fn watched_turns(
        &self,
        who: &Principal,
        query: OperatorQuery,
    ) -> Result<Page<OperatorTurn>, StoreError> {
        check(who)?;
        let me = who.clone();
        self.read(who, move |tx, _| Box::pin(page(tx, me, query)))
            .await
    }

    /// One turn with its steps.
    pub async fn watched_turn(
        &self,
        who: &Principal,
        turn: TurnId,
    ) -> Result<(OperatorTurn, Vec<OperatorStep>), StoreError> {
        check(who)?;
        let me = who.clone();
        self.read(who, move |tx, _| Box::pin(one(tx, me, turn)))
            .await
    }

    /// Names of these people and companies; unknown ids are omitted.
    pub async fn watched_names(
        &self,
        who: &Principal,
        ids: Vec<Uuid>,
    ) -> Result<Vec<OperatorName>, StoreError> {
        check(who)?;
        let me = who.clone();
        self.read(who, move |tx, _| Box::pin(names(tx, me, ids)))
            .await
    }
}

async fn names(tx: &mut Tx, who: Principal, ids: Vec<Uuid>) -> Result<Vec<OperatorName>, TxError> {
    access::act_with_roles(tx, &who).await?;
    let sql = match tx.dialect() {
        Dialect::Sqlite => NAMES_SQLITE,
        Dialect::Postgres => NAMES_POSTGRES,
    };
    let ids: Vec<String> = ids.iter().map(Uuid::to_string).collect();
    let rows = tx.rows(sql, &[ids.join(",").into()]).await?;
    let name = |row: &Row| {
        Ok(OperatorName {
            id: row.get("id")?,
            name: row.get("name")?,
        })
    };
    rows.iter().map(name).collect()
}

fn check(who: &Principal) -> Result<(), StoreError> {
    match who.roles().contains(&Role::OPERATOR) {
        true => Ok(()),
        false => Err(StoreError::Forbidden),
    }
}

async fn page(
    tx: &mut Tx,
    who: Principal,
    query: OperatorQuery,
) -> Result<Page<OperatorTurn>, TxError> {
    access::act_with_roles(tx, &who).await?;
    let limit = query.limit.clamp(1, MAX_PAGE);
    let after = match &query.cursor {
        Some(cursor) => Some(read_place_cursor(who.profile(), List::Turns, cursor)?),
        None => None,
    };
    let values: Vec<Value> = vec![
        after.map(|after| after.at).into(),
        after.map(|after| after.id).into(),
        (limit + 1).into(),
        query.assistant.into(),
        query.state.map(|state| state.as_str().to_owned()).into(),
        None::<Uuid>.into(),
    ];
    let found = turns(tx, &values).await?;
    let has_more = found.len() > limit as usize;
    let items: Vec<OperatorTurn> = found.into_iter().take(limit as usize).collect();
    let cursor = items.last().filter(|_| has_more).map(|last| {
        let place = After {
            at: last.started_at,
            id: last.id.uuid(),
        };
        place_cursor(who.profile(), List::Turns, place)
    });
    Ok(Page {
        items,
        cursor,
        has_more,
    })
}

async fn one(
    tx: &mut Tx,
    who: Principal,
    turn: TurnId,
) -> Result<(OperatorTurn, Vec<OperatorStep>), TxError> {
    access::act_with_roles(tx, &who).await?;
    let values: Vec<Value> = vec![
        None::<DateTime<Utc>>.into(),
        None::<Uuid>.into(),
        1_u32.into(),
        None::<String>.into(),
        None::<String>.into(),
        turn.into(),
    ];
    let found = turns(tx, &values).await?.into_iter().next();
    let found = found.ok_or(StoreError::NotFound)?;
    let sql = match tx.dialect() {
        Dialect::Sqlite => STEPS_SQLITE,
        Dialect::Postgres => STEPS_POSTGRES,
    };
    let steps = tx.rows(sql, &[turn.into()]).await?;
    let steps: Result<Vec<_>, _> = steps.iter().map(step).collect();
    Ok((found, steps?))
}

async fn turns(tx: &mut Tx, values: &[Value]) -> Result<Vec<OperatorTurn>, TxError> {
    let sql = match tx.dialect() {
        Dialect::Sqlite => TURNS_SQLITE,
        Dialect::Postgres => TURNS_POSTGRES,
    };
    tx.rows(sql, values).await?.iter().map(turn).collect()
}

fn turn(row: &Row) -> Result<OperatorTurn, TxError> {
    let started_at: DateTime<Utc> = row.get("started_at")?;
    let ended_at: Option<DateTime<Utc>> = row.get("ended_at")?;
    Ok(OperatorTurn {
        id: row.get("id")?,
        conversation_id: row.get("conversation_id")?,
        profile_id: row.get("profile_id")?,
        company_id: row.get("company_id")?,
        assistant: row.get("assistant")?,
        state: named(row, "state")?,
        outcome: optional_json(row, "outcome")?,
        started_at,
        ended_at,
        duration_ms: ended_at.map(|end| {
            let lasted = (end - started_at).num_milliseconds();
            u64::try_from(lasted).unwrap_or(0)
        }),
        input_tokens: row.get("input_tokens")?,
        output_tokens: row.get("output_tokens")?,
        cached_tokens: row.get("cached_tokens")?,
        estimated: row.get("estimated")?,
    })
}

fn step(row: &Row) -> Result<OperatorStep, TxError> {
    let kind: String = row.get("kind")?;
    let ok: Option<String> = row.get("ok")?;
    let count = |name: &str| -> Result<u64, TxError> {
        let number: Option<i64> = row.get(name)?;
        Ok(number
            .and_then(|number| u64::try_from(number).ok())
            .unwrap_or(0))
    };
    Ok(OperatorStep {
        kind: match kind.as_str() {
            "model.replied" => StepKind::Model,
            "tool.finished" => StepKind::Tool,
            "approval.requested" => StepKind::ApprovalRequested,
            "approval.decided" => StepKind::ApprovalDecided,
            _ => return Err(unreadable("a step")),
        },
        name: row.get("name")?,
        ok: ok.as_deref() != Some("false"),
        problem: row.get("problem")?,
        duration_ms: count("duration_ms")?,
        input_tokens: count("input_tokens")?,
        output_tokens: count("output_tokens")?,
    })
}

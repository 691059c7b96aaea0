//! Loads the state that decides about a request: the conversation, running turns, rate, budget and
//! idempotency key in one row, and the turn that the request names.

use std::sync::LazyLock;

use chrono::DateTime;
use frontdesk_core::access::Principal;
use frontdesk_core::store::{OpenTurn, Opening, day_number};
use frontdesk_db::{Dialect, Row, Tx, Value};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::check::{NamedTurn, named_turn_sql};
use crate::access::{self, ACCESS, Kind};
use crate::rows::CONVERSATION;
use crate::tx_error::TxError;

static STATE: LazyLock<String> = LazyLock::new(|| state_sql(&NO_BUDGET));
static STATE_WITH_BUDGET: LazyLock<String> = LazyLock::new(|| state_sql(&BUDGET));

/// The same on Postgres. The function takes the locks first and identifies the caller by the claims.
/// It bypasses row-level security, because a bucket may be shared by people who cannot see each
/// other's events, and a person may have running turns in conversations that they lost access to.
const STATE_POSTGRES: &str = "SELECT * FROM fd.look($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/// Expressions for the tokens used today and those reserved for unfinished turns, of the person and
/// of the conversation's company.
struct BudgetSql {
    person: &'static str,
    company: &'static str,
    reserved_person: &'static str,
    reserved_company: &'static str,
}

const NO_BUDGET: BudgetSql = BudgetSql {
    person: "$8 - $8",
    company: "0",
    reserved_person: "0",
    reserved_company: "0",
};

const BUDGET: BudgetSql = BudgetSql {
    person: "(SELECT coalesce(sum(u.input_tokens + u.output_tokens), 0) FROM usage_days u \
         WHERE u.profile_id = $1 AND u.day = $8)",
    company: "(SELECT coalesce(sum(u.input_tokens + u.output_tokens), 0) FROM usage_days u \
         WHERE u.scope_id = c.company_id AND u.day = $8)",
    reserved_person: "(SELECT coalesce(sum(t.reserved), 0) FROM turns t WHERE t.profile_id = $1 \
         AND t.state IN ('running', 'awaiting_approval'))",
    reserved_company: "(SELECT coalesce(sum(t.reserved), 0) FROM turns t \
         WHERE t.scope_id = c.company_id AND t.state IN ('running', 'awaiting_approval'))",
};

/// Everything that decides about a request, in one row. SQLite uses a partial index only if the
/// query repeats its condition literally.
fn state_sql(budget: &BudgetSql) -> String {
    let BudgetSql {
        person,
        company,
        reserved_person,
        reserved_company,
    } = budget;
    format!(
        "SELECT {CONVERSATION}, c.scope_id, c.next_seq, c.floor_seq, c.text_count, c.file_count, \
             (SELECT t.id FROM turns t WHERE t.conversation_id = c.id \
                 AND t.state IN ('running', 'awaiting_approval')) AS active_turn, \
             (SELECT r.at FROM rate_events r WHERE r.bucket = $3 AND r.at > $4 \
                 ORDER BY r.at DESC LIMIT 1 OFFSET $5) AS blocked_by, \
             (SELECT count(*) FROM turns f WHERE f.profile_id = $1 AND f.state = 'running' \
                 AND f.state IN ('running', 'awaiting_approval')) AS in_flight, \
             (SELECT count(*) FROM rate_events r WHERE r.bucket = $3 AND r.at > $4) AS rate_counted, \
             (SELECT min(r.at) FROM rate_events r WHERE r.bucket = $3 AND r.at > $4) AS rate_oldest, \
             {person} AS spent_person, {company} AS spent_company, \
             {reserved_person} AS reserved_person, {reserved_company} AS reserved_company, \
             k.fingerprint AS key_fingerprint, k.turn_id AS key_turn \
         FROM conversations c \
         LEFT JOIN idempotency_keys k ON k.profile_id = $1 AND k.route = $6 AND k.key = $7 \
         WHERE c.id = $2 AND {ACCESS}"
    )
}

/// Prepares the statement of [`load_state`] on a new Postgres connection.
pub(crate) async fn prepare(tx: &mut Tx) -> Result<(), TxError> {
    let values: [Value; 9] = [
        Value::List(Vec::new()),
        Uuid::nil().into(),
        "".into(),
        DateTime::UNIX_EPOCH.into(),
        0.into(),
        Value::Null,
        Value::Null,
        0.into(),
        false.into(),
    ];
    tx.rows(STATE_POSTGRES, &values).await?;
    Ok(())
}

pub(super) async fn load_state(
    tx: &mut Tx,
    who: &Principal,
    request: &OpenTurn,
) -> Result<Row, TxError> {
    let rate = &request.rate;
    let since = request.now - chrono::TimeDelta::from_std(rate.window).unwrap_or_default();
    let key = request.key.as_ref();
    let limited = request.budget.is_limited();
    let (sql, first): (&str, Value) = match (tx.dialect(), limited) {
        (Dialect::Sqlite, false) => (&STATE, who.profile().into()),
        (Dialect::Sqlite, true) => (&STATE_WITH_BUDGET, who.profile().into()),
        (Dialect::Postgres, _) => (STATE_POSTGRES, locks(who, request)),
    };
    let mut values: Vec<Value> = vec![
        first,
        request.conversation.into(),
        (&rate.bucket).into(),
        since.into(),
        rate.max.saturating_sub(1).into(),
        key.map(|key| key.route.as_str()).into(),
        key.map(|key| key.key.as_str()).into(),
        day_number(request.now).into(),
    ];
    if tx.dialect() == Dialect::Postgres {
        values.push(limited.into());
    }
    match tx.row(sql, &values).await? {
        Some(row) => Ok(row),
        None => Err(access::refusal(tx, Kind::Conversation, request.conversation.uuid()).await?),
    }
}

/// The turn that the request names by idempotency key or by id. Few requests name one, so this is a
/// separate statement.
pub(super) async fn load_named_turn(
    tx: &mut Tx,
    row: &Row,
    request: &OpenTurn,
) -> Result<Option<NamedTurn>, TxError> {
    let named = match &request.opening {
        Opening::Retry { turn } => Some(turn.uuid()),
        Opening::Message { .. } | Opening::Form { .. } => None,
    };
    let Some(turn) = row.get::<Option<Uuid>>("key_turn")?.or(named) else {
        return Ok(None);
    };
    match tx
        .row(&named_turn_sql(tx.dialect()), &[turn.into()])
        .await?
    {
        Some(row) => NamedTurn::read(&row),
        None => Ok(None),
    }
}

/// Advisory locks on the person's turns, the rate bucket and the key, so that identical requests on
/// several nodes run one after the other. They are sorted, with the conversation last, so that
/// requests cannot deadlock.
fn locks(who: &Principal, request: &OpenTurn) -> Value {
    let profile = who.profile().to_string();
    let mut numbers = vec![
        lock_of(&["turns", &profile]),
        lock_of(&["rate", &request.rate.bucket]),
    ];
    if let Some(key) = &request.key {
        numbers.push(lock_of(&["key", &profile, &key.route, &key.key]));
    }
    numbers.sort_unstable();
    numbers.push(access::lock_of(request.conversation));
    numbers.into_iter().map(Value::from).collect()
}

fn lock_of(parts: &[&str]) -> i64 {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    let digest = hasher.finalize();
    digest
        .first_chunk::<8>()
        .map_or(0, |bytes| i64::from_be_bytes(*bytes))
}

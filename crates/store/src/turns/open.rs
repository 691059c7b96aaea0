//! Opening a turn: one look at everything that decides about it, then all writes at once. On
//! Postgres these are two calls and two round trips: the look with the locks, the writes with the commit.

use std::sync::LazyLock;

use chrono::DateTime;
use frontdesk_core::access::Principal;
use frontdesk_core::store::{Accepted, OpenTurn, Opening, day_number};
use frontdesk_db::{Dialect, Row, Tx, Value};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::opener::Opener;
use super::plan::{Plan, Referred, allowance, plan, rate_left, referred_sql};
use super::told::{LINES, Told, told, told_by_lines};
use super::{compose, files};
use crate::access::{self, ACCESS, Kind};
use crate::fault::Fault;
use crate::rows::{self, CONVERSATION, micros, natural};

static LOOK: LazyLock<String> = LazyLock::new(|| look_sql(&NO_BUDGET));
static LOOK_BUDGET: LazyLock<String> = LazyLock::new(|| look_sql(&BUDGET));

/// The same on Postgres, where the locks come first and the function finds out who is asking: a
/// bucket may be shared by people who do not see each other's events, and a person may have turns
/// at work in conversations that they see no more.
const LOOK_POSTGRES: &str = "SELECT * FROM fd.look($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/// What was used today and what is reserved for open turns, of the person and of the
/// conversation's company.
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

/// Everything that decides about a request, in one row. SQLite takes a partial index only where its
/// condition stands in the query word for word.
fn look_sql(budget: &BudgetSql) -> String {
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

pub(super) async fn open(
    tx: &mut Tx,
    who: Principal,
    mut request: OpenTurn,
) -> Result<Accepted, Fault> {
    request.now = micros(request.now);
    let row = look(tx, &who, &request).await?;
    let next_seq: i64 = row.get("next_seq")?;
    let referred = referred_to(tx, &row, &request).await?;
    let earlier = match plan(&row, referred, &request)? {
        Plan::Replay(earlier) => {
            return Ok(Accepted::Replay {
                turn: earlier.turn,
                state: earlier.state,
                user_message: earlier.user_message,
            });
        }
        Plan::Again(earlier) => Some(earlier),
        Plan::Fresh => None,
    };
    let first_seq = earlier.as_ref().map_or(next_seq, |found| found.first_seq);
    let told = what_was_told(tx, &row, &request, first_seq).await?;
    let wanted = match &earlier {
        Some(_) => &[],
        None => compose::attachments(&request.opening),
    };
    let files = files::bring(
        tx,
        request.conversation,
        natural(&row, "file_count")?,
        wanted,
    )
    .await?;
    let opener = Opener {
        rate: rate_left(&row, &request)?,
        allowance: allowance(&row, &request.budget)?,
        conversation: rows::conversation(&row)?,
        scope: row.get("scope_id")?,
        next_seq,
        first_seq,
        text_count: natural(&row, "text_count")?,
        who,
        request,
        lines: Vec::new(),
    };
    opener.write(tx, earlier, told, files).await
}

/// Looks as [`open`] does on Postgres, for nobody.
pub(crate) async fn warm_up(tx: &mut Tx) -> Result<(), Fault> {
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
    tx.rows(LOOK_POSTGRES, &values).await?;
    Ok(())
}

async fn look(tx: &mut Tx, who: &Principal, request: &OpenTurn) -> Result<Row, Fault> {
    let rate = &request.rate;
    let since = request.now - chrono::TimeDelta::from_std(rate.window).unwrap_or_default();
    let key = request.key.as_ref();
    let limited = request.budget.is_limited();
    let (sql, first): (&str, Value) = match (tx.dialect(), limited) {
        (Dialect::Sqlite, false) => (&LOOK, who.profile().uuid().into()),
        (Dialect::Sqlite, true) => (&LOOK_BUDGET, who.profile().uuid().into()),
        (Dialect::Postgres, _) => (LOOK_POSTGRES, locks(who, request)),
    };
    let mut values: Vec<Value> = vec![
        first,
        request.conversation.uuid().into(),
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

/// On Postgres the look has brought it along.
async fn what_was_told(
    tx: &mut Tx,
    row: &Row,
    request: &OpenTurn,
    first_seq: i64,
) -> Result<Told, Fault> {
    match tx.dialect() {
        Dialect::Postgres => told(row, first_seq),
        Dialect::Sqlite => {
            let floor: i64 = row.get("floor_seq")?;
            let values = [request.conversation.uuid().into(), floor.into()];
            told_by_lines(&tx.rows(LINES, &values).await?, first_seq)
        }
    }
}

/// The turn that the request refers to, by its key or by name. Few requests do, so it is
/// looked up apart.
async fn referred_to(
    tx: &mut Tx,
    row: &Row,
    request: &OpenTurn,
) -> Result<Option<Referred>, Fault> {
    let named = match &request.opening {
        Opening::Retry { turn } => Some(turn.uuid()),
        Opening::Message { .. } | Opening::Form { .. } => None,
    };
    let Some(turn) = row.get::<Option<Uuid>>("key_turn")?.or(named) else {
        return Ok(None);
    };
    match tx.row(&referred_sql(tx.dialect()), &[turn.into()]).await? {
        Some(row) => Referred::read(&row),
        None => Ok(None),
    }
}

/// The person's turns, the bucket and the key, so that twins on several nodes take turns;
/// always in one order, and the conversation behind them.
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

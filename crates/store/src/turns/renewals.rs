//! Renewing leases. A node renews one for each turn that it works on; those that are due while a
//! renewal is on its way go together with the next, so that many turns cost few transactions.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use frontdesk_core::id::TurnId;
use frontdesk_core::store::{Lease, StoreError};
use frontdesk_db::{Claims, Dialect, Tx};
use serde_json::{Value as Json, json};
use tokio::sync::oneshot;

use super::hold::{Touch, hold};
use crate::Store;
use crate::tx_error::TxError;

/// Those of all clones of a store.
#[derive(Clone, Default)]
pub(crate) struct Renewals(Arc<Mutex<Queue>>);

#[derive(Default)]
struct Queue {
    waiting: Vec<Due>,
    /// Somebody is on the way to the database and looks here again.
    busy: bool,
}

struct Due {
    lease: Lease,
    until: DateTime<Utc>,
    tell: oneshot::Sender<Result<bool, StoreError>>,
}

/// The state of a lease that is still valid.
#[derive(Clone, Copy)]
struct LeaseState {
    cancel_requested: bool,
    allowed: bool,
}

type Answers = HashMap<(TurnId, i64), LeaseState>;

impl Renewals {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those that wait now; none means that nobody is on the way any more.
    fn next(&self) -> Option<Vec<Due>> {
        let mut queue = self.queue();
        queue.busy = !queue.waiting.is_empty();
        queue.busy.then(|| std::mem::take(&mut queue.waiting))
    }
}

/// Whether somebody wants the turn to stop.
pub(super) async fn renew(
    store: &Store,
    lease: &Lease,
    until: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let (tell, told) = oneshot::channel();
    let due = Due {
        lease: lease.clone(),
        until,
        tell,
    };
    let on_the_way = {
        let mut queue = store.renewals.queue();
        queue.waiting.push(due);
        std::mem::replace(&mut queue.busy, true)
    };
    if !on_the_way {
        // In a task of its own: whoever asked first may leave, and the others still wait.
        tokio::spawn(serve(store.clone()));
    }
    told.await
        .unwrap_or_else(|_| Err(not_now("it is stopping")))
}

async fn serve(store: Store) {
    while let Some(due) = store.renewals.next() {
        let asked: Vec<(Lease, DateTime<Utc>)> = due
            .iter()
            .map(|each| (each.lease.clone(), each.until))
            .collect();
        let answers = store
            .write_as(&Claims::system("leases"), move |tx| {
                Box::pin(async move { renew_all(tx, asked).await })
            })
            .await;
        for Due { lease, tell, .. } in due {
            let answer = match &answers {
                Ok(answers) => match answers.get(&(lease.turn, lease.epoch)) {
                    Some(held) if held.allowed => Ok(held.cancel_requested),
                    Some(_) => Err(StoreError::Forbidden),
                    None => Err(StoreError::Fenced),
                },
                Err(error) => Err(not_now(&error.to_string())),
            };
            // The turn may have ended meanwhile.
            tell.send(answer).ok();
        }
    }
}

/// A lease that could not be renewed is not lost yet: the next attempt will tell.
fn not_now(problem: &str) -> StoreError {
    StoreError::Unavailable(problem.to_owned())
}

async fn renew_all(tx: &mut Tx, asked: Vec<(Lease, DateTime<Utc>)>) -> Result<Answers, TxError> {
    match tx.dialect() {
        Dialect::Postgres => renew_at_once(tx, &asked).await,
        Dialect::Sqlite => renew_one_by_one(tx, &asked).await,
    }
}

async fn renew_at_once(tx: &mut Tx, asked: &[(Lease, DateTime<Utc>)]) -> Result<Answers, TxError> {
    let leases: Vec<Json> = asked
        .iter()
        .map(|(lease, until)| json!({ "turn": lease.turn, "epoch": lease.epoch, "until": until }))
        .collect();
    let found = tx
        .rows(
            "SELECT turn_id, epoch, cancel_requested, allowed FROM fd.renew($1)",
            &[Json::Array(leases).to_string().into()],
        )
        .await?;
    let mut answers = Answers::new();
    for row in &found {
        let held = LeaseState {
            cancel_requested: row.get("cancel_requested")?,
            allowed: row.get("allowed")?,
        };
        answers.insert((row.get("turn_id")?, row.get("epoch")?), held);
    }
    Ok(answers)
}

async fn renew_one_by_one(
    tx: &mut Tx,
    asked: &[(Lease, DateTime<Utc>)],
) -> Result<Answers, TxError> {
    let mut answers = Answers::new();
    for (lease, until) in asked {
        let allowed = match hold(tx, lease, Touch::Journal).await {
            Ok(()) => true,
            Err(TxError::Store(StoreError::Forbidden)) => false,
            Err(TxError::Store(StoreError::Fenced)) => continue,
            Err(fault) => return Err(fault),
        };
        let row = tx
            .row(
                "UPDATE turns SET lease_until = $3 WHERE id = $1 AND epoch = $2 \
                 AND state = 'running' RETURNING cancel_requested",
                &[lease.turn.into(), lease.epoch.into(), (*until).into()],
            )
            .await?;
        if let Some(row) = row {
            let held = LeaseState {
                cancel_requested: row.get("cancel_requested")?,
                allowed,
            };
            answers.insert((lease.turn, lease.epoch), held);
        }
    }
    Ok(answers)
}

//! Turns: opened in one transaction, journalled under a fenced lease, taken over when nobody
//! works on them any more.

mod deciders;
mod files;
mod finish;
mod fold;
mod hold;
mod journal;
mod lines;
mod open;
mod record;
mod renewals;
mod saves;
mod take_over;
mod unfinished;

use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::event::Entry;
use frontdesk_core::handle::{Handles, TextHandle};
use frontdesk_core::id::ConversationId;
use frontdesk_core::store::{
    Accepted, FinishTurn, Lease, OpenTurn, Opened, Record, StoreError, Turns,
};
use frontdesk_db::{Claims, Tx, Value};

use crate::Store;
use crate::tx_error::TxError;
pub(crate) use files::load_files;
use hold::Touch;
pub(crate) use journal::{append_next, entry};
pub(crate) use open::{prepare, with_content};
pub(crate) use renewals::Renewals;
pub(crate) use saves::keep_artifact;
pub(crate) use take_over::UNLEASED;
pub(crate) use unfinished::note_unknown;

#[async_trait]
impl Turns for Store {
    async fn open(&self, who: &Principal, request: OpenTurn) -> Result<Accepted, StoreError> {
        self.write_again(who, || {
            let (principal, request) = (who.clone(), request.clone());
            Box::new(move |tx| Box::pin(open::open(tx, principal, request)))
        })
        .await
    }

    async fn record(&self, lease: &Lease, record: Record) -> Result<(), StoreError> {
        let last = record.entries.last().cloned();
        let (held, appliers) = (lease.clone(), self.appliers.clone());
        let result = self
            .write_as(&Claims::none(), move |tx| {
                Box::pin(async move { record::record(tx, &appliers, &held, record).await })
            })
            .await;
        self.unless_recorded(lease, last, result).await
    }

    async fn finish(&self, lease: &Lease, finish: FinishTurn) -> Result<(), StoreError> {
        let last = finish.record.entries.last().cloned();
        let (held, appliers) = (lease.clone(), self.appliers.clone());
        let result = self
            .write_as(&Claims::none(), move |tx| {
                Box::pin(async move { finish::finish(tx, &appliers, &held, finish).await })
            })
            .await;
        self.unless_recorded(lease, last, result).await
    }

    async fn renew(&self, lease: &Lease, until: DateTime<Utc>) -> Result<bool, StoreError> {
        renewals::renew(self, lease, until).await
    }

    async fn take_over(
        &self,
        node: &str,
        now: DateTime<Utc>,
        lease_for: Duration,
    ) -> Result<Option<Opened>, StoreError> {
        take_over::take_over(self, node, now, lease_for).await
    }

    async fn texts(&self, lease: &Lease, numbers: &[u32]) -> Result<Handles, StoreError> {
        let (lease, numbers) = (lease.clone(), numbers.to_vec());
        self.write_as(&Claims::none(), move |tx| {
            Box::pin(async move { texts(tx, &lease, &numbers).await })
        })
        .await
    }
}

impl Store {
    /// A record that fails may be the repetition of one that was kept and whose answer was
    /// lost on the way: then it has succeeded. Only a failure pays for the look.
    async fn unless_recorded(
        &self,
        lease: &Lease,
        last: Option<Entry>,
        result: Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let (Some(last), Err(error)) = (last, &result) else {
            return result;
        };
        if matches!(error, StoreError::Unavailable(_)) {
            return result;
        }
        let lease = lease.clone();
        let recorded = self
            .read_as(&Claims::none(), move |tx| {
                Box::pin(async move { journal::is_recorded(tx, &lease, &last).await })
            })
            .await?;
        if recorded { Ok(()) } else { result }
    }
}

/// A moment that lies `after` another; the end of time when it would lie beyond.
fn later(now: DateTime<Utc>, after: Duration) -> DateTime<Utc> {
    TimeDelta::from_std(after)
        .ok()
        .and_then(|delta| now.checked_add_signed(delta))
        .unwrap_or(DateTime::<Utc>::MAX_UTC)
}

async fn texts(tx: &mut Tx, lease: &Lease, numbers: &[u32]) -> Result<Handles, TxError> {
    hold::hold(tx, lease, Touch::Journal).await?;
    Ok(Handles {
        texts: load_texts(tx, lease.conversation, numbers).await?,
        files: Vec::new(),
    })
}

/// Pasted texts of a conversation by their numbers; those that do not exist are left out.
pub(crate) async fn load_texts(
    tx: &mut Tx,
    conversation: ConversationId,
    numbers: &[u32],
) -> Result<Vec<TextHandle>, TxError> {
    let mut texts = Vec::with_capacity(numbers.len());
    for number in numbers {
        let values: [Value; 2] = [conversation.into(), (*number).into()];
        let found = tx
            .row(
                "SELECT number, content FROM texts WHERE conversation_id = $1 AND number = $2",
                &values,
            )
            .await?;
        if let Some(row) = found {
            texts.push(TextHandle {
                number: row.get("number")?,
                text: row.get("content")?,
            });
        }
    }
    Ok(texts)
}

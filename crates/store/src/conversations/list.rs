//! Pages of conversations and of messages. Every page costs the same: each kind of access is one
//! index range, and the cursor has its start.

use std::fmt::Write as _;

use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::{ConversationId, ProfileId};
use frontdesk_core::store::{ConversationQuery, ConversationView, Page, StoreError, StoredMessage};
use frontdesk_db::{Row, Tx, Value};
use uuid::Uuid;

use crate::access::{ACCESS, Kind, refusal};
use crate::authors;
use crate::cursor::{
    After, ConversationCursor, Direction, List, number_cursor, read_number_cursor,
};
use crate::rows::{self, CONVERSATION, MESSAGE};
use crate::tx_error::TxError;
use crate::versions;

/// The most that one page holds.
const MAX_PAGE: u32 = 100;
/// A change may be dated before the first page was read and become visible after it.
const LATE: chrono::TimeDelta = chrono::TimeDelta::seconds(10);

fn page_size(limit: u32) -> u32 {
    limit.clamp(1, MAX_PAGE)
}

pub(super) async fn conversations(
    tx: &mut Tx,
    me: ProfileId,
    query: ConversationQuery,
) -> Result<Page<Conversation>, TxError> {
    let cursor = query
        .cursor
        .as_deref()
        .map(|cursor| ConversationCursor::read(me, cursor))
        .transpose()?;
    let limit = page_size(query.limit) as usize;
    let mut companies = memberships(tx, me).await?;
    if let Some(company) = query.company_id {
        companies.retain(|found| *found == company.uuid());
        if companies.is_empty() {
            return Err(StoreError::NotAMember.into());
        }
    }
    let mut reader = Reader {
        me,
        query: &query,
        companies: &companies,
        limit,
        cursor,
        items: Vec::new(),
    };
    let has_more = reader.fill(tx).await?;
    let cursor = reader.cursor.filter(|_| has_more);
    Ok(Page {
        items: reader.items,
        cursor: cursor.map(|cursor| cursor.text(me)),
        has_more,
    })
}

/// Reads one page: downwards from the newest, then the conversations that moved to the top since
/// the first page.
struct Reader<'a> {
    me: ProfileId,
    query: &'a ConversationQuery,
    companies: &'a [Uuid],
    limit: usize,
    /// The position behind the last item; `None` before the first page.
    cursor: Option<ConversationCursor>,
    items: Vec<Conversation>,
}

impl Reader<'_> {
    /// Returns whether there is more behind the page.
    async fn fill(&mut self, tx: &mut Tx) -> Result<bool, TxError> {
        loop {
            let (sql, values) = self.statement();
            let is_first_page = self.cursor.is_none();
            let found = match is_first_page {
                true => tx.last_rows(&sql, &values).await?,
                false => tx.rows(&sql, &values).await?,
            };
            let is_last_read = found.len() <= self.limit;
            for row in &found {
                let conversation = rows::conversation(row)?;
                let is_returned = self.is_returned(&conversation);
                if !is_returned && self.items.len() == self.limit {
                    return Ok(true);
                }
                self.advance(&conversation);
                if !is_returned {
                    self.items.push(conversation);
                }
            }
            if !is_last_read {
                continue;
            }
            // Nothing can have moved since the first page while that page is read.
            match &mut self.cursor {
                Some(cursor) if !is_first_page && cursor.direction == Direction::Down => {
                    cursor.direction = Direction::Up;
                    cursor.after = cursor.top;
                    cursor.after.at -= LATE;
                }
                Some(_) | None => return Ok(false),
            }
        }
    }

    /// On the way down, nothing comes twice.
    fn is_returned(&self, conversation: &Conversation) -> bool {
        self.cursor.as_ref().is_some_and(|cursor| {
            let print = ConversationCursor::fingerprint(conversation.id.uuid());
            cursor.direction == Direction::Up && cursor.returned.contains(&print)
        })
    }

    fn advance(&mut self, conversation: &Conversation) {
        let place = After {
            at: conversation.updated_at,
            id: conversation.id.uuid(),
        };
        let cursor = self.cursor.get_or_insert_with(|| ConversationCursor {
            direction: Direction::Down,
            after: place,
            top: place,
            returned: Vec::new(),
        });
        cursor.after = place;
        let print = ConversationCursor::fingerprint(place.id);
        if !cursor.returned.contains(&print) {
            cursor.returned.push(print);
        }
    }

    fn statement(&self) -> (String, Vec<Value>) {
        let limit = u32::try_from(self.limit).unwrap_or(MAX_PAGE);
        statement(
            self.me,
            self.query,
            self.cursor.as_ref(),
            self.companies,
            limit,
        )
    }
}

async fn memberships(tx: &mut Tx, me: ProfileId) -> Result<Vec<Uuid>, TxError> {
    let found = tx
        .rows(
            "SELECT company_id FROM company_members WHERE profile_id = $1 ORDER BY company_id",
            &[me.into()],
        )
        .await?;
    found
        .iter()
        .map(|row: &Row| Ok(row.get("company_id")?))
        .collect()
}

/// The condition on the caller's own marks.
fn view_condition(view: ConversationView) -> &'static str {
    match view {
        ConversationView::Current => {
            " AND NOT EXISTS (SELECT 1 FROM conversation_marks k WHERE k.profile_id = $1 \
             AND k.conversation_id = c.id AND k.archived)"
        }
        ConversationView::Pinned => {
            " AND EXISTS (SELECT 1 FROM conversation_marks k WHERE k.profile_id = $1 \
             AND k.conversation_id = c.id AND k.pinned)"
        }
        ConversationView::Archived => {
            " AND EXISTS (SELECT 1 FROM conversation_marks k WHERE k.profile_id = $1 \
             AND k.conversation_id = c.id AND k.archived)"
        }
    }
}

/// One's own, and for each company those of others that are about no subject: each an ordered
/// index range of at most a page, merged. An `OR` over all of them would sort everything on every page.
fn statement(
    me: ProfileId,
    query: &ConversationQuery,
    cursor: Option<&ConversationCursor>,
    companies: &[Uuid],
    limit: u32,
) -> (String, Vec<Value>) {
    let mut values: Vec<Value> = vec![me.into(), (limit + 1).into()];
    let mut also = String::new();
    if let Some(assistant) = &query.assistant {
        values.push(assistant.into());
        // Writing to a String cannot fail.
        let _ = write!(also, " AND c.assistant = ${}", values.len());
    }
    also.push_str(view_condition(query.view));
    let mut order = "DESC";
    if let Some(cursor) = cursor {
        values.push(cursor.after.at.into());
        values.push(cursor.after.id.into());
        let id = values.len();
        let side = match cursor.direction {
            Direction::Down => "<",
            Direction::Up => ">",
        };
        let _ = write!(
            also,
            " AND (c.updated_at, c.id) {side} (${}, ${id})",
            id - 1
        );
        if cursor.direction == Direction::Up {
            // Later conversations are not part of this list.
            values.push(cursor.top.at.into());
            let _ = write!(
                also,
                " AND c.created_at <= ${} AND c.created_at < c.updated_at",
                values.len()
            );
            order = "ASC";
        }
    }
    let mut conditions = Vec::new();
    let mut mine: Vec<String> = Vec::new();
    for company in companies {
        values.push((*company).into());
        let company = values.len();
        mine.push(format!("${company}"));
        conditions.push(format!(
            "c.company_id = ${company} AND c.subject IS NULL AND c.user_id <> $1"
        ));
    }
    let mut own = Vec::new();
    if query.company_id.is_none() {
        own.push("(c.company_id IS NULL AND c.subject IS NULL)".to_owned());
    }
    if !mine.is_empty() {
        own.push(format!("c.company_id IN ({})", mine.join(", ")));
    }
    if own.is_empty() {
        own.push("false".to_owned());
    }
    conditions.push(format!("c.user_id = $1 AND ({})", own.join(" OR ")));
    let ranges: Vec<String> = conditions
        .iter()
        .enumerate()
        .map(|(number, condition)| {
            format!(
                "SELECT * FROM (SELECT {CONVERSATION} FROM conversations c \
                 WHERE {condition}{also} ORDER BY c.updated_at {order}, c.id {order} LIMIT $2) AS r{number}"
            )
        })
        .collect();
    let sql = format!(
        "SELECT * FROM ({}) AS page ORDER BY updated_at {order}, id {order} LIMIT $2",
        ranges.join(" UNION ALL ")
    );
    (sql, values)
}

pub(super) async fn messages(
    tx: &mut Tx,
    me: ProfileId,
    id: ConversationId,
    cursor: Option<String>,
    limit: u32,
) -> Result<Page<StoredMessage>, TxError> {
    let list = List::Messages(id);
    let after = match &cursor {
        Some(cursor) => read_number_cursor(me, list, cursor)?,
        None => 0,
    };
    let cut = Cut {
        beyond: after,
        side: "s.seq > $3 ORDER BY s.seq",
        order: "m.seq",
    };
    page_of_messages(tx, me, id, list, cut, limit).await
}

pub(super) async fn newest_messages(
    tx: &mut Tx,
    me: ProfileId,
    id: ConversationId,
    cursor: Option<String>,
    limit: u32,
) -> Result<Page<StoredMessage>, TxError> {
    let list = List::NewestMessages(id);
    let before = match &cursor {
        Some(cursor) => read_number_cursor(me, list, cursor)?,
        None => i64::MAX,
    };
    let cut = Cut {
        beyond: before,
        side: "s.seq < $3 ORDER BY s.seq DESC",
        order: "m.seq DESC",
    };
    let mut page = page_of_messages(tx, me, id, list, cut, limit).await?;
    page.items.reverse();
    Ok(page)
}

/// The range and order of a page of messages.
struct Cut {
    beyond: i64,
    side: &'static str,
    order: &'static str,
}

async fn page_of_messages(
    tx: &mut Tx,
    me: ProfileId,
    id: ConversationId,
    list: List,
    cut: Cut,
    limit: u32,
) -> Result<Page<StoredMessage>, TxError> {
    let limit = page_size(limit);
    let author = authors::columns(tx.dialect(), "m.id");
    let versions = versions::COLUMNS;
    // The page is cut before the join: a long conversation is not sorted for each page.
    let sql = format!(
        "SELECT m.id, m.role, m.content, m.metadata, m.created_at, m.seq, o.rating, {author}, {versions} \
         FROM conversations c \
         LEFT JOIN (SELECT s.id, s.role, s.content, s.metadata, s.created_at, s.seq, s.version_of \
             FROM messages s WHERE s.conversation_id = $2 AND s.part = 'said' AND s.aside IS NULL AND {} \
             LIMIT $4) AS m ON true \
         LEFT JOIN message_feedback o ON o.message_id = m.id AND o.profile_id = $1 \
         WHERE c.id = $2 AND {ACCESS} ORDER BY {}",
        cut.side, cut.order
    );
    let values: [Value; 4] = [me.into(), id.into(), cut.beyond.into(), (limit + 1).into()];
    let found = tx.last_rows(&sql, &values).await?;
    if found.is_empty() {
        return Err(refusal(tx, Kind::Conversation, id.uuid()).await?);
    }
    let mut items = Vec::new();
    let mut last = cut.beyond;
    for row in found.iter().take(limit as usize) {
        if let Some(mut message) = rows::message(row, id.uuid(), &MESSAGE)? {
            last = row.get("seq")?;
            message.versions = versions::read(row)?;
            items.push(message);
        }
    }
    let has_more = found.len() > limit as usize;
    Ok(Page {
        items,
        cursor: has_more.then(|| number_cursor(me, list, last)),
        has_more,
    })
}

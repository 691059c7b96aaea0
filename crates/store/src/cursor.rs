//! Cursors: opaque, bound to the list and to the person they were given to.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use frontdesk_core::id::{ConversationId, ProfileId};
use frontdesk_core::store::StoreError;
use sha2::{Digest, Sha256};
use uuid::Uuid;

const SEAL_BYTES: usize = 16;

/// The list that a cursor leads through.
#[derive(Clone, Copy)]
pub(crate) enum List {
    Conversations,
    Messages(ConversationId),
    /// The same list from its end.
    NewestMessages(ConversationId),
    Audit,
    /// Everyone's turns, for the operator.
    Turns,
}

/// The last item of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct After {
    pub(crate) at: DateTime<Utc>,
    pub(crate) id: Uuid,
}

/// The direction in which a list of conversations is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// From the newest to the oldest.
    Down,
    /// Those that moved to the top after the first page, from the oldest change to the newest.
    Up,
}

/// The continuation of a list of conversations. A change moves a conversation to the top, so a position
/// alone would miss it: the cursor also has the top of the first page and what was returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConversationCursor {
    pub(crate) direction: Direction,
    pub(crate) after: After,
    /// The first conversation of the first page, as it was then.
    pub(crate) top: After,
    /// Fingerprints of the conversations returned so far, the latest last.
    pub(crate) returned: Vec<u32>,
}

/// The most fingerprints in a cursor, 4 bytes each: of the first conversations and of the latest.
/// In a longer list, one in between that changes meanwhile is returned a second time.
const FIRST_RETURNED: usize = 100;
const LAST_RETURNED: usize = 900;
const PLACE_BYTES: usize = 24;

impl ConversationCursor {
    pub(crate) fn fingerprint(id: Uuid) -> u32 {
        let (_, last) = id.as_u64_pair();
        let [.., a, b, c, d] = last.to_be_bytes();
        u32::from_be_bytes([a, b, c, d])
    }

    pub(crate) fn text(&self, who: ProfileId) -> String {
        let mut payload = vec![match self.direction {
            Direction::Down => 0,
            Direction::Up => 1,
        }];
        payload.extend(place_bytes(self.after));
        payload.extend(place_bytes(self.top));
        let dropped = FIRST_RETURNED..self.returned.len().saturating_sub(LAST_RETURNED);
        for (place, print) in self.returned.iter().enumerate() {
            if !dropped.contains(&place) {
                payload.extend_from_slice(&print.to_be_bytes());
            }
        }
        sealed(who, List::Conversations, payload)
    }

    pub(crate) fn read(who: ProfileId, text: &str) -> Result<Self, StoreError> {
        let payload = opened(who, List::Conversations, text)?;
        let (direction, places) = payload.split_first().ok_or(StoreError::BadCursor)?;
        let (after, rest) = places
            .split_at_checked(PLACE_BYTES)
            .ok_or(StoreError::BadCursor)?;
        let (top, prints) = rest
            .split_at_checked(PLACE_BYTES)
            .ok_or(StoreError::BadCursor)?;
        let (prints, []) = prints.as_chunks::<4>() else {
            return Err(StoreError::BadCursor);
        };
        Ok(Self {
            direction: match direction {
                0 => Direction::Down,
                1 => Direction::Up,
                _ => return Err(StoreError::BadCursor),
            },
            after: read_place(after)?,
            top: read_place(top)?,
            returned: prints
                .iter()
                .map(|print| u32::from_be_bytes(*print))
                .collect(),
        })
    }
}

/// A cursor into a list that is ordered by a moment and an id.
pub(crate) fn place_cursor(who: ProfileId, list: List, after: After) -> String {
    sealed(who, list, place_bytes(after))
}

fn place_bytes(after: After) -> Vec<u8> {
    let mut bytes = after.at.timestamp_micros().to_be_bytes().to_vec();
    bytes.extend_from_slice(after.id.as_bytes());
    bytes
}

pub(crate) fn read_place_cursor(
    who: ProfileId,
    list: List,
    text: &str,
) -> Result<After, StoreError> {
    read_place(&opened(who, list, text)?)
}

fn read_place(bytes: &[u8]) -> Result<After, StoreError> {
    let (at, id) = bytes
        .split_first_chunk::<8>()
        .ok_or(StoreError::BadCursor)?;
    Ok(After {
        at: DateTime::from_timestamp_micros(i64::from_be_bytes(*at))
            .ok_or(StoreError::BadCursor)?,
        id: Uuid::from_slice(id).map_err(|_| StoreError::BadCursor)?,
    })
}

/// A cursor into a list that is ordered by a number.
pub(crate) fn number_cursor(who: ProfileId, list: List, number: i64) -> String {
    sealed(who, list, number.to_be_bytes().to_vec())
}

pub(crate) fn read_number_cursor(
    who: ProfileId,
    list: List,
    text: &str,
) -> Result<i64, StoreError> {
    let payload = opened(who, list, text)?;
    let bytes = <[u8; 8]>::try_from(payload).map_err(|_| StoreError::BadCursor)?;
    Ok(i64::from_be_bytes(bytes))
}

fn sealed(who: ProfileId, list: List, mut payload: Vec<u8>) -> String {
    let seal = seal(who, list, &payload);
    payload.extend_from_slice(&seal);
    URL_SAFE_NO_PAD.encode(payload)
}

fn opened(who: ProfileId, list: List, text: &str) -> Result<Vec<u8>, StoreError> {
    let mut bytes = URL_SAFE_NO_PAD
        .decode(text)
        .map_err(|_| StoreError::BadCursor)?;
    let length = bytes
        .len()
        .checked_sub(SEAL_BYTES)
        .ok_or(StoreError::BadCursor)?;
    let given = bytes.split_off(length);
    if given != seal(who, list, &bytes) {
        return Err(StoreError::BadCursor);
    }
    Ok(bytes)
}

/// A cursor is a position and no right: every page checks access anew. The seal keeps
/// cursors of other people and other lists from being taken for ours.
fn seal(who: ProfileId, list: List, payload: &[u8]) -> [u8; SEAL_BYTES] {
    let mut hasher = Sha256::new();
    hasher.update(b"frontdesk cursor 1");
    hasher.update(who.uuid().as_bytes());
    match list {
        List::Conversations => hasher.update(b"conversations"),
        List::Messages(conversation) => {
            hasher.update(b"messages");
            hasher.update(conversation.uuid().as_bytes());
        }
        List::NewestMessages(conversation) => {
            hasher.update(b"newest messages");
            hasher.update(conversation.uuid().as_bytes());
        }
        List::Audit => hasher.update(b"audit"),
        List::Turns => hasher.update(b"turns"),
    }
    hasher.update(payload);
    let mut seal = [0; SEAL_BYTES];
    for (to, from) in seal.iter_mut().zip(hasher.finalize()) {
        *to = from;
    }
    seal
}

#[cfg(test)]
#[path = "cursor_tests.rs"]
mod cursor_tests;

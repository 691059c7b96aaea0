//! A cursor survives its journey, and one that was made up or belongs to somebody else does not.

use chrono::DateTime;
use frontdesk_core::id::{ConversationId, ProfileId};
use proptest::prelude::*;
use uuid::Uuid;

use super::{After, ConversationCursor, Direction, List, number_cursor, read_number_cursor};

fn profile(number: u128) -> ProfileId {
    ProfileId::from_uuid(Uuid::from_u128(number))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_cursor_leads_back_to_where_it_was_made(
        who: u128,
        micros in 0..4_000_000_000_000_000_i64,
        id: u128,
        up: bool,
        returned in proptest::collection::vec(any::<u32>(), 0..50),
    ) {
        let after = After {
            at: DateTime::from_timestamp_micros(micros).unwrap(),
            id: Uuid::from_u128(id),
        };
        let made = ConversationCursor {
            direction: if up { Direction::Up } else { Direction::Down },
            after,
            top: after,
            returned,
        };
        let cursor = made.text(profile(who));
        prop_assert!(cursor.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'));
        prop_assert_eq!(ConversationCursor::read(profile(who), &cursor).unwrap(), made);
    }

    #[test]
    fn a_cursor_is_useless_to_others_and_elsewhere(
        who: u128,
        other: u128,
        number: i64,
        here: u128,
        there: u128,
    ) {
        prop_assume!(who != other && here != there);
        let list = |id| List::Messages(ConversationId::from_uuid(Uuid::from_u128(id)));
        let cursor = number_cursor(profile(who), list(here), number);
        prop_assert_eq!(
            read_number_cursor(profile(who), list(here), &cursor).unwrap(),
            number
        );
        prop_assert!(read_number_cursor(profile(other), list(here), &cursor).is_err());
        prop_assert!(read_number_cursor(profile(who), list(there), &cursor).is_err());
        prop_assert!(read_number_cursor(profile(who), List::Audit, &cursor).is_err());
        prop_assert!(ConversationCursor::read(profile(who), &cursor).is_err());
    }

    #[test]
    fn nothing_else_is_taken_for_a_cursor(who: u128, text in ".{0,80}") {
        prop_assert!(ConversationCursor::read(profile(who), &text).is_err());
        prop_assert!(read_number_cursor(profile(who), List::Audit, &text).is_err());
    }
}

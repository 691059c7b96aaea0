//! Only candidates of the gig are mentioned, however a model names others.

use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::domain::candidate::CandidateContext;
use crate::domain::ranking::ranking_tests::{candidate, gig};

// design: 004 aiChatResponseSchema.candidatesMentioned
#[test]
fn ids_of_others_are_dropped_and_names_in_the_text_are_found() {
    let one = |number: u128, name: &str| CandidateContext {
        id: Uuid::from_u128(number),
        candidate_id: format!("k-{number}"),
        candidate_name: Some(name.to_owned()),
        ..candidate(Some(1), None)
    };
    let pool = Pool::build(
        gig(None, None),
        vec![one(1, "Анна Петрова"), one(2, "Борис Ким")],
        &std::sync::Arc::default(),
        chrono::Utc::now(),
    );
    let named = json!([Uuid::from_u128(1), Uuid::from_u128(99), "k-2", 7]);
    let (kept, foreign) = mentioned(&pool, Some(&named), "");
    assert_eq!(
        kept,
        [
            Uuid::from_u128(1).to_string(),
            Uuid::from_u128(2).to_string()
        ]
    );
    assert_eq!(foreign, 2);
    let (kept, _) = mentioned(&pool, None, "Лучше всех Борис Ким.");
    assert_eq!(kept, [Uuid::from_u128(2).to_string()]);
}

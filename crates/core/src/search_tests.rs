//! Invalid queries and hits are refused before a search runs.

use proptest::prelude::*;
use uuid::Uuid;

use super::{LONGEST_QUERY, MOST_RESULTS, Query, Scopes, SearchError};

fn query(text: &str) -> Query {
    Query::new(text, "web_documents", Scopes::everyone())
}

#[test]
fn an_empty_question_is_refused() {
    for text in ["", " ", "\n\t"] {
        assert!(matches!(
            query(text).check(),
            Err(SearchError::Invalid(why)) if why.contains("empty")
        ));
    }
}

#[test]
fn a_question_of_100_kilobytes_is_refused() {
    let long = "why ".repeat(25_000);
    assert!(matches!(
        query(&long).check(),
        Err(SearchError::Invalid(why)) if why.contains("shorter")
    ));
    assert!(query(&"a".repeat(LONGEST_QUERY)).check().is_ok());
}

#[test]
fn a_foreign_owner_is_never_admitted() {
    let (own, foreign) = (Uuid::now_v7(), Uuid::now_v7());
    let scopes = Scopes(vec![own]);
    assert!(scopes.admits(None));
    assert!(scopes.admits(Some(own)));
    assert!(!scopes.admits(Some(foreign)));
    assert!(!Scopes::everyone().admits(Some(own)));
}

proptest! {
    #[test]
    fn bounds_are_exact(top_k in 0_usize..300, threshold in -1.0_f64..2.0) {
        let asked = Query { top_k, score_threshold: threshold, ..query("how") };
        let fits = (1..=MOST_RESULTS).contains(&top_k) && (0.0..=1.0).contains(&threshold);
        prop_assert_eq!(asked.check().is_ok(), fits);
    }
}

#[test]
fn a_threshold_that_is_no_number_is_refused() {
    let asked = Query {
        score_threshold: f64::NAN,
        ..query("how")
    };
    assert!(asked.check().is_err());
}

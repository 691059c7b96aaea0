//! The table sorted by every column, both ways, and narrowed.

use chrono::Utc;

use super::*;
use crate::domain::kinds::GigResponseStatus;
use crate::domain::ranking::ranking_tests::{candidate, gig};

fn pool() -> Pool {
    let called = |number: u128, name: &str, price: Option<i64>| CandidateContext {
        id: Uuid::from_u128(number),
        candidate_id: format!("c-{number}"),
        candidate_name: Some(name.to_owned()),
        ..candidate(price, None)
    };
    let mut all = vec![
        called(1, "Вера Ким", Some(12_000)),
        called(2, "Анна Петрова", None),
        called(3, "Борис Волков", Some(30_000)),
    ];
    all[2].status = GigResponseStatus::Interview;
    Pool::build(gig(Some(10_000), Some(20_000)), all, Utc::now())
}

fn names(pool: &Pool, listing: &Listing) -> Vec<String> {
    pool.list(listing).iter().map(|one| one.name()).collect()
}

fn by(column: Column, direction: Direction) -> Listing {
    Listing {
        column,
        direction,
        ..Listing::default()
    }
}

#[test]
fn every_column_goes_both_ways_and_the_unknown_comes_last() {
    let pool = pool();
    let shown = |column, direction| names(&pool, &by(column, direction));
    assert_eq!(
        shown(Column::Price, Direction::Asc),
        ["Вера Ким", "Борис Волков", "Анна Петрова"]
    );
    assert_eq!(
        shown(Column::Price, Direction::Desc),
        ["Борис Волков", "Вера Ким", "Анна Петрова"]
    );
    assert_eq!(
        shown(Column::Name, Direction::Asc),
        ["Анна Петрова", "Борис Волков", "Вера Ким"]
    );
    assert_eq!(shown(Column::Status, Direction::Desc)[0], "Борис Волков");
    assert_eq!(
        shown(Column::Place, Direction::Asc),
        names(&pool, &Listing::default())
    );
    for column in [Column::Delivery, Column::Screening, Column::Interview] {
        assert_eq!(shown(column, Direction::Desc).len(), 3);
    }
}

#[test]
fn a_part_of_a_name_and_a_list_of_ids_narrow_it() {
    let pool = pool();
    let searched = |text: &str| {
        names(
            &pool,
            &Listing {
                text: Some(text.to_owned()),
                ..Listing::default()
            },
        )
    };
    assert_eq!(searched("волк"), ["Борис Волков"]);
    assert_eq!(searched("Анну"), ["Анна Петрова"]);
    assert_eq!(searched("c-1"), ["Вера Ким"]);
    let among = Listing {
        among: vec![Uuid::from_u128(3), Uuid::from_u128(99)],
        ..Listing::default()
    };
    assert_eq!(names(&pool, &among), ["Борис Волков"]);
}

//! The cost of building a context, printed for the record:
//! `cargo nextest run -p frontdesk-assistant-gig context_build --no-capture`. Nothing here fails by time.

use std::time::Instant;

use uuid::Uuid;

use super::properties::Place;
use crate::demo;
use crate::domain::gig_fields::GigFields;
use crate::domain::kinds::GigType;
use crate::domain::prompt;
use crate::store::NewGig;

/// Past 50 candidates a context hardly grows: 100 times as many, less than twice the text.
#[test]
fn context_build_for_10_50_500_and_5000_candidates() {
    let place = Place::new();
    let now = chrono::Utc::now();
    let mut sizes = Vec::new();
    for people in [10, 50, 500, 5_000] {
        let new = NewGig {
            id: Uuid::now_v7(),
            workspace: place.workspace,
            fields: GigFields {
                title: format!("Задание на {people}"),
                description: None,
                requirements: None,
                r#type: GigType::Design,
                budget_min: Some(10_000),
                budget_max: Some(90_000),
                budget_currency: "RUB".to_owned(),
                deadline: None,
                estimated_duration: None,
                custom_bot_instructions: None,
                is_active: true,
            },
            created_at: now,
        };
        let id = new.id;
        let responses = demo::responses(people, now);
        place.runtime.block_on(async {
            place.gigs.add(&place.who, new).await.unwrap();
            place.gigs.respond(&place.who, id, responses).await.unwrap();
            let began = Instant::now();
            let seen = place.gigs.load(&place.who, id).await.unwrap();
            let text = prompt::context(&seen.pool);
            let built = began.elapsed();
            let began = Instant::now();
            place.gigs.load(&place.who, id).await.unwrap();
            println!(
                "{people} candidates: context built in {built:?}, found again in {:?}, {} tokens",
                began.elapsed(),
                text.len().div_ceil(4)
            );
            assert_eq!(seen.pool.stats.total, people);
            sizes.push(text.chars().count());
        });
    }
    let [_, fifty, many, most] = sizes.as_slice() else {
        panic!("four pools were built");
    };
    assert!(many <= fifty, "{sizes:?}");
    assert!(*most < many * 2, "{sizes:?}");
}

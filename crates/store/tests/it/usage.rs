//! Usage: counted once, visible to those it concerns, and limited by the budget.

use std::time::Duration;

use chrono::NaiveDate;
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::id::CompanyId;
use frontdesk_core::model::Usage;
use frontdesk_core::store::{
    Budget, BudgetOwner, StoreError, Turns, UsageQuery, UsageRow, day_number, next_day,
};

use crate::support::{Ground, answered, at, on_each, opened, refused, say};

fn all() -> UsageQuery {
    UsageQuery {
        from: NaiveDate::from_ymd_opt(2026, 1, 1).unwrap(),
        to: NaiveDate::from_ymd_opt(2026, 12, 31).unwrap(),
        company: None,
        assistant: None,
    }
}

async fn used(ground: &Ground, who: &Principal, company: Option<CompanyId>, tokens: u64) {
    let conversation = ground.conversation_in(who, company).await.id;
    let request = say(conversation, "Hello", at(1));
    let lease = opened(ground.store.open(who, request).await.unwrap()).lease;
    let mut finish = answered("Hi", 1, at(2));
    finish.usage = Usage {
        input_tokens: tokens - 10,
        output_tokens: 10,
        cached_tokens: 3,
        ..Usage::default()
    };
    ground.store.finish(&lease, finish).await.unwrap();
    // Erasing does not reduce usage.
    ground.store.delete(who, conversation).await.unwrap();
}

async fn rows(ground: &Ground, who: &Principal, query: UsageQuery) -> Vec<UsageRow> {
    ground.store.usage(who, query).await.unwrap()
}

#[tokio::test]
async fn usage_is_counted_by_day_company_and_assistant_and_outlives_conversations() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let company = ground.company(&ann, &[&bob]).await;
        used(&ground, &ann, None, 100).await;
        used(&ground, &ann, None, 200).await;
        used(&ground, &bob, Some(company), 1_000).await;
        used(&ground, &bob, None, 5_000).await;

        let anns = rows(&ground, &ann, all()).await;
        let total = |rows: &[UsageRow]| -> u64 {
            rows.iter()
                .map(|row| row.input_tokens + row.output_tokens)
                .sum()
        };
        // Ann runs the company and sees what it used, not what Bob used on his own.
        assert_eq!(total(&anns), 1_300, "{anns:?}");
        let own = anns
            .iter()
            .find(|row| row.profile_id == ann.profile())
            .unwrap();
        assert_eq!((own.turns, own.cached_tokens), (2, 6));
        assert_eq!(own.assistant, "docs");
        assert_eq!(own.day, at(2).date_naive());
        assert_eq!(total(&rows(&ground, &bob, all()).await), 6_000);
        let of_company = UsageQuery {
            company: Some(company),
            ..all()
        };
        assert_eq!(total(&rows(&ground, &ann, of_company.clone()).await), 1_000);
        let elsewhere = UsageQuery {
            assistant: Some("other".to_owned()),
            ..all()
        };
        assert!(rows(&ground, &bob, elsewhere).await.is_empty());

        let operator = ground.person_with("op", &[Role::OPERATOR]).await;
        assert_eq!(total(&rows(&ground, &operator, all()).await), 6_300);
        let eve = ground.person("eve").await;
        assert!(rows(&ground, &eve, all()).await.is_empty());
        let foreign = refused(ground.store.usage(&eve, of_company).await);
        assert!(matches!(foreign, StoreError::NotAMember), "{foreign}");
    })
    .await;
}

// design: promises P16 budgets
#[tokio::test]
async fn a_used_up_budget_refuses_until_midnight() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let company = ground.company(&ann, &[&bob]).await;
        used(&ground, &ann, None, 1_000).await;
        used(&ground, &bob, Some(company), 1_000).await;
        let budget = |person, company| Budget {
            person,
            company,
            reserve: 50,
        };
        for (who, place, budget, expected) in [
            (
                &ann,
                None,
                budget(Some(1_000), None),
                Some(BudgetOwner::Person),
            ),
            (&ann, None, budget(Some(1_001), Some(1)), None),
            (
                &ann,
                Some(company),
                budget(None, Some(1_000)),
                Some(BudgetOwner::Company),
            ),
            (&ann, Some(company), budget(None, Some(1_001)), None),
            (
                &bob,
                Some(company),
                budget(Some(1_000), None),
                Some(BudgetOwner::Person),
            ),
        ] {
            let conversation = ground.conversation_in(who, place).await.id;
            let mut request = say(conversation, "Hello", at(3));
            request.budget = budget;
            match (ground.store.open(who, request.clone()).await, expected) {
                (Ok(accepted), None) => {
                    let lease = opened(accepted).lease;
                    ground
                        .store
                        .finish(&lease, answered("Hi", 1, at(4)))
                        .await
                        .unwrap();
                }
                (Err(StoreError::BudgetExhausted { whose, retry_after }), Some(expected)) => {
                    assert_eq!(whose, expected);
                    assert_eq!(retry_after, (next_day(at(3)) - at(3)).to_std().unwrap());
                    // A new day, a new budget.
                    request.now = next_day(at(3));
                    let lease = opened(ground.store.open(who, request).await.unwrap()).lease;
                    let mut finish = answered("Hi", 1, next_day(at(3)));
                    finish.usage = Usage::default();
                    ground.store.finish(&lease, finish).await.unwrap();
                }
                (other, expected) => panic!("{expected:?}: {:?}", other.err()),
            }
        }
    })
    .await;
}

/// Running turns count with their reservation, so that many at once do not exceed the budget.
// design: promises P16 budgets
#[tokio::test]
async fn turns_that_run_reserve_their_part_of_the_budget() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let budget = Budget {
            person: Some(200),
            company: None,
            reserve: 100,
        };
        let mut leases = Vec::new();
        let mut allowed = Vec::new();
        for _ in 0..5 {
            let conversation = ground.conversation(&ann).await.id;
            let mut request = say(conversation, "Hello", at(1));
            request.budget = budget;
            match ground.store.open(&ann, request).await {
                Ok(accepted) => {
                    let turn = opened(accepted);
                    allowed.push(turn.allowance.unwrap());
                    leases.push(turn.lease);
                }
                Err(StoreError::BudgetReserved { whose }) => {
                    assert_eq!(whose, BudgetOwner::Person);
                }
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(leases.len(), 2);
        // A turn may use what nobody else holds; the message itself is reserved, too.
        assert_eq!(allowed[0], 200);
        assert!((50..100).contains(&allowed[1]), "{allowed:?}");
        // Unused reservations are free again, and a turn that is taken over keeps its limit.
        let mut finish = answered("Hi", 1, at(2));
        finish.usage = Usage::default();
        ground.store.finish(&leases[0], finish).await.unwrap();
        let conversation = ground.conversation(&ann).await.id;
        let mut request = say(conversation, "Hello", at(3));
        request.budget = budget;
        opened(ground.store.open(&ann, request).await.unwrap());
        let lease = Duration::from_secs(30);
        let taken = ground.store.take_over("node-2", at(100), lease).await;
        let taken = taken.unwrap().unwrap();
        assert_eq!(taken.lease.turn, leases[1].turn);
        assert_eq!(taken.allowance, Some(allowed[1]));
    })
    .await;
}

#[test]
fn a_day_ends_at_midnight() {
    let midnight = next_day(at(0));
    assert_eq!(day_number(midnight), day_number(at(0)) + 1);
    assert_eq!(next_day(midnight), midnight + chrono::TimeDelta::days(1));
    assert_eq!(midnight.format("%H:%M:%S").to_string(), "00:00:00");
}

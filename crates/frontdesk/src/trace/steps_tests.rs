//! A clock jump never makes a span negative, on any worker.

use frontdesk_core::model::ModelErrorKind;
use frontdesk_core::outcome::Outcome;
use proptest::prelude::*;
use uuid::Uuid;

use super::super::span::span_id;
use super::*;

fn beginning(epoch: i64, since: i64, now: i64) -> TurnStart {
    let at = |seconds| DateTime::from_timestamp(seconds, 0).unwrap();
    TurnStart {
        turn: TurnId::from_uuid(Uuid::from_u128(7)),
        epoch,
        assistant: "notes".to_owned(),
        provider: "openai",
        common: Vec::new(),
        since: at(since),
        now: at(now),
        input: None,
        collected: true,
    }
}

fn replied(duration_ms: u64) -> Event {
    Event::ModelReplied {
        text: String::new(),
        calls: Vec::new(),
        finish: Finish::Stop,
        usage: Usage::default(),
        model: None,
        duration_ms,
        extras: frontdesk_core::reply::Extras::default(),
        proposes: false,
    }
}

fn ended(outcome: Outcome) -> Event {
    Event::TurnFailed(Ended {
        outcome,
        message: None,
        notice: None,
        quick_replies: Vec::new(),
        usage: Usage::default(),
    })
}

fn errors(steps: &Steps) -> Vec<Option<&str>> {
    let spans = steps.spans.iter();
    spans
        .map(|span| Some(span.status.as_ref()?.message.as_str()))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_span_ends_before_it_starts(
        epoch in 0_i64..2,
        since in 0_i64..4_000_000_000,
        now in 0_i64..4_000_000_000,
        durations in prop::collection::vec(any::<u64>(), 0..4),
    ) {
        let journal: Vec<Entry> = durations
            .iter()
            .zip(1..)
            .map(|(duration, position)| Entry { position, event: replied(*duration) })
            .collect();
        let mut steps = Steps::new(beginning(epoch, since, now), &journal);
        steps.asked("gpt");
        steps.see(&replied(0));
        steps.see(&ended(Outcome::TimedOut));
        prop_assert!(!steps.spans.is_empty());
        for span in &steps.spans {
            prop_assert!(span.start_time_unix_nano <= span.end_time_unix_nano, "{span:?}");
        }
        for measure in &steps.measures {
            if let Measure::Ended { took, .. } = measure {
                prop_assert!(*took <= Duration::from_secs(8_000_000_000));
            }
        }
    }
}

#[test]
fn a_model_that_fails_or_is_stopped_leaves_a_span_with_its_reason() {
    let mut steps = Steps::new(beginning(0, 10, 10), &[]);
    steps.asked("gpt");
    steps.unanswered(&ModelError::new(ModelErrorKind::RateLimited, "slow down"));
    steps.see(&ended(Outcome::ModelFailed {
        kind: ModelErrorKind::RateLimited,
        retry_after_seconds: None,
    }));
    assert_eq!(
        errors(&steps),
        [Some("rate_limited"), Some("model_failed: rate_limited")]
    );

    let mut steps = Steps::new(beginning(0, 10, 10), &[]);
    steps.asked("gpt");
    steps.see(&ended(Outcome::Cancelled));
    assert_eq!(errors(&steps), [Some("cancelled"), Some("cancelled")]);
}

#[test]
fn without_a_collector_there_are_metrics_and_no_spans() {
    let begun = TurnStart {
        collected: false,
        ..beginning(1, 10, 10)
    };
    let journal = [Entry {
        position: 1,
        event: replied(5),
    }];
    let mut steps = Steps::new(begun, &journal);
    steps.asked("gpt");
    steps.see(&replied(0));
    steps.asked("gpt");
    steps.see(&ended(Outcome::Cancelled));
    assert_eq!(steps.spans, []);
    assert_eq!(steps.measures.len(), 3);
}

#[test]
fn span_ids_are_equal_on_all_workers() {
    let turn = TurnId::from_uuid(Uuid::from_u128(7));
    assert_eq!(span_id(turn, ROOT), span_id(turn, ROOT));
    assert_ne!(span_id(turn, ROOT), span_id(turn, "model 1"));
}

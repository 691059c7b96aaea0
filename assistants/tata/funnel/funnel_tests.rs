//! Both chains, conversions, severities, and figures that cannot be.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::input::stages;
use super::*;

fn input(more: Value) -> FunnelReportInput {
    let mut all = json!({ "job_title": "Network Engineer", "number_of_positions": 1, "hiring_manager_name": "Anna Berg" });
    all.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    serde_json::from_value(all).unwrap()
}

fn report(more: Value) -> Document {
    document(&input(more), Language::En).unwrap()
}

fn analysis(more: Value) -> Analysis {
    analyse(&figures::check(&input(more)).unwrap(), Language::En)
}

#[test]
fn figures_become_a_whole_report() {
    let found = report(
        json!({ "locations": ["Stockholm", "Oslo"], "job_ad_views": 1000, "apply_clicks": 290,
        "applications_received": 145, "candidates_sourced": 40, "candidates_contacted": 5, "hm_interviews": 120,
        "time_in_stage": { "HM interviews": 14.5 }, "time_to_fill": 16 }),
    );
    assert_eq!(found.notes, [] as [String; 0]);
    let expected = "\
# Funnel report: Network Engineer

## Overview

* **Positions:** 1
* **Hiring manager:** Anna Berg
* **Locations:** Stockholm, Oslo
* **Time to fill:** 16 days

## Applications

| Stage | Number | From previous | From first | Time |
| --- | --- | --- | --- | --- |
| Job ad views | 1000 |  | 100% |  |
| Apply clicks | 290 | 29% | 29% |  |
| Applications received | 145 | 50% | 14.5% |  |
| Hiring manager interviews | 120 | 82.8% | 12% | 14.5 days |

## Sourcing

| Stage | Number | From previous | From first | Time |
| --- | --- | --- | --- | --- |
| Candidates sourced | 40 |  | 100% |  |
| Candidates contacted | 5 | 12.5% | 12.5% |  |

## Largest drops

* **Candidates sourced → Candidates contacted:** 35 fewer, 12.5% go on
* **Job ad views → Apply clicks:** 710 fewer, 29% go on

## Bottlenecks

* **Apply clicks:** 29% go on (medium)
* **Hiring manager interviews:** 14.5 days (high)
* **Candidates contacted:** 12.5% go on (high)
";
    assert_eq!(found.to_markdown(), expected);
    assert_eq!(
        found.fields["funnel_table"][3],
        json!({ "stage": "hm_interviews", "chain": "inbound", "name": "Hiring manager interviews", "count": 120,
            "conversion_from_previous": 82.8, "cumulative_conversion": 12.0, "time_in_stage": 14.5 })
    );
    assert_eq!(
        found.fields["bottlenecks"][1],
        json!({ "stage": "hm_interviews", "conversion_rate": null, "time_in_stage": 14.5, "severity": "HIGH" })
    );
    assert_eq!(
        found.fields["funnel_table"][1]["conversion_from_previous"],
        29.0
    );
}

#[test]
fn severities_change_at_their_limits() {
    use Severity::{High, Medium};
    let check = |before: i64, after: i64, days: Option<f64>, expected: Option<Severity>| {
        let days: BTreeMap<&str, f64> = days
            .map(|days| ("hm_interviews", days))
            .into_iter()
            .collect();
        let found = analysis(
            json!({ "ta_screenings": before, "hm_interviews": after, "time_in_stage": days }),
        );
        let severity = found.bottlenecks.first().map(|found| found.severity);
        assert_eq!(severity, expected, "{before} {after} {days:?}");
    };
    check(1000, 199, None, Some(High));
    check(1000, 200, None, Some(Medium));
    check(1000, 299, None, Some(Medium));
    check(1000, 300, None, None);
    check(10, 10, Some(7.0), None);
    check(10, 10, Some(7.1), Some(Medium));
    check(10, 10, Some(14.0), Some(Medium));
    check(10, 10, Some(14.1), Some(High));
    check(1000, 250, Some(20.0), Some(High));
}

#[test]
fn nobody_before_means_no_bottleneck_here() {
    let found = analysis(json!({ "ta_screenings": 10, "hm_interviews": 0, "offers_made": 0 }));
    let rates: Vec<Option<f64>> = found
        .funnel_table
        .iter()
        .map(|row| row.conversion_from_previous)
        .collect();
    assert_eq!(rates, [None, Some(0.0), Some(0.0)]);
    let stages: Vec<&str> = found.bottlenecks.iter().map(|found| found.stage).collect();
    assert_eq!(stages, ["hm_interviews"]);
}

#[test]
fn a_stage_that_grows_is_noted_unless_sourced_candidates_join() {
    let odd = report(json!({ "job_ad_views": 10, "apply_clicks": 20 }));
    assert_eq!(
        odd.notes,
        ["Apply clicks (20) is larger than Job ad views (10). Please check the two figures."]
    );
    let joined = report(
        json!({ "qualified_applications": 4, "candidates_interested": 6, "ta_screenings": 9 }),
    );
    assert_eq!(joined.notes, [] as [String; 0]);
}

#[test]
fn impossible_figures_are_refused_together() {
    let told = document(
        &input(json!({ "number_of_positions": 0, "hiring_manager_name": " ", "apply_clicks": -3, "offers_rejected": -1,
            "time_to_fill": -1.5, "time_in_stage": { "hm_interviews": -2, "lunch": 3 } })),
        Language::En,
    )
    .unwrap_err();
    for words in [
        "hiring manager",
        "number of positions is 0",
        "apply clicks is -3",
        "offers rejected is -1",
        "time to fill is -1.5",
        "hm interviews is -2",
        "“lunch”",
        "job_ad_views, apply_clicks",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let none = document(&input(json!({})), Language::En).unwrap_err();
    assert!(none.starts_with("The report needs figures"), "{none}");
}

#[test]
fn the_report_has_four_formats_and_five_languages() {
    let of = |format: &str| {
        report(json!({ "job_ad_views": 100, "apply_clicks": 10, "format": format })).to_markdown()
    };
    assert_eq!(of("visual_funnel"), of("word"), "the page draws the funnel");
    assert!(!of("slide_content").contains('|') && of("slide_content").contains("Bottlenecks"));
    assert!(
        of("comparison_table").contains('|') && !of("comparison_table").contains("Bottlenecks")
    );
    for language in Language::ALL {
        let text = document(
            &input(json!({ "job_ad_views": 8, "apply_clicks": 1 })),
            language,
        )
        .unwrap()
        .to_markdown();
        let decimal = if language == Language::En {
            "12.5%"
        } else {
            "12,5 %"
        };
        assert!(text.contains(decimal) && !text.contains("[…]"), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_bottleneck_is_slow_or_loses_most(
        counts in prop::collection::vec(prop::option::of(0i64..2000), 16),
        days in prop::collection::vec(prop::option::of(0.0f64..40.0), 16),
    ) {
        let mut given = serde_json::Map::new();
        given.extend(stages().zip(&counts).filter_map(|(stage, count)| Some((stage.to_owned(), json!((*count)?)))));
        let days: BTreeMap<&str, f64> = stages().zip(&days).filter_map(|(stage, days)| Some((stage, (*days)?))).collect();
        given.insert("time_in_stage".to_owned(), json!(days));
        let input = input(Value::Object(given));
        let Ok(figures) = figures::check(&input) else {
            prop_assert!(counts.iter().all(Option::is_none));
            return Ok(());
        };
        let found = analyse(&figures, Language::En);
        prop_assert!(found.largest_drops.len() <= LARGEST_DROPS);
        for row in &found.funnel_table {
            let listed = found.bottlenecks.iter().any(|found| found.stage == row.stage);
            let loses = row.conversion_from_previous.is_some_and(|rate| rate < 30.0);
            let slow = row.time_in_stage.is_some_and(|days| days > 7.0);
            prop_assert!(!slow || listed);
            prop_assert!(loses || slow || !listed);
        }
        document(&input, Language::Sv).unwrap();
    }

    #[test]
    fn conversion_is_b_over_a_with_one_decimal(a in 0u64..100_000, b in 0u64..100_000) {
        let found = conversion(a, b);
        if a == 0 {
            prop_assert_eq!(found, 0.0);
        } else {
            prop_assert!((found - b as f64 / a as f64 * 100.0).abs() <= 0.05 + 1e-6);
            prop_assert_eq!((found * 10.0).round() / 10.0, found);
        }
    }
}

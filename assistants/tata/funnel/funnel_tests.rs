//! Both chains, conversions, severities, and one fix with one owner for each bottleneck.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use crate::tata::domain::funnel_report::stage::{Chain, Owner, Stage};
use crate::tata::domain::funnel_report::*;
use crate::tata::domain::language::Language;
use crate::tata::domain::module::Module;
use crate::tata::domain::print::{compare_funnels, funnel_document};
use crate::tata::domain::test_desk::{desk, library, now};

fn base() -> FunnelReportInput {
    FunnelReportInput {
        job_title: "Network Engineer".into(),
        number_of_positions: 1,
        hiring_manager_name: "Anna Berg".into(),
        ..Default::default()
    }
}

fn report(input: &FunnelReportInput) -> crate::tata::domain::desk::Produced<FunnelReport> {
    process(input, &BTreeSet::from([Module::JobAd]), &desk(Language::En)).unwrap()
}

fn three_bottlenecks() -> Vec<Bottleneck> {
    vec![
        Bottleneck {
            stage: Stage::ApplyClicks,
            conversion_rate: Some(29.0),
            time_in_stage: None,
            severity: BottleneckSeverity::Medium,
        },
        Bottleneck {
            stage: Stage::HmInterviews,
            conversion_rate: None,
            time_in_stage: Some(14.5),
            severity: BottleneckSeverity::High,
        },
        Bottleneck {
            stage: Stage::CandidatesContacted,
            conversion_rate: Some(12.5),
            time_in_stage: None,
            severity: BottleneckSeverity::High,
        },
    ]
}

fn a_fix_for_each() -> Vec<SuggestedFix> {
    let fix = |bottleneck, text: &str, owner, related_module| SuggestedFix {
        bottleneck,
        fix: text.into(),
        owner,
        related_module,
    };
    vec![
        fix(
            Stage::ApplyClicks,
            "Rewrite the headline and the intro so that the right readers see at once what the role is about. Start from \
             the project's own document: job ad.",
            Owner::Recruiter,
            Module::JobAd,
        ),
        fix(
            Stage::HmInterviews,
            "Reserve fixed interview times in the hiring manager's calendar for the coming weeks.",
            Owner::HiringManager,
            Module::CalendarInvite,
        ),
        fix(
            Stage::CandidatesContacted,
            "Reserve a fixed time each week for outreach and begin with the best matches.",
            Owner::Recruiter,
            Module::Headhunting,
        ),
    ]
}

fn as_a_picture() -> VisualData {
    let visual = |name: &str, chain, count, width| VisualStage {
        name: name.into(),
        chain,
        count,
        width,
    };
    use Chain::{Inbound, Sourcing};
    VisualData {
        stages: vec![
            visual("Job ad views", Inbound, 1000, 100.0),
            visual("Apply clicks", Inbound, 290, 29.0),
            visual("Applications received", Inbound, 145, 14.5),
            visual("Hiring manager interviews", Inbound, 120, 12.0),
            visual("Candidates sourced", Sourcing, 40, 100.0),
            visual("Candidates contacted", Sourcing, 5, 12.5),
        ],
        largest_drops: vec![
            Drop {
                from: "Candidates sourced".into(),
                to: "Candidates contacted".into(),
                lost: 35,
                conversion: 12.5,
            },
            Drop {
                from: "Job ad views".into(),
                to: "Apply clicks".into(),
                lost: 710,
                conversion: 29.0,
            },
        ],
    }
}

#[test]
fn figures_become_a_whole_report() {
    let input = FunnelReportInput {
        locations: vec!["Stockholm".into(), "Oslo".into()],
        job_ad_views: Some(1000),
        apply_clicks: Some(290),
        applications_received: Some(145),
        candidates_sourced: Some(40),
        candidates_contacted: Some(5),
        hm_interviews: Some(120),
        time_in_stage: BTreeMap::from([("HM interviews".into(), 14.5)]),
        time_to_fill: Some(61.0),
        ..base()
    };
    let produced = report(&input);
    assert_eq!(produced.warnings, []);
    let row = |stage, chain, name: &str, count, rate, total, days| FunnelStage {
        stage,
        chain,
        name: name.into(),
        count,
        conversion_from_previous: rate,
        cumulative_conversion: total,
        time_in_stage: days,
        notes: None,
    };
    use Chain::{Inbound, Sourcing};
    let expected = FunnelReport {
        job_title: "Network Engineer".into(),
        summary: "This report covers the recruitment of Network Engineer. Positions: 1. Hiring manager: Anna Berg. Locations: \
                  Stockholm and Oslo. Inbound: Job ad views 1000, Hiring manager interviews 120, 12.0% in total. Sourcing: \
                  Candidates sourced 40, Candidates contacted 5, 12.5% in total. Bottlenecks: 3, of which serious: 2. Most \
                  urgent: Hiring manager interviews. Time to fill: 61 days."
            .into(),
        funnel_table: vec![
            row(Stage::JobAdViews, Inbound, "Job ad views", 1000, None, 100.0, None),
            row(Stage::ApplyClicks, Inbound, "Apply clicks", 290, Some(29.0), 29.0, None),
            row(Stage::ApplicationsReceived, Inbound, "Applications received", 145, Some(50.0), 14.5, None),
            row(Stage::HmInterviews, Inbound, "Hiring manager interviews", 120, Some(82.8), 12.0, Some(14.5)),
            row(Stage::CandidatesSourced, Sourcing, "Candidates sourced", 40, None, 100.0, None),
            row(Stage::CandidatesContacted, Sourcing, "Candidates contacted", 5, Some(12.5), 12.5, None),
        ],
        bottlenecks: three_bottlenecks(),
        suggested_fixes: a_fix_for_each(),
        visual_data: as_a_picture(),
        format: FunnelFormat::Word,
        language: Language::En,
        created_at: now(),
    };
    assert_eq!(produced.artifact, expected);
}

#[test]
fn severities_change_at_their_limits() {
    let check = |before, after, days: Option<f64>, expected: Option<BottleneckSeverity>| {
        let input = FunnelReportInput {
            ta_screenings: Some(before),
            hm_interviews: Some(after),
            time_in_stage: days
                .map(|d| ("hm_interviews".to_owned(), d))
                .into_iter()
                .collect(),
            ..base()
        };
        let found = report(&input).artifact.bottlenecks;
        assert_eq!(
            found.first().map(|b| b.severity),
            expected,
            "{before} {after} {days:?}"
        );
    };
    use BottleneckSeverity::{High, Medium};
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
    let input = FunnelReportInput {
        ta_screenings: Some(10),
        hm_interviews: Some(0),
        offers_made: Some(0),
        ..base()
    };
    let found = report(&input).artifact;
    let rates: Vec<Option<f64>> = found
        .funnel_table
        .iter()
        .map(|r| r.conversion_from_previous)
        .collect();
    assert_eq!(rates, [None, Some(0.0), Some(0.0)]);
    assert_eq!(
        found
            .bottlenecks
            .iter()
            .map(|b| b.stage)
            .collect::<Vec<_>>(),
        [Stage::HmInterviews]
    );
    assert_eq!(
        found.funnel_table[2].notes.as_deref(),
        Some("Nobody reached the stage before")
    );
}

#[test]
fn sourced_candidates_join_at_the_screening() {
    let input = FunnelReportInput {
        qualified_applications: Some(4),
        candidates_interested: Some(6),
        ta_screenings: Some(9),
        ..base()
    };
    let produced = report(&input);
    assert_eq!(produced.warnings, []);
    assert_eq!(
        produced.artifact.funnel_table[1].notes.as_deref(),
        Some("Includes candidates from sourcing")
    );
}

#[test]
fn impossible_figures_are_problems() {
    let bad = FunnelReportInput {
        number_of_positions: 0,
        hiring_manager_name: " ".into(),
        apply_clicks: Some(-3),
        offers_rejected: Some(-1),
        time_to_fill: Some(f64::NAN),
        time_in_stage: BTreeMap::from([("hm_interviews".into(), -2.0), ("lunch".into(), 3.0)]),
        ..base()
    };
    let problems = process(&bad, &BTreeSet::new(), &desk(Language::En)).unwrap_err();
    let found: Vec<(&str, &str)> = problems
        .list()
        .iter()
        .map(|p| (p.field.as_str(), p.message.as_str()))
        .collect();
    assert_eq!(
        found[..6],
        [
            (
                "hiring_manager_name",
                "The hiring manager's name is missing."
            ),
            (
                "number_of_positions",
                "The number of positions is 0; it must be at least 1."
            ),
            (
                "apply_clicks",
                "Apply clicks is -3; a number of 0 or more is needed."
            ),
            (
                "offers_rejected",
                "Offers rejected is -1; a number of 0 or more is needed."
            ),
            (
                "time_to_fill",
                "Time to fill is NaN; a number of 0 or more is needed."
            ),
            (
                "time_in_stage",
                "The time in the stage hm_interviews is -2; days must be 0 or more."
            ),
        ]
    );
    assert!(
        found[6]
            .1
            .starts_with("There is no stage “lunch”. The stages are: job_ad_views, apply_clicks"),
        "{found:?}"
    );

    let empty = process(&base(), &BTreeSet::new(), &desk(Language::En)).unwrap_err();
    assert!(
        empty.to_string().starts_with("The report needs figures"),
        "{empty}"
    );
}

#[test]
fn unlikely_figures_are_warnings() {
    let odd = FunnelReportInput {
        job_ad_views: Some(10),
        apply_clicks: Some(20),
        offers_made: Some(2),
        offers_accepted: Some(2),
        offers_rejected: Some(1),
        time_in_stage: BTreeMap::from([("tests".into(), 3.0)]),
        ..base()
    };
    let produced = report(&odd);
    let warnings: Vec<&str> = produced
        .warnings
        .iter()
        .map(|w| w.message.as_str())
        .collect();
    assert_eq!(
        warnings,
        [
            "Apply clicks (20) is larger than job ad views (10). Please check the two figures.",
            "2 offers accepted and 1 declined are more than the 2 made.",
            "More offers were accepted than there are positions. Please check.",
            "Days are given without a count for: tests. Add the counts to see these stages.",
        ]
    );
    assert_eq!(
        produced.artifact.funnel_table[1].notes.as_deref(),
        Some("More than in the stage before, please check the figures")
    );
}

#[test]
fn the_report_has_four_formats() {
    let input = FunnelReportInput {
        job_ad_views: Some(100),
        apply_clicks: Some(10),
        ..base()
    };
    let found = report(&input).artifact;
    let text = |format| funnel_document(&found, format, library()).to_text();
    assert!(
        text(FunnelFormat::Word).contains("Stage\tNumber\tFrom previous\tFrom first\tTime\tNote\n")
    );
    let bars = format!(
        "{} Job ad views 100\n{} Apply clicks 10",
        "█".repeat(40),
        "█".repeat(4)
    );
    assert!(text(FunnelFormat::VisualFunnel).contains(&bars));
    assert!(
        text(FunnelFormat::SlideContent)
            .contains("Bottlenecks\n\n• Apply clicks: 10.0% go on (severity: high)")
    );
    let other = FunnelReport {
        job_title: "Other".into(),
        ..found.clone()
    };
    let table = compare_funnels(&[&found, &other], library()).to_text();
    assert!(table.contains("Stage\tNetwork Engineer\tOther\nJob ad views\t100\t100\nApply clicks\t10 (10.0%)\t10 (10.0%)"), "{table}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_bottleneck_has_exactly_one_fix_and_one_owner(
        counts in prop::collection::vec(prop::option::of(0i64..2000), 16),
        days in prop::collection::vec(prop::option::of(0.0f64..40.0), 16),
    ) {
        let c = |i: usize| counts[i];
        let input = FunnelReportInput {
            job_ad_views: c(0), apply_clicks: c(1), applications_received: c(2), qualified_applications: c(3),
            candidates_sourced: c(4), candidates_contacted: c(5), candidates_replied: c(6), candidates_interested: c(7),
            ta_screenings: c(8), hm_interviews: c(9), case_interviews: c(10), team_interviews: c(11), tests: c(12),
            references: c(13), offers_made: c(14), offers_accepted: c(15),
            time_in_stage: Stage::ALL.iter().zip(&days).filter_map(|(s, d)| Some((s.field().to_owned(), (*d)?))).collect(),
            ..base()
        };
        for language in Language::ALL {
            let Ok(produced) = process(&input, &BTreeSet::new(), &desk(language)) else {
                prop_assert!(counts.iter().all(Option::is_none));
                continue;
            };
            let found = produced.artifact;
            let stages: Vec<Stage> = found.bottlenecks.iter().map(|b| b.stage).collect();
            prop_assert_eq!(&found.suggested_fixes.iter().map(|f| f.bottleneck).collect::<Vec<_>>(), &stages);
            prop_assert!(found.suggested_fixes.iter().all(|f| !f.fix.is_empty()));
            prop_assert!(found.visual_data.largest_drops.len() <= 2);
            for row in &found.funnel_table {
                let rate = row.conversion_from_previous.filter(|r| *r < 30.0);
                let slow = row.time_in_stage.filter(|d| *d > 7.0);
                if slow.is_some() { prop_assert!(stages.contains(&row.stage)); }
                if rate.is_none() && slow.is_none() { prop_assert!(!stages.contains(&row.stage)); }
                prop_assert!(!row.name.is_empty());
            }
            let stored = serde_json::to_string(&found).unwrap();
            prop_assert_eq!(serde_json::from_str::<FunnelReport>(&stored).unwrap(), found);
        }
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

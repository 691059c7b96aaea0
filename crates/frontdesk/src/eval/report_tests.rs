//! Metrics and comparisons of reports.

use super::*;

fn case(name: &str, passes: &[bool]) -> CaseReport {
    CaseReport {
        name: name.to_owned(),
        persona: "hr".to_owned(),
        runs: passes
            .iter()
            .map(|passed| RunReport {
                passed: *passed,
                seconds: 1.0,
                usage: Usage {
                    input_tokens: 100,
                    output_tokens: 10,
                    cached_tokens: 40,
                    estimated: false,
                },
                ..RunReport::default()
            })
            .collect(),
        judgements: Vec::new(),
    }
}

fn report(cases: Vec<CaseReport>) -> Report {
    let prices = Prices {
        input: Some(1.0),
        output: Some(2.0),
        cached: Some(0.5),
    };
    Report {
        id: "one".to_owned(),
        suite: "notes/requests".to_owned(),
        model: "offline".to_owned(),
        at: DateTime::UNIX_EPOCH,
        summary: Summary::of(&cases, 75.0, &prices),
        cases,
    }
}

#[test]
fn pass_hat_k_is_the_chance_of_k_in_a_row() {
    let always = case("always", &[true; 4]);
    let half = case("half", &[true, false, true, false]);
    let summary = report(vec![always, half]).summary;
    let rounded: Vec<f64> = summary.pass_hat.iter().map(|k| k.round()).collect();
    // C(2,k)/C(4,k) is 1/2, 1/6, 0, 0; averaged with 1.
    assert_eq!(rounded, [75.0, 58.0, 50.0, 50.0]);
    assert_eq!((summary.cases, summary.passed, summary.repeats), (2, 1, 4));
    assert_eq!(summary.pass_rate, 75.0);
    assert!(summary.holds());
}

#[test]
fn tokens_cost_and_seconds_add_up() {
    let summary = report(vec![case("a", &[true]), case("b", &[false])]).summary;
    assert_eq!((summary.input_tokens, summary.output_tokens), (200, 20));
    let cost = summary.cost.unwrap();
    assert!((cost - (120.0 + 40.0 + 40.0) / 1e6).abs() < 1e-12, "{cost}");
    assert_eq!((summary.seconds_p50, summary.seconds_p95), (1.0, 1.0));
    assert!(!summary.holds());
}

#[test]
fn percentiles_are_values_that_were_measured() {
    let sorted: Vec<f64> = (1..=20).map(f64::from).collect();
    assert_eq!(percentile(&sorted, 50), 10.0);
    assert_eq!(percentile(&sorted, 95), 19.0);
    assert_eq!(percentile(&[7.0], 95), 7.0);
    assert_eq!(percentile(&[], 95), 0.0);
}

#[test]
fn two_reports_are_compared_case_by_case() {
    let before = report(vec![
        case("kept", &[true]),
        case("breaks", &[true]),
        case("mends", &[false]),
        case("goes", &[true]),
    ]);
    let after = report(vec![
        case("kept", &[true]),
        case("breaks", &[false]),
        case("mends", &[true]),
        case("comes", &[true]),
    ]);
    let found = Comparison::of(&before, &after);
    assert_eq!(found.broken, ["breaks"]);
    assert_eq!(found.mended, ["mends"]);
    assert_eq!(found.added, ["comes"]);
    assert_eq!(found.gone, ["goes"]);
    assert!(found.is_worse());
    assert!(!Comparison::of(&before, &before).is_worse());
}

#[test]
fn a_report_page_escapes_text_and_loads_nothing() {
    let mut hostile = case("<script>alert(1)</script>", &[false]);
    hostile.runs[0]
        .problems
        .push("\"><img src=x onerror=y>".to_owned());
    let page = crate::eval::page::page(&report(vec![hostile]));
    for forbidden in ["<script", "<img", "http:", "https:"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    assert!(page.contains("&lt;script&gt;"));
    assert!(page.contains("default-src 'none'"));
}

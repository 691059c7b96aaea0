//! The page to hand on: what stands on it, and that it stays one page.

use chrono::{TimeZone, Utc};

use super::super::catalogue::{Robot, built_in, named};
use super::super::discovery::Profile;
use super::super::roi::{Assumptions, Edits, estimate};
use super::super::shortlist::compare;
use super::{BusinessCase, Stated, bars};

fn case(name: &str, spend: f64) -> BusinessCase {
    let robots = built_in().unwrap();
    let edits = Edits {
        manual_monthly_spend: Some(spend),
        ..Edits::default()
    };
    let with = Assumptions::of(&Profile::default(), &edits);
    let options: Vec<&Robot> = robots.iter().take(5).collect();
    BusinessCase {
        company: "Riverside | Pickleball".to_owned(),
        prepared_by: "Bea Buyer".to_owned(),
        prepared_at: Utc.with_ymd_and_hms(2026, 11, 1, 9, 0, 0).unwrap(),
        conversation_url: "http://localhost:8080/c/1".to_owned(),
        conversation_title: "Riverside".to_owned(),
        facts: vec![
            Stated {
                label: "Courts".to_owned(),
                value: "6".to_owned(),
                quote: "we run a 6-court *club*".to_owned()
            };
            12
        ],
        estimate: estimate(named(&robots, name).unwrap(), &with),
        options: compare(&options, &with),
        stakeholders: vec!["The board".to_owned()],
        next_step: Some("See the robot at work in a demo".to_owned()),
        notes: vec!["Prices are indicative.".to_owned()],
    }
}

#[test]
fn it_has_the_figures_and_where_they_came_from() {
    let text = case("Pudu CC1", 3500.0).to_markdown();
    for part in [
        "would save $1,645 a month",
        "| Net on lease | $1,645 a month, $19,740 a year |",
        "payback: 8 months",
        "Labour rate -20 %",
        "Cleaning costs $3,500 a month today",
        "| Pudu CC1 |",
        "Courts: 6 (“we run a 6-court \\*club\\*”)",
        "Who decides: The board",
        "http://localhost:8080/c/1",
        "Riverside \\| Pickleball",
    ] {
        assert!(text.contains(part), "{part} is missing from\n{text}");
    }
}

#[test]
fn a_loss_is_told_as_one() {
    let text = case("Avidbots Neo 2W", 1500.0).to_markdown();
    assert!(
        text.contains("would cost $2,400 a month more than it saves"),
        "{text}"
    );
    assert!(text.contains("−$2,400 a month"), "{text}");
    let never = case("Avidbots Neo 2W", 100.0).to_markdown();
    assert!(never.contains("does not pay back"), "{never}");
}

#[test]
fn the_pdf_is_one_page() {
    let bytes = case("Pudu CC1", 3500.0).to_pdf().unwrap();
    assert!(bytes.starts_with(b"%PDF-"));
    let text = String::from_utf8_lossy(&bytes);
    assert_eq!(
        text.matches("/Type/Page").count() - text.matches("/Type/Pages").count(),
        1
    );
    assert!(bytes.len() < 400_000, "{}", bytes.len());
}

#[test]
fn the_pdf_takes_any_words() {
    let mut strange = case("Avidbots Neo 2W", 10.0);
    strange.company = "Клуб «Пиклбол» 🏓 \u{202e}abc\u{0}".to_owned();
    strange
        .facts
        .iter_mut()
        .for_each(|fact| fact.quote = "слово ".repeat(80));
    assert!(strange.to_pdf().unwrap().starts_with(b"%PDF-"));
}

#[test]
fn bars_go_both_ways() {
    let chart = bars(&case("Avidbots Neo 2W", 1500.0).estimate.chart);
    assert!(chart.contains('░') && !chart.contains('█'), "{chart}");
    let chart = bars(&case("Pudu CC1", 3500.0).estimate.chart);
    assert!(
        chart.contains('█') && chart.contains("36 months leased"),
        "{chart}"
    );
}

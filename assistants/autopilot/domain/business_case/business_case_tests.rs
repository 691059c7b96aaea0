//! The business case: its content, and that it stays one page.

use chrono::{TimeZone, Utc};

use super::super::catalogue::{Robot, built_in, named};
use super::super::discovery::Discovery;
use super::super::roi::{Edits, Inputs, estimate};
use super::super::shortlist::compare;
use super::{BusinessCase, FactLine};

fn case(name: &str, spend: f64) -> BusinessCase {
    let robots = built_in().unwrap();
    let edits = Edits {
        manual_monthly_spend: Some(spend),
        ..Edits::default()
    };
    let inputs = Inputs::of(&Discovery::example(), &edits).unwrap();
    let options: Vec<&Robot> = robots.iter().take(5).collect();
    BusinessCase {
        company: "Riverside | Pickleball".to_owned(),
        prepared_by: "Bea Carter".to_owned(),
        prepared_at: Utc.with_ymd_and_hms(2026, 11, 1, 9, 0, 0).unwrap(),
        conversation_url: "http://localhost:8080/c/1".to_owned(),
        conversation_title: "Riverside".to_owned(),
        facts: vec![
            FactLine {
                label: "Courts".to_owned(),
                value: "6".to_owned(),
                quote: "we run a 6-court *club*".to_owned()
            };
            12
        ],
        estimate: estimate(named(&robots, name).unwrap(), &inputs),
        options: compare(&options, &Ok(inputs)),
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
        "| Net a month on lease | $2,800 − $1,155 | $1,645 |",
        "| Payback if bought | $22,000 ÷ $2,745 | 8 months |",
        "Cleaning costs -20 % | $1,085 |",
        "- Cleaning costs: $3,500 a month (changed for this calculation)",
        "- Use of the robot: 100 % (assumed)",
        "| 36 | $59,220 | $76,820 |",
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
fn a_loss_is_printed_as_a_loss() {
    let text = case("Pudu CC1", 1000.0).to_markdown();
    assert!(
        text.contains("would cost $355 a month more than saved"),
        "{text}"
    );
    assert!(text.contains("| $800 − $1,155 | −$355 |"), "{text}");
    let never = case("Pudu CC1", 10.0).to_markdown();
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

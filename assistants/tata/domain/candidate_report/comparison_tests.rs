//! Candidates side by side, by initials only.

use proptest::prelude::*;

use crate::tata::domain::candidate_report::comparison::{Comparison, ComparisonRow, compare};
use crate::tata::domain::candidate_report::{self, CandidateReport, CandidateReportInput};
use crate::tata::domain::language::Language;
use crate::tata::domain::print::Printed;
use crate::tata::domain::screening::ScreeningInput;
use crate::tata::domain::test_desk::{desk, fixture, library, profile};
use crate::tata::domain::text::words::folded_words;

fn report(transcript: &str, name: &str) -> CandidateReport {
    let desk = desk(Language::En);
    let profile = profile("01_bullets_en", Language::En);
    let template =
        crate::tata::domain::ta_screening::process(&ScreeningInput::default(), &profile, &desk)
            .unwrap()
            .artifact;
    let input = CandidateReportInput {
        transcript: transcript.into(),
        candidate_name: name.into(),
        interview_date: "2026-03-10".into(),
        ..Default::default()
    };
    candidate_report::process(&input, &profile, &template, &desk)
        .unwrap()
        .artifact
}

#[test]
fn the_table_has_the_specified_rows_and_initials_as_columns() {
    let one = report(&fixture("transcripts/teams_en.txt"), "Sara Lind");
    let two = report(&fixture("transcripts/plain_en.txt"), "Stina Lund");
    let table = compare(&[&one, &two], Language::En, library()).unwrap();
    let row = |criterion: &str, cells: [&str; 2]| ComparisonRow {
        criterion: criterion.into(),
        cells: cells.map(str::to_owned).to_vec(),
    };
    assert_eq!(
        table,
        Comparison {
            title: "Candidate comparison: Senior Network Engineer".into(),
            columns: ["Criterion", "SL", "SL 2"].map(str::to_owned).to_vec(),
            rows: vec![
                row("Recommendation", ["Borderline", "Borderline"]),
                row("Average rating", ["4.0", "3.5"]),
                row(
                    "Motivation",
                    [
                        "In the candidate's own words: “I have followed GlobalConnect for a while and I want to work with large \
                         fiber networks.” “The Nordic scope interests me the most.”",
                        "The motivation was not discussed in the interview.",
                    ]
                ),
                row(
                    "Solid experience with fiber networks (DWDM, MPLS)",
                    ["5 of 5", "5 of 5"]
                ),
                row(
                    "Routing and switching, preferably Juniper",
                    ["5 of 5", "4 of 5"]
                ),
                row("Scripting in Python", ["2 of 5", "1 of 5"]),
                row("Fluent Swedish and English", ["4 of 5", "4 of 5"]),
                row(
                    "Notice period",
                    [
                        "My notice period is three months.",
                        "I can start in two months, my notice period is two months."
                    ]
                ),
                row(
                    "Salary expectation",
                    [
                        "I am looking at around 58 000 SEK per month.",
                        "Not discussed"
                    ]
                ),
                row(
                    "Location",
                    [
                        "I live in Solna, so Stockholm is perfect for me.",
                        "Not discussed"
                    ]
                ),
            ],
            language: Language::En,
        }
    );
    let text = table.document(library()).to_markdown();
    assert!(
        text.contains("| Criterion | SL | SL 2 |\n| --- | --- | --- |\n| Recommendation |"),
        "{text}"
    );
}

#[test]
fn one_report_is_not_enough() {
    let one = report("Hello.", "A B");
    let problem = compare(&[&one], Language::En, library()).unwrap_err();
    assert_eq!(
        problem.to_string(),
        "A comparison needs at least two candidate reports in this project."
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn no_name_ever_appears_in_a_cell(
        first in prop::sample::select(&["Sara", "Åsa-Li", "Dragoslav", "Zoë"][..]),
        last in prop::sample::select(&["Lind", "Ødegård", "Kowalczyk", "李小龙"][..]),
    ) {
        let name = format!("{first} {last}");
        let transcript = format!(
            "00:00:01 {name}\nI am {name} and I want to work here. My notice period is, well, {first} says two months. I live in Lund, {name}."
        );
        let (one, two) = (report(&transcript, &name), report(&transcript, "Bo Ek"));
        let table = compare(&[&one, &two], Language::De, library()).unwrap();
        let cells: Vec<String> = table.rows.iter().flat_map(|r| &r.cells).flat_map(|c| folded_words(c)).collect();
        for part in folded_words(&name) {
            prop_assert!(!cells.contains(&part), "{part} in {cells:?}");
        }
    }
}

//! Files as spreadsheets and job boards save them, and the problems of bad rows.

use super::*;

fn read(name: &str, text: &str) -> Vec<Result<NewResponse, String>> {
    let file = read_file(name, text.as_bytes()).unwrap();
    file.rows
        .into_iter()
        .map(|row| row.and_then(|row| response(&row)))
        .collect()
}

#[test]
fn csv_with_quotes_line_breaks_and_semicolons() {
    let text = "\u{feff}Candidate ID;candidateName;proposed price;skills;cover_letter\n\
                k-1;\"Анна \"\"Ан\"\" Петрова\";15 000;\"HTML, CSS\";\"Первая строка\nвторая; строка\"\n\nk-2;;;;\n";
    let found = read("responses.csv", text);
    let first = found[0].as_ref().unwrap();
    assert_eq!(first.candidate_name.as_deref(), Some("Анна \"Ан\" Петрова"));
    assert_eq!(
        (first.proposed_price, first.skills.clone()),
        (Some(15_000), Some(vec!["HTML".into(), "CSS".into()]))
    );
    assert_eq!(
        first.cover_letter.as_deref(),
        Some("Первая строка\nвторая; строка")
    );
    assert_eq!(found[1].as_ref().unwrap().candidate_id, "k-2");
}

#[test]
fn json_with_scores_on_their_own_scales() {
    let text = r#"[{"candidateId": "k-1", "screeningScore": 4.5, "interviewScore": 80, "respondedAt": "2026-11-01", "status": "interview"}]"#;
    let found = read("responses.json", text).remove(0).unwrap();
    assert_eq!(found.screening.unwrap().score, Some(4.5));
    assert_eq!(found.interview.unwrap().score, Some(80.0));
    assert_eq!(found.status, Some(GigResponseStatus::Interview));
}

#[test]
fn each_bad_row_says_what_is_wrong_with_it() {
    let text = "candidate_id,proposed_price,status,screening_score\n,1,NEW,\nk-1,cheap,NEW,\nk-2,1,LOST,\nk-3,1,NEW,7\nk-4,-5,NEW,1,6\n";
    let problems: Vec<String> = read("r.csv", text)
        .into_iter()
        .map(Result::unwrap_err)
        .collect();
    for (problem, part) in problems.iter().zip([
        "candidate_id",
        "whole number",
        "one of NEW",
        "from 0 to 5",
        "values for",
    ]) {
        assert!(problem.contains(part), "{problem}");
    }
    assert!(
        read("r.csv", "candidate_id,age\nk,4\n")[0]
            .as_ref()
            .unwrap_err()
            .contains("not a column")
    );
}

#[test]
fn a_file_that_cannot_be_read_is_refused_whole() {
    for (name, bytes) in [
        ("r.json", b"{" as &[u8]),
        ("r.csv", b""),
        ("r.csv", b"a,b\n\"x"),
        ("r.csv", b"\xff\xfe"),
        ("r.json", b"42"),
    ] {
        assert!(read_file(name, bytes).is_err(), "{name} {bytes:?}");
    }
}

#[test]
fn a_file_may_hold_a_gig_and_a_currency_is_a_code() {
    let text = r#"{"gig": {"title": "Лендинг"}, "responses": [{"candidateId": "k", "proposedCurrency": "usd"}, {"candidateId": "l", "proposedCurrency": "dollars"}]}"#;
    let file = read_file("gig.json", text.as_bytes()).unwrap();
    assert_eq!(file.gig.unwrap()["title"], "Лендинг");
    let rows: Vec<_> = file
        .rows
        .into_iter()
        .map(|row| response(&row.unwrap()))
        .collect();
    assert_eq!(
        rows[0].as_ref().unwrap().proposed_currency.as_deref(),
        Some("USD")
    );
    assert!(
        rows[1]
            .as_ref()
            .unwrap_err()
            .contains("currency code such as RUB")
    );
    assert!(read_file("gig.json", br#"{"gig": 5}"#).is_err());
}

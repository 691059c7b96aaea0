//! Notes as people write them, sorted without a model.

use super::*;

fn texts(notes: &Notes, key: &str) -> Vec<String> {
    notes.texts(key).cloned().collect()
}

fn read(text: &str) -> Notes {
    Notes::read([text])
}

#[test]
fn the_designs_sentence_has_three_must_haves() {
    let notes = read(
        "I need to hire a senior Python developer for our backend team. Must have 5+ years Python, Django experience, and AWS knowledge.",
    );
    assert_eq!(
        texts(&notes, "must_haves"),
        ["5+ years Python", "Django experience", "AWS knowledge"]
    );
    assert_eq!(
        texts(&notes, OTHER),
        ["I need to hire a senior Python developer for our backend team"]
    );
}

#[test]
fn headings_and_lists_are_sorted() {
    let notes = read(
        "Background\nWe grow.\n\nMust haves\n- Fibre (DWDM, MPLS)\n- Fluent Swedish and English\n\nNice to have:\n* Cisco\nWhat Anna said about the job\nThe last recruitment took too long.\nTeam: 8 people, Stockholm\nSalary: 55 000 - 62 000 SEK",
    );
    assert_eq!(
        texts(&notes, "must_haves"),
        ["Fibre (DWDM, MPLS)", "Fluent Swedish and English"]
    );
    assert_eq!(texts(&notes, "good_to_haves"), ["Cisco"]);
    assert_eq!(texts(&notes, "team"), ["8 people, Stockholm"]);
    assert_eq!(texts(&notes, "pay"), ["55 000 - 62 000 SEK"]);
    assert!(texts(&notes, OTHER).contains(&"The last recruitment took too long".to_owned()));
}

#[test]
fn five_languages_are_read_together() {
    for (text, key, expected) in [
        ("Krav: B-körkort, svenska och engelska", "must_haves", 3),
        ("Skallkrav\n- Truckkort\n- Lagervana", "must_haves", 2),
        (
            "Kandidaten måste ha körkort och truckkort.",
            "must_haves",
            2,
        ),
        ("Du skal have erfaring med løn.", "must_haves", 1),
        ("En fordel: tysk", "good_to_haves", 1),
        ("Oppgaver\n- Føre regnskap", "responsibilities", 1),
        ("Anforderungen\n1. SAP\n2. Englisch", "must_haves", 2),
        ("Gehalt: 60.000 Euro", "pay", 1),
    ] {
        assert_eq!(texts(&read(text), key).len(), expected, "{text}");
    }
}

#[test]
fn a_label_that_nobody_knows_is_a_remark() {
    let notes = read(
        "Context: Jonas leaves in January.\nHelen wouldn’t budge on: payroll for 3 yrs, knows kollektivavtal (Teknikavtalet, Unionen), and speaks Swedish. Excel too.",
    );
    assert_eq!(texts(&notes, OTHER), ["Context: Jonas leaves in January"]);
    assert_eq!(
        texts(&notes, "must_haves"),
        [
            "payroll for 3 yrs",
            "knows kollektivavtal (Teknikavtalet, Unionen)",
            "speaks Swedish",
            "Excel too"
        ]
    );
}

#[test]
fn sections_stay_bounded() {
    let long = "- item x\n".to_owned();
    let many: String = (0..5_000).map(|i| format!("- item {i}\n")).collect();
    let notes = read(&format!("Must have\n{many}{long}"));
    assert_eq!(texts(&notes, "must_haves").len(), MOST);
}

#[test]
fn an_ordinal_starts_no_list() {
    assert_eq!(
        texts(&read("Start:\n1. März 2027"), "start"),
        ["1. März 2027"]
    );
    assert_eq!(
        texts(&read("Start am 1. März 2027. Das Team wächst."), "start"),
        ["Start am 1. März 2027"]
    );
}

#[test]
fn labels_inside_a_line_are_read_too() {
    let notes = read(
        "Kravprofil för Säljare, tack. Krav: B-körkort, tyska. Meriterande: Excel. Lön: 40 000 kr.",
    );
    assert_eq!(texts(&notes, "must_haves"), ["B-körkort", "tyska"]);
    assert_eq!(texts(&notes, "good_to_haves"), ["Excel"]);
    assert_eq!(texts(&notes, "pay"), ["40 000 kr"]);
    let notes = read("Krav: B-körkort, tyska. Meriterande: Excel. Start den 1. Maj 2027.");
    assert_eq!(texts(&notes, "must_haves"), ["B-körkort", "tyska"]);
    assert_eq!(texts(&notes, "start"), ["Start den 1. Maj 2027"]);
}

#[test]
fn short_lines_without_marks_are_kept() {
    let notes = read("must have excel\nmust have Swedish\nteam of five\n\nno degree needed");
    assert_eq!(texts(&notes, "must_haves"), ["excel", "Swedish"]);
    assert_eq!(texts(&notes, OTHER), ["team of five", "no degree needed"]);
    let notes = read("Must haves\nExcel\nSwedish\n\nWhat Anna likes\nWe grow");
    assert_eq!(texts(&notes, "must_haves"), ["Excel", "Swedish"]);
    assert_eq!(texts(&notes, OTHER), ["What Anna likes", "We grow"]);
    let notes = read("Requirements\n\n- Excel\nWhat Anna said\nIt is hard.");
    assert_eq!(texts(&notes, "must_haves"), ["Excel"]);
    assert_eq!(texts(&notes, OTHER), ["What Anna said", "It is hard"]);
}

proptest::proptest! {
    // Each word of the notes is in some section.
    #[test]
    fn no_line_is_lost(lines in proptest::collection::vec("(- )?[a-z]{3,9}( [a-z]{3,9}){0,7}[.]?", 1..12)) {
        let notes = read(&lines.join("\n"));
        let kept: String = LISTS.iter().chain(&TOPICS).chain([&OTHER]).flat_map(|key| texts(&notes, key)).collect::<Vec<_>>().join(" ").to_lowercase();
        for word in lines.iter().flat_map(|line| line.split([' ', '.', '-'])) {
            let is_cue = CUES.iter().any(|(_, cue)| cue.split(' ').any(|part| part == word));
            proptest::prop_assert!(is_cue || kept.contains(word), "{word} of {lines:?} is not in {kept:?}");
        }
    }
}

#[test]
fn what_follows_a_condition_is_a_remark() {
    let notes = read("Process: screening -> case -> references. Wants 3 candidates by 28 Nov.");
    assert_eq!(
        texts(&notes, "process"),
        ["screening -> case -> references"]
    );
    assert_eq!(texts(&notes, OTHER), ["Wants 3 candidates by 28 Nov"]);
}

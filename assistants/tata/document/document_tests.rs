//! A document survives its Markdown form, and edits of it are understood.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[\\PC]{1,60}",
        "[*_#>|`\\[\\]()\\\\<→•“”:.0-9 a-zå-]{1,40}",
        Just("1. not a list".to_owned()),
        Just("## not a heading [internal]".to_owned()),
        Just("**bold:** text".to_owned()),
        Just("[…]".to_owned()),
    ]
    .prop_map(|text| one_line(&text))
    .prop_filter("says something", |text| !text.is_empty())
}

/// Sources are named by code.
fn quote() -> impl Strategy<Value = Quote> {
    (line(), "[a-z]{2,6}(_[a-z]{2,6})?").prop_map(|(quote, source)| Quote {
        quote: quote.trim_matches(['“', '”']).trim().to_owned(),
        source,
    })
}

fn item() -> impl Strategy<Value = Item> {
    let label = prop::option::of("[A-ZÅa-zö][a-zåäö 0-9*_(),-]{0,20}[a-z]");
    (
        label,
        line(),
        prop::collection::vec(quote(), 0..3),
        prop::option::of(1u8..=5),
        prop::option::of(line()),
    )
        .prop_map(|(label, text, quotes, rating, rewrite)| Item {
            label: label.map(|label| one_line(&label)),
            text,
            quotes: quotes.into_iter().filter(|q| !q.quote.is_empty()).collect(),
            rating,
            rewrite,
        })
}

fn body() -> impl Strategy<Value = Body> {
    let paragraph = prop::collection::vec(line(), 1..4).prop_map(|lines| lines.join("\n"));
    prop_oneof![
        prop::collection::vec(paragraph, 1..4).prop_map(Body::Paragraphs),
        prop::collection::vec(item(), 1..5).prop_map(Body::Items),
        (1usize..4, 1usize..4).prop_flat_map(|(width, height)| {
            let row = || prop::collection::vec(line(), width);
            (row(), prop::collection::vec(row(), height))
                .prop_map(|(header, rows)| Body::Table { header, rows })
        }),
    ]
}

fn document() -> impl Strategy<Value = Document> {
    let section = ("[A-ZÅ][a-zåäö0-9*_ ]{2,16}[a-z]", any::<bool>(), body());
    (line(), prop::collection::vec(section, 1..6)).prop_map(|(title, sections)| {
        let mut document = Document::new(title, Language::En, MadeWith::Model);
        for (number, (heading, internal, body)) in sections.into_iter().enumerate() {
            document.sections.push(Section {
                id: format!("part_{number}"),
                heading: one_line(&format!("{heading} {number}")),
                internal,
                body,
            });
        }
        document
    })
}

/// Paragraphs that begin with a list mark of ours are lists; the reader may join them differently.
fn is_canonical(document: &Document) -> bool {
    let bullets = |text: &String| text.lines().any(|line| line.starts_with("• "));
    document.sections.iter().all(|section| match &section.body {
        Body::Paragraphs(texts) => !texts.iter().any(bullets),
        Body::Items(_) | Body::Table { .. } => true,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn markdown_is_read_back_as_it_was(document in document()) {
        prop_assume!(is_canonical(&document));
        let text = document.to_markdown();
        let read = Document::read_markdown(&text, &document).unwrap();
        prop_assert_eq!(&read, &document, "{}", text);
        prop_assert_eq!(read.to_markdown(), text);
        let stored = serde_json::to_value(&document).unwrap();
        prop_assert_eq!(serde_json::from_value::<Document>(stored).unwrap(), document);
    }

    #[test]
    fn any_text_can_be_read_and_written(text in "[\\PC\n]{0,400}", document in document()) {
        if let Ok(read) = Document::read_markdown(&text, &document) {
            let again = Document::read_markdown(&read.to_markdown(), &read).unwrap();
            prop_assert_eq!(again.to_markdown(), read.to_markdown());
        }
        prop_assert!(document.to_docx().is_some());
    }
}

fn profile() -> Document {
    let mut document = Document::new("Requirement profile: Dev", Language::En, MadeWith::Fallback);
    let quote = Quote {
        quote: "needs Python".into(),
        source: "startup_notes".into(),
    };
    document.items(
        "must_haves",
        vec![Item::new("Python").quoting([quote]), Item::new("SQL")],
    );
    document.items("team", vec![Item::new("5 people")]);
    document.items("internal", vec![Item::new("Jonas was too slow")]);
    document.sections[2].internal = true;
    document
        .fields
        .insert("position_title".into(), json!("Dev"));
    document
}

#[test]
fn a_document_looks_as_people_write_it() {
    let expected = "# Requirement profile: Dev\n\n> Made without a language model: it holds only what you gave, and […] where something is missing.\n\n## Must-haves\n\n* Python\n  > “needs Python” (startup notes)\n* SQL\n\n## Team\n\n* 5 people\n\n## Internal remarks [internal]\n\n* Jonas was too slow\n";
    assert_eq!(profile().to_markdown(), expected);
}

#[test]
fn changed_text_keeps_ids_quotes_fields_and_marks() {
    let text = profile()
        .to_markdown()
        .replace("5 people", "9 people")
        .replace("* SQL", "* Ansible\n- Docker")
        .replace(" [internal]", "");
    let read = Document::read_markdown(&text, &profile()).unwrap();
    assert_eq!(
        read.section("team").unwrap().body,
        Body::Items(vec![Item::new("9 people")])
    );
    let musts: Vec<&Item> = read.items_of("must_haves").collect();
    assert_eq!(musts[0].quotes.len(), 1);
    assert_eq!(
        (musts[1].text.as_str(), musts[2].text.as_str()),
        ("Ansible", "Docker")
    );
    assert!(
        read.section("internal").unwrap().internal,
        "known by its heading"
    );
    assert_eq!(read.field("position_title"), Some("Dev"));
}

#[test]
fn what_is_new_gets_an_id_of_its_own() {
    let text = "# New title\n\nHello there,\nsecond line\n\n## Must-haves\n1. Python\n\n### Tools\nWe use:\n\n* Git\n* Rust\n\nEvery day.";
    let read = Document::read_markdown(text, &profile()).unwrap();
    assert_eq!(read.title, "New title");
    let ids: Vec<&str> = read.sections.iter().map(|s| s.id.as_str()).collect();
    assert_eq!(ids, ["section_1", "must_haves", "section_2"]);
    let Body::Paragraphs(texts) = &read.sections[2].body else {
        panic!("{read:?}")
    };
    assert_eq!(texts[0], "We use:\n• Git\n• Rust");
    assert_eq!(texts[1], "Every day.");
    assert_eq!(
        Document::read_markdown(&read.to_markdown(), &read).unwrap(),
        read
    );
}

#[test]
fn an_empty_or_endless_text_is_refused_in_words() {
    for text in ["", " \n ", "# Only a title"] {
        assert!(
            Document::read_markdown(text, &profile())
                .unwrap_err()
                .contains("empty")
        );
    }
    let endless = "x".repeat(300_000);
    assert!(
        Document::read_markdown(&endless, &profile())
            .unwrap_err()
            .contains("longer")
    );
}

#[test]
fn labels_and_ratings_are_read_in_the_ways_people_write_them() {
    let mut report = profile();
    for text in [
        "* **Excel (4/5):** good",
        "* **Excel (4/5)**: good",
        "- **Excel (4/5):** good",
    ] {
        report = Document::read_markdown(&format!("## Team\n{text}"), &report).unwrap();
        let item = report.items_of("team").next().unwrap();
        assert_eq!(
            (item.label.as_deref(), item.rating, item.text.as_str()),
            (Some("Excel"), Some(4), "good")
        );
    }
    let plain = Document::read_markdown("## Team\n* **Excel** is good", &report).unwrap();
    assert_eq!(plain.items_of("team").next().unwrap().text, "Excel is good");
}

#[test]
fn candidates_never_see_internal_sections() {
    let public = profile().for_candidates().to_markdown();
    assert!(public.contains("Python") && !public.contains("Jonas"));
}

#[test]
fn a_word_file_has_the_words() {
    let file = profile().to_docx().unwrap();
    assert!(file.starts_with(b"PK"));
    let text = String::from_utf8_lossy(&file);
    for words in [
        "Must-haves",
        "“needs Python” (startup_notes)",
        "Made without a language model",
    ] {
        assert!(text.contains(words), "{words}");
    }
}

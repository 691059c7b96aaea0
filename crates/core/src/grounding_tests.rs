//! Supported and unsupported quotes, figures and dates.

use std::sync::LazyLock;

use super::*;

const NOTES: &str = "Helen wouldn't budge on: has run Swedish payroll on their own for min 3 yrs.\n\
    Team: 5 in HR Ops. Pay 42-46k SEK/mth. Be honest that 60% is routine. Wants 3 candidates by 28 Nov. \
    Payroll week is the 20th-25th. Go-live planned Sept 2027. Anna had eleven clients – “sixty people” were wrong.";

fn evidence() -> Evidence {
    Evidence::new(
        &[
            SourceText::new("startup_notes", NOTES),
            SourceText::new("old_ad", "We are 9 people in Lund."),
        ],
        ["2026-11-18", "conversion 12.5 %"],
    )
}

#[test]
fn a_quote_may_differ_in_case_spaces_quotes_and_dashes() {
    let evidence = evidence();
    for quote in [
        "has run Swedish payroll on their own for min 3 yrs",
        "Has run  Swedish\npayroll on their own",
        "Anna had eleven clients - \"sixty people\" were wrong",
        "Be honest that 60% is routine.",
        "Helen wouldn’t budge on … for min 3 yrs",
        "Helen wouldn't budge on [...] on their own",
    ] {
        assert_eq!(
            evidence.source_of(quote, "startup_notes"),
            Some("startup_notes"),
            "{quote}"
        );
    }
}

#[test]
fn an_invented_quote_has_no_source() {
    let evidence = evidence();
    for quote in [
        "has run Danish payroll",
        "min 5 yrs",
        "",
        "…",
        ".",
        "for min 3 yrs … Helen wouldn't budge",
    ] {
        assert_eq!(evidence.source_of(quote, "startup_notes"), None, "{quote}");
    }
}

#[test]
fn a_quote_under_the_wrong_name_is_given_the_right_one() {
    assert_eq!(
        evidence().source_of("9 people in Lund", "startup_notes"),
        Some("old_ad")
    );
}

#[test]
fn figures_in_another_notation_are_the_same_figures() {
    let evidence = evidence();
    for text in [
        "3 years, 60 percent, 5 people",
        "SEK 42,000 to 46,000",
        "42 000–46 000 kr",
        "42.000 bis 46.000",
        "42k",
        "11 clients and 60 people",
        "between the 20th and the 25th",
        "The conversion is 12.5 % (12,5 %)",
        "a B2B company with O365",
        "1. First point\n2. Second point",
        "no figures at all",
    ] {
        assert_eq!(evidence.unsupported(text), None, "{text}");
    }
}

#[test]
fn a_figure_that_no_source_has_is_found() {
    let evidence = evidence();
    for (text, figure) in [
        ("at least 7 years", "7"),
        ("a bonus of 15%", "15"),
        ("SEK 52,000", "52,000"),
        ("60 days of holiday and 31 colleagues", "31"),
        ("4.2 of 5", "4.2"),
    ] {
        assert_eq!(evidence.unsupported(text), Some(figure), "{text}");
    }
}

#[test]
fn dates_are_compared_as_dates() {
    let evidence = evidence();
    for text in [
        "by 28 November",
        "until 2026-11-28",
        "28.11.2026",
        "Nov 28",
        "today, 18 November 2026",
        "den 28. november",
    ] {
        assert_eq!(evidence.unsupported(text), None, "{text}");
    }
    for (text, date) in [
        ("by 28 December", "28 December"),
        ("on 2026-12-01", "2026-12-01"),
        ("on 20 November", "20 November"),
        ("18 November 2027", "18 November 2027"),
    ] {
        assert_eq!(evidence.unsupported(text), Some(date), "{text}");
    }
}

#[test]
fn any_text_can_be_checked() {
    use proptest::prelude::*;
    proptest!(|(source in "\\PC{0,80}", text in "[0-9a-zé .,:/'%k\u{a0}–-]{0,60}|\\PC{0,80}")| {
        let evidence = Evidence::new(&[SourceText::new("a", source.clone())], [text.as_str()]);
        // A known value supports itself.
        prop_assert_eq!(evidence.unsupported(&text), None);
        let _ = evidence.source_of(&text, "a");
        let parts = normalise(&source);
        prop_assert_eq!(normalise(&parts), parts);
    });
}

#[test]
fn an_ordinal_or_an_abbreviation_ends_no_sentence() {
    for whole in [
        "Start am 1. März 2027 in Köln",
        "Börjar den 1. Maj, gärna tidigare",
        "Tiltrædelse 15. August eller før",
        "Oppstart 3. Januar",
        "Büro im 2. Stock",
        "Kenntnisse in z. B. Cisco",
        "Zertifikat bzw. Erfahrung",
        "1. First point",
        "We use Python, SQL, etc. and more",
    ] {
        assert_eq!(sentences(whole).collect::<Vec<_>>(), [whole]);
    }
    let three: Vec<&str> = sentences("Wir sind 12. Das Team wächst!\n- Und?").collect();
    assert_eq!(three, ["Wir sind 12. ", "Das Team wächst!\n", "- Und?"]);
    assert_eq!(sentences("").count(), 0);
}

#[test]
fn a_sentence_rests_on_a_quote_that_shares_a_word_or_a_figure() {
    let mut sources = vec![SourceText::new(
        "profile",
        "Run monthly payroll for Sweden. 2 days at home. QA.",
    )];
    let quote = |quote: &str| Quote {
        quote: quote.to_owned(),
        source: "profile".to_owned(),
    };
    let evidence = Evidence::new(&sources, []);
    let quotes = [
        quote("Run monthly payroll for Sweden"),
        quote("2 days at home. QA"),
    ];
    for sentence in [
        "You run payrolls.",
        "Salaries in Sweden are yours.",
        "Two or 2 of them remote",
        "Löner i Sweden-teamet",
        "A job in QA",
    ] {
        assert!(evidence.may_rest_on(sentence, &quotes), "{sentence}");
    }
    for sentence in [
        "A massage for you each week.",
        "We offer 31 of them",
        "Du får massage",
    ] {
        assert!(!evidence.may_rest_on(sentence, &quotes), "{sentence}");
    }
    // Words of two languages cannot be compared.
    sources[0].is_foreign = true;
    assert!(Evidence::new(&sources, []).may_rest_on("Du sköter lönen.", &quotes));
}

#[test]
fn a_listed_topic_needs_a_source_that_names_it() {
    static TOPICS: LazyLock<Topics> =
        LazyLock::new(|| Topics::parse("# benefits\ncompany car*, tjänstebil*\npension*\ngym"));
    let sources = [SourceText::new("notes", "Tjänstebilen ingår.")];
    let evidence = Evidence::new(&sources, []).with_topics(&TOPICS);
    assert_eq!(evidence.unnamed_topic("A company car is included."), None);
    assert_eq!(evidence.unnamed_topic("Gymnasium teachers"), None);
    assert_eq!(
        evidence.unnamed_topic("A good  Pension plan"),
        Some("pension")
    );
    assert_eq!(evidence.unnamed_topic("There is a gym."), Some("gym"));
}

//! All languages have the same labels.

use super::*;

fn keys(labels: &Labels) -> Vec<String> {
    let tables = [
        &labels.words,
        &labels.reasons,
        &labels.notes,
        &labels.titles,
        &labels.sections,
    ];
    let keys = tables.into_iter().flat_map(|table| table.keys());
    keys.chain(labels.cues.keys()).cloned().collect()
}

#[test]
fn every_language_has_every_label() {
    let english: Labels = toml::from_str(FILES[0]).unwrap();
    assert!(keys(&english).len() > 100);
    for language in Language::ALL {
        let labels: Labels = toml::from_str(FILES[language as usize]).unwrap();
        assert_eq!(keys(&labels), keys(&english), "{language:?}");
    }
}

#[test]
fn placeholders_are_the_same_in_every_language() {
    let holes = |text: &String| text.matches('{').count();
    for language in Language::ALL {
        let own = labels(language);
        for (table, english) in [
            (&own.notes, &labels(Language::En).notes),
            (&own.titles, &labels(Language::En).titles),
        ] {
            for (key, text) in table {
                assert_eq!(holes(text), holes(&english[key]), "{language:?} {key}");
            }
        }
    }
}

#[test]
fn the_fallback_line_survives_markdown() {
    for language in Language::ALL {
        let line = labels(language).word("made_without_model");
        assert!(
            line.contains("[…]") && !line.contains(['*', '_', '<']),
            "{line}"
        );
    }
}

//! Which language a message is in, told from few words and among the languages that the examples speak.

use super::*;

const EXAMPLES: [&str; 11] = [
    "Write the job ad",
    "comparison table",
    "Compare the candidates",
    "Skriv jobbannonsen",
    "Jämför kandidaterna",
    "Skriv jobopslaget",
    "Gennemgå jobopslaget og giv mig råd",
    "Sammenlign kandidatene med hverandre",
    "Bekreft kravprofilen, vær så snill",
    "Schreibe die Stellenanzeige",
    "Vergleiche die Kandidaten",
];

fn is_in(text: &str, language: Option<Language>) -> bool {
    let tongues = Tongues::learn(EXAMPLES.into_iter());
    let found = tongues.of(text, None);
    if found != language {
        println!("{text:?}: {found:?}, not {language:?}");
    }
    found == language
}

#[test]
fn short_requests_are_told_apart_by_their_letters_and_by_the_examples() {
    let told = [
        ("Gennemgå annoncen", Language::Danish),
        ("Tilføj skabelonen", Language::Danish),
        ("Bekræft profilen", Language::Danish),
        ("Visa rapporten", Language::Swedish),
        ("Jämför båda", Language::Swedish),
        ("Granska jobbannonsen", Language::Swedish),
        ("Bekreft profilen", Language::Norwegian),
        ("Gjennomgå stillingsannonsen", Language::Norwegian),
        ("Stellenanzeige schreiben", Language::German),
        ("Prüfe Lebensläufe", Language::German),
        ("compare them", Language::English),
        ("diversity check", Language::English),
        ("wrtie the job add", Language::English),
        ("sourcing messages please", Language::English),
        ("report on Björn Åkesson", Language::English),
    ];
    let wrong = told
        .into_iter()
        .filter(|(text, language)| !is_in(text, Some(*language)))
        .count();
    assert_eq!(wrong, 0);
}

#[test]
fn an_assistant_that_speaks_english_alone_is_spoken_to_in_english() {
    let tongues = Tongues::learn(["Show the passes", "approve it"].into_iter());
    assert_eq!(tongues.of("list passes", None), Language::of("list passes"));
    assert_eq!(tongues.of("print GP-1", None), Language::of("print GP-1"));
}

#[test]
fn what_was_spoken_so_far_decides_what_one_word_leaves_open() {
    let tongues = Tongues::learn(EXAMPLES.into_iter());
    let said = tongues.of("trattrapport", Some(Language::Swedish));
    assert_eq!(said, Some(Language::Swedish));
    assert_eq!(tongues.of("🙂 42", Some(Language::Swedish)), None);
}

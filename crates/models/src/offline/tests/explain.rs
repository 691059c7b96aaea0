use super::super::index::Index;
use super::super::rank::rank;
use super::super::reading::Reading;
use super::super::*;
use super::toolboxes;

#[test]
#[ignore]
fn explain() {
    for (name, text) in [("admin", "full list please")] {
        let offer = toolboxes::named(name);
        let index = Index::new(&offer);
        let reading = Reading::new(&index, text, Language::of(text), None);
        println!(
            "{text} head {:?} question {} names {}",
            reading.head.as_ref().map(|h| (
                &h.lower,
                h.actions
                    .iter()
                    .map(|a| lexicon::LEXICON.name(*a))
                    .collect::<Vec<_>>()
            )),
            reading.question,
            reading.names
        );
        for term in &reading.terms {
            println!(
                "   {:?}",
                (
                    &term.lower,
                    term.quality,
                    &term.keys.iter().map(|k| k.0.as_str()).collect::<Vec<_>>()
                )
            );
        }
        for s in rank(&index, &reading, &Default::default()).iter().take(4) {
            println!(
                "   {} {:?} {:?}",
                index.tools[s.tool].name,
                s,
                index.tools[s.tool]
                    .actions
                    .iter()
                    .map(|a| lexicon::LEXICON.name(*a))
                    .collect::<Vec<_>>()
            );
        }
    }
}

//! Words that two texts of one language have in common.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words that say nothing about a subject, in the languages of the product.
const COMMON: &str = "the and for with you your our are was will that this from have has who they their them his her its into \
    over under not but can may all any more most very also each every other such than then there here what when where which \
    while about after before per out off own how why get like want wants need needs work works working job role position \
    person people good great new would could should must offer offers give gives join help \
    och att det som för med den till har inte ett kan vår våra din ditt dina från eller men oss ska hos vid mer alla där här \
    när hur vad vem också både över efter innan mycket blir bli får vill måste arbeta arbetar arbete jobb jobba roll tjänst \
    söker erbjuder ger \
    til ikke vores dit dine fra skal ved mere alle der hvor hva hvad hvem også etter før meget mye bliver arbejde arbeid rolle \
    stilling deg dig jeg tilbyr tilbyder gir giver \
    die das und für mit dem des ein eine einen einem einer ist sind war wird werden nicht sie ihr ihre ihren wir uns unser \
    unsere von vom zum zur bei auf aus als auch oder aber wenn wie was wer hat haben kann können muss müssen sehr mehr über \
    unter nach vor durch arbeit arbeiten stelle dein deine suchen bieten \
    это для что как или если вас нас наш наша ваш ваша при под над без все она они его работа должность";

static COMMON_WORDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| COMMON.split_whitespace().collect());

/// Whether a text shares a word that carries meaning with one of these. Inflected forms and parts of
/// compounds count as the same word.
pub(super) fn share_a_word(text: &str, others: &str) -> bool {
    let others: Vec<String> = meaningful(others).collect();
    meaningful(text).any(|word| others.iter().any(|other| are_alike(&word, other)))
}

/// Words of three letters or more that are not common, and shorter ones in capitals ("QA").
fn meaningful(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter_map(|word| {
        let letters = word.chars().count();
        let is_name = letters == 2 && word.chars().all(|c| c.is_uppercase() || c.is_ascii_digit());
        let lower = word.to_lowercase();
        let carries = letters >= 3 && !COMMON_WORDS.contains(lower.as_str());
        (is_name || carries).then_some(lower)
    })
}

fn are_alike(a: &str, b: &str) -> bool {
    const PART: usize = 4;
    const STEM: usize = 5;
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    a == b || shared >= STEM || (short.chars().count() >= PART && long.contains(short))
}

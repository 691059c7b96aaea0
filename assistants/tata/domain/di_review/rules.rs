//! The rules of the inclusive-language review that are not word lists: the German title, long sentences and
//! paragraphs, and excessive years of experience.

use crate::tata::domain::desk::Desk;
use crate::tata::domain::di_review::Category;
use crate::tata::domain::german_title::{has_gender_mark, with_gender_mark};
use crate::tata::domain::language::Language;
use crate::tata::domain::text::sentences::sentences;
use crate::tata::domain::text::words::{Word, one_line, shorten, word_count};
use crate::tata::domain::voice::Voice;

const MAX_SENTENCE_WORDS: usize = 25;
const MAX_PARAGRAPH_WORDS: usize = 100;
const MANY_YEARS: u32 = 10;
const QUOTED: usize = 120;
/// "20 years of fibre" is a company's history; only years of experience are a requirement.
const EXPERIENCE: [&str; 3] = ["experience", "erfar", "erfahr"];
const WORDS_TO_EXPERIENCE: usize = 4;

/// A finding with its place in bytes.
pub(crate) struct RuleFlag {
    pub(crate) start: usize,
    pub(crate) text: String,
    pub(crate) category: Category,
    pub(crate) explanation: String,
    pub(crate) alternatives: Vec<String>,
}

pub(crate) fn rule_flags(
    text: &str,
    list: &[Word<'_>],
    voice: Voice<'_>,
    desk: &Desk<'_>,
) -> Vec<RuleFlag> {
    let mut out = Vec::new();
    out.extend(german_title(text, voice));
    out.extend(long_sentences(text, voice, desk));
    out.extend(long_paragraphs(text, voice));
    out.extend(many_years(text, list, voice, desk));
    out
}

/// The first line of the ad is its title.
fn german_title(text: &str, voice: Voice<'_>) -> Option<RuleFlag> {
    if voice.language != Language::De {
        return None;
    }
    let (start, line) = lines(text).find(|(_, line)| line.contains(char::is_alphabetic))?;
    let title = line
        .trim()
        .trim_start_matches(['#', '*', ' '])
        .trim_end_matches('*');
    (!has_gender_mark(title)).then(|| RuleFlag {
        start,
        text: shorten(title, QUOTED),
        category: Category::GermanTitle,
        explanation: voice.plain(
            voice
                .pack
                .inclusion
                .explanations
                .by_category
                .get(&Category::GermanTitle)
                .map_or("", |e| e),
        ),
        alternatives: vec![with_gender_mark(&shorten(title, QUOTED))],
    })
}

fn long_sentences(text: &str, voice: Voice<'_>, desk: &Desk<'_>) -> Vec<RuleFlag> {
    let phrases = &voice.pack.inclusion;
    let mut from = 0;
    let mut out = Vec::new();
    for sentence in sentences(text, &desk.library.reader().abbreviations) {
        // Sentences come in order, so each is found right after the one before.
        let start = text[from..].find(sentence).map_or(from, |at| from + at);
        from = start + sentence.len();
        let n = word_count(sentence);
        if n > MAX_SENTENCE_WORDS {
            let explanation = counted(
                &phrases.explanations.long_sentence,
                n,
                MAX_SENTENCE_WORDS,
                voice,
            );
            out.push(readability(
                start,
                sentence,
                explanation,
                voice.plain(&phrases.rules.long_sentence),
            ));
        }
    }
    out
}

fn long_paragraphs(text: &str, voice: Voice<'_>) -> Vec<RuleFlag> {
    let phrases = &voice.pack.inclusion;
    let mut out = Vec::new();
    let mut at = 0;
    for paragraph in text.split("\n\n") {
        let n = word_count(paragraph);
        let is_list = paragraph.lines().filter(|l| !l.trim().is_empty()).count() > 3;
        if n > MAX_PARAGRAPH_WORDS && !is_list {
            let explanation = counted(
                &phrases.explanations.long_paragraph,
                n,
                MAX_PARAGRAPH_WORDS,
                voice,
            );
            let start = at + paragraph.len() - paragraph.trim_start().len();
            out.push(readability(
                start,
                paragraph,
                explanation,
                voice.plain(&phrases.rules.long_paragraph),
            ));
        }
        at += paragraph.len() + 2;
    }
    out
}

fn many_years(text: &str, list: &[Word<'_>], voice: Voice<'_>, desk: &Desk<'_>) -> Vec<RuleFlag> {
    let phrases = &voice.pack.inclusion;
    let years = &desk.library.reader().years;
    let mut out = Vec::new();
    for (i, pair) in list.windows(2).enumerate() {
        let number = pair[0].number().filter(|n| (MANY_YEARS..60).contains(n));
        let Some(n) = number.filter(|_| pair[1].joined && years.contains(pair[1].folded.as_ref()))
        else {
            continue;
        };
        let next = &list[i + 2..list.len().min(i + 2 + WORDS_TO_EXPERIENCE)];
        if next
            .iter()
            .any(|w| EXPERIENCE.iter().any(|stem| w.folded.contains(stem)))
        {
            out.push(RuleFlag {
                start: pair[0].start,
                text: text[pair[0].start..pair[1].end].to_owned(),
                category: Category::Requirements,
                explanation: voice.say(&phrases.explanations.many_years, &[("n", &n.to_string())]),
                alternatives: vec![voice.plain(&phrases.rules.many_years)],
            });
        }
    }
    out
}

fn readability(start: usize, passage: &str, explanation: String, advice: String) -> RuleFlag {
    let text = shorten(&one_line(passage), QUOTED);
    RuleFlag {
        start,
        text,
        category: Category::Readability,
        explanation,
        alternatives: vec![advice],
    }
}

fn counted(phrase: &str, n: usize, max: usize, voice: Voice<'_>) -> String {
    voice.say(phrase, &[("n", &n.to_string()), ("max", &max.to_string())])
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    })
}

//! Reads an interview transcript: who said what, in the line formats of Teams and without any.

use crate::tata::domain::library::Library;
use crate::tata::domain::style_guide::StyleGuide;
use crate::tata::domain::text::phrasebook::Phrasebook;
use crate::tata::domain::text::sentences::sentences;
use crate::tata::domain::text::words::{
    Word, capitalised, folded_words, one_line, word_count, words,
};

/// One statement of the candidate, cleaned, with the question it answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    pub(crate) text: String,
    pub(crate) question: Option<String>,
    /// How many statements of the same answer came before it.
    pub(crate) place: usize,
}

/// How the lines name their speakers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineFormat {
    /// `00:01:02 Anna Berg`
    TimeSpeaker,
    /// `Anna Berg 00:01:02`
    SpeakerTime,
    /// `Anna Berg: text`
    Label,
    None,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) speaker: Option<String>,
    pub(crate) text: String,
}

const LONGEST_NAME: usize = 5;
/// A pasted text with fewer labelled lines than this share is prose with colons in it.
const LABELLED_SHARE: usize = 3;

/// What the candidate said. Without speakers, everything that is not a question.
pub(crate) fn statements(
    transcript: &str,
    candidate: &str,
    library: &Library,
    style: &StyleGuide,
) -> Vec<Statement> {
    let (turns, format) = turns(transcript);
    let cleaner = Cleaner::new(transcript, library, style);
    let abbreviations = &library.reader().abbreviations;
    let candidate = candidate_speaker(&turns, candidate);
    let mut out = Vec::new();
    let mut question: Option<String> = None;
    let mut place = 0;
    for turn in &turns {
        let speaks = format == LineFormat::None
            || (turn.speaker.is_some() && turn.speaker.as_deref() == candidate);
        for sentence in sentences(&turn.text, abbreviations) {
            if !speaks || (format == LineFormat::None && sentence.ends_with('?')) {
                question = Some(sentence.to_owned());
                place = 0;
            } else if let Some(text) = cleaner.clean(sentence) {
                out.push(Statement {
                    text,
                    question: question.clone(),
                    place,
                });
                place += 1;
            }
        }
    }
    out
}

pub(crate) fn turns(transcript: &str) -> (Vec<Turn>, LineFormat) {
    let formats = [LineFormat::TimeSpeaker, LineFormat::SpeakerTime];
    let counts = formats.map(|f| {
        transcript
            .lines()
            .filter(|l| header(l, f).is_some())
            .count()
    });
    let format = match counts {
        [0, 0] if is_labelled(transcript) => LineFormat::Label,
        [0, 0] => LineFormat::None,
        [first, second] if first >= second => LineFormat::TimeSpeaker,
        [_, _] => LineFormat::SpeakerTime,
    };
    let mut turns: Vec<Turn> = Vec::new();
    for line in transcript.lines() {
        match header(line, format) {
            Some((speaker, rest)) => turns.push(Turn {
                speaker: Some(speaker.to_owned()),
                text: rest.to_owned(),
            }),
            None => match turns.last_mut() {
                Some(turn) => {
                    turn.text.push('\n');
                    turn.text.push_str(line);
                }
                None => turns.push(Turn {
                    speaker: None,
                    text: line.to_owned(),
                }),
            },
        }
    }
    (turns, format)
}

/// The speaker and what follows on the same line.
fn header(line: &str, format: LineFormat) -> Option<(&str, &str)> {
    let line = line.trim();
    match format {
        LineFormat::TimeSpeaker => {
            let (time, rest) = line.split_once(char::is_whitespace)?;
            let rest = rest.trim();
            let (speaker, text) = rest.split_once(": ").unwrap_or((rest, ""));
            (is_time(time) && is_name(speaker)).then_some((speaker.trim_end_matches(':'), text))
        }
        LineFormat::SpeakerTime => {
            let (speaker, time) = line.rsplit_once(char::is_whitespace)?;
            let speaker = speaker.trim();
            (is_time(time) && is_name(speaker)).then_some((speaker, ""))
        }
        LineFormat::Label => {
            let (speaker, text) = line.split_once(':')?;
            let spaced = text.starts_with(char::is_whitespace) || text.is_empty();
            (spaced && is_name(speaker)).then_some((speaker.trim(), text.trim()))
        }
        LineFormat::None => None,
    }
}

/// `00:01:02`, also without hours and with fractions or brackets.
fn is_time(text: &str) -> bool {
    let text = text.trim_matches(['[', ']', '(', ')']);
    let text = text.split(['.', ',']).next().unwrap_or(text);
    let parts: Vec<&str> = text.split(':').collect();
    (2..=3).contains(&parts.len())
        && parts
            .iter()
            .all(|p| (1..=2).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_digit()))
}

fn is_name(text: &str) -> bool {
    let text = text.trim_end_matches(':');
    !text.is_empty()
        && (1..=LONGEST_NAME).contains(&word_count(text))
        && text.starts_with(char::is_alphabetic)
        && !text.ends_with(['.', '!', '?', ','])
}

/// At least two speakers, and a good part of the lines has one.
fn is_labelled(transcript: &str) -> bool {
    let lines = transcript.lines().filter(|l| !l.trim().is_empty());
    let (mut all, mut labelled) = (0, 0);
    let mut speakers: Vec<&str> = Vec::new();
    for line in lines {
        all += 1;
        if let Some((speaker, _)) = header(line, LineFormat::Label) {
            labelled += 1;
            if speakers.len() < 3 && !speakers.contains(&speaker) {
                speakers.push(speaker);
            }
        }
    }
    speakers.len() >= 2 && labelled * LABELLED_SHARE >= all
}

/// The speaker with the candidate's name; otherwise the one who says most, as candidates do.
fn candidate_speaker<'t>(turns: &'t [Turn], candidate: &str) -> Option<&'t str> {
    let name = folded_words(candidate);
    let mut said: Vec<(&str, usize)> = Vec::new();
    for turn in turns {
        let Some(speaker) = turn.speaker.as_deref() else {
            continue;
        };
        let count = word_count(&turn.text);
        match said.iter_mut().find(|(s, _)| *s == speaker) {
            Some((_, n)) => *n += count,
            None => said.push((speaker, count)),
        }
    }
    let shared = |speaker: &str| {
        folded_words(speaker)
            .iter()
            .filter(|w| w.chars().count() > 1 && name.contains(w))
            .count()
    };
    let named = said
        .iter()
        .filter(|(s, _)| shared(s) > 0)
        .max_by_key(|(s, n)| (shared(s), *n));
    named
        .or_else(|| said.iter().max_by_key(|(_, n)| *n))
        .map(|(s, _)| *s)
}

/// Takes out hesitations and repeated words, and puts right how a transcript hears the company's names.
struct Cleaner<'a> {
    fillers: Phrasebook<()>,
    style: &'a StyleGuide,
}

impl<'a> Cleaner<'a> {
    fn new(transcript: &str, library: &Library, style: &'a StyleGuide) -> Self {
        let language = library.language_of(transcript).unwrap_or_default();
        let fillers = library
            .pack(language)
            .cues
            .interview
            .fillers
            .iter()
            .map(|f| (f, ()));
        Cleaner {
            fillers: Phrasebook::new(fillers),
            style,
        }
    }

    fn clean(&self, sentence: &str) -> Option<String> {
        let list = words(sentence);
        let mut edits: Vec<(std::ops::Range<usize>, &str)> = Vec::new();
        edits.extend(
            self.fillers
                .find(&list)
                .iter()
                .map(|hit| (hit.span(&list), "")),
        );
        edits.extend(repeated(&list).map(|word| (word.start..word.end, "")));
        edits.extend(
            self.style
                .heard()
                .find(&list)
                .iter()
                .map(|hit| (hit.span(&list), self.style.term(hit.value))),
        );
        edits.sort_by_key(|(range, _)| range.start);
        let mut out = String::with_capacity(sentence.len());
        let mut from = 0;
        for (range, with) in edits {
            if range.start < from {
                continue;
            }
            out.push_str(&sentence[from..range.start]);
            out.push_str(with);
            from = range.end;
            if with.is_empty() {
                from +=
                    sentence[from..].len() - sentence[from..].trim_start_matches([',', ' ']).len();
            }
        }
        out.push_str(&sentence[from..]);
        let text = one_line(out.trim_start_matches([',', ' ', '.', '-']));
        text.contains(char::is_alphabetic)
            .then(|| capitalised(&text))
    }
}

/// "I I worked": the second one of two equal words. Numbers and single letters other than I repeat for a reason.
fn repeated<'w, 't>(list: &'w [Word<'t>]) -> impl Iterator<Item = &'w Word<'t>> {
    list.windows(2).filter_map(|pair| {
        let same = pair[0].folded == pair[1].folded && pair[1].joined && pair[0].number().is_none();
        (same && (pair[0].letters() > 1 || pair[0].folded == "i")).then_some(&pair[1])
    })
}

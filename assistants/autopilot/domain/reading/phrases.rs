//! Facts that are kept in the person's own words, recognised by the phrases that introduce them.

use std::sync::LazyLock;

use regex::Regex;

use super::super::keys::Key;
use super::super::quantity::pattern;
use super::super::roi::Confidence;
use super::Reading;
use super::facility::Facility;
use super::sentences::Sentence;

/// The part of a sentence that becomes the value.
#[derive(Clone, Copy)]
enum Keep {
    Sentence,
    Match,
    Word(&'static str),
}

/// The phrases of each fact.
#[rustfmt::skip]
const RULES: [(Key, Keep, &str); 26] = [
    (Key::Timing, Keep::Match, r"\b(?:(?:from|between) \d{1,2}(?::\d\d)?\s?(?:am|pm)? (?:to|and|until) \d{1,2}(?::\d\d)?\s?(?:am|pm)?|before (?:we )?open(?:ing)?|after (?:we )?clos(?:e|ing)|overnight|at night|in the (?:early )?(?:morning|evening|afternoon)s?|during the day|between (?:games|matches|sessions|shifts))\b"),
    (Key::Responsibility, Keep::Match, r"\b(?:janitors?|cleaning (?:crew|company|contractor|service|team)|contractors?|in-house|our (?:own )?(?:staff|team|people|employees)|volunteers|outsourced?|front desk staff|cleaners?)\b"),
    (Key::Fnb, Keep::Word("Yes"), r"\b(?:we|it|there) (?:also )?(?:serve|have|has|is|run)\b[^.]*\b(?:caf[eé]|bar|kitchen|snack bar|food|drinks|restaurant inside|concession)"),
    (Key::Fnb, Keep::Word("No"), r"\bno (?:food|kitchen|caf[eé]|f&b|bar)\b|\b(?:don't|do not) serve\b"),
    (Key::Priorities, Keep::Sentence, r"\b(?:priorit(?:y|ies)|most important|matters most|we care about|our goal|main goal|(?:want|need|like) to (?:cut|reduce|save|lower|improve|free up))\b"),
    (Key::Stakeholders, Keep::Sentence, r"\b(?:stakeholders?|decision[- ]makers?|(?:has|have|needs?|must|will) to (?:sign off|approve|agree|decide)|signs? off|decides?|board|cfo|coo|ceo|my boss|general manager|co-owner|finance (?:team|director|lead))\b"),
    (Key::Background, Keep::Sentence, r"\b(?:built in|opened in|founded in|indoors?|outdoors?|since (?:19|20)\d\d|years? in business)\b"),
    (Key::Lifecycle, Keep::Sentence, r"\b(?:years? old|resurfac\w+|new floors?|floors? (?:is|are) (?:new|old|worn)|redone|replaced? the floor)\b"),
    (Key::FailureImpact, Keep::Sentence, r"\b(?:slips?|slipped|injur\w+|cancel\w*|walk away|leave us|bad reviews?|(?:when|if) (?:it|they|the \w+) (?:is|are|isn't|aren't) (?:not )?(?:clean|dirty)\w*)\b"),
    (Key::Feedback, Keep::Sentence, r"\b(?:(?:members|guests|customers|players|people|diners) (?:say|complain|tell us|love|are happy|notice)|complaints?|feedback)\b"),
    (Key::BudgetExists, Keep::Word("No"), r"\b(?:no budget|(?:don't|do not) have (?:a|any) budget|without a budget)\b"),
    (Key::BudgetExists, Keep::Word("Not yet"), r"\bbudget\b[^.]*\b(?:not (?:yet )?approved|next year|to be approved)\b|\bno budget yet\b"),
    (Key::BudgetExists, Keep::Word("Yes"), r"\b(?:have|has|got) (?:a|some|the) budget\b|\bbudget (?:is|has been) (?:approved|set)\b"),
    (Key::OpportunityCost, Keep::Sentence, r"\b(?:los(?:e|ing|t)\b[^.]*\b(?:bookings?|revenue|court time|hours?|money|\$)|court time|could be (?:renting|booked))"),
    (Key::Confidence, Keep::Sentence, r"\b(?:(?:not|very|fairly|quite|pretty) (?:sure|confident|convinced)|confident|sceptical|skeptical|doubt (?:that|it|a robot))\b"),
    (Key::PastAttempts, Keep::Sentence, r"\b(?:(?:we|they|i) (?:have )?(?:tried|tested|used|had|piloted)\b[^.]*\b(?:robot|roomba|machine|autonomous)|never (?:tried|used|had) (?:a|any) robot)\b"),
    (Key::IdealTimeline, Keep::Match, r"\b(?:(?:start(?:ing)?|begin(?:ning)?|need (?:it|this)|want (?:it|this)|go live|running|ready)\s+(?:it\s+|this\s+)?(?:in|from|by|before)\s+(?:early |late |mid-?)?(?:january|february|march|april|may|june|july|august|september|october|november|december|summer|spring|autumn|fall|winter|q[1-4]))\b"),
    (Key::Priorities, Keep::Sentence, r"\b(?:staff shortages?|short of (?:staff|people)|short[- ]staffed|understaffed|(?:cannot|can't|hard to) (?:find|hire|get) (?:\w+ )?(?:staff|people|cleaners|workers))\b"),
    (Key::BusinessChallenges, Keep::Sentence, r"\b(?:staff shortages?|short of (?:staff|people)|understaffed)\b"),
    (Key::IdealTimeline, Keep::Match, r"\b(?:by (?:january|february|march|april|may|june|july|august|september|october|november|december|summer|spring|autumn|fall|winter|the end of \w+|q[1-4]|next \w+)|within (?:\d+|a|two|three|six) (?:days?|weeks?|months?)|as soon as possible|asap|this (?:quarter|year|month)|next (?:quarter|year|month))\b"),
    (Key::UpcomingEvents, Keep::Sentence, r"\b(?:tournaments?|grand opening|open house|championships?|league (?:start|final)s?)\b"),
    (Key::BusinessChallenges, Keep::Sentence, r"\b(?:short[- ]staffed|hard to (?:find|hire|keep)|turnover|rising (?:costs|wages)|competition|(?:we are|we're) growing|expanding)\b"),
    (Key::Challenges, Keep::Sentence, r"\b(?:problem|challenge|struggl\w+|inconsistent|takes too long|too slow|dust|hard to keep|never really clean|chalk|scuff)\b"),
    (Key::Priorities, Keep::Word("Lower costs"), r"^lower costs$"),
    (Key::Priorities, Keep::Word("Cleaner floors"), r"^cleaner floors$"),
    (Key::Priorities, Keep::Word("Less work for staff"), r"^less work for staff$"),
];

pub(super) fn read(sentence: &Sentence<'_>, reading: &mut Reading) {
    static COMPILED: LazyLock<Vec<(Key, Keep, Option<Regex>)>> = LazyLock::new(|| {
        RULES
            .iter()
            .map(|(key, keep, text)| (*key, *keep, pattern(text)))
            .collect()
    });
    if sentence.is_question {
        return;
    }
    for (key, keep, regex) in COMPILED.iter() {
        let Some(matched) = regex.as_ref().and_then(|regex| regex.find(&sentence.lower)) else {
            continue;
        };
        let value = match keep {
            Keep::Sentence => sentence.text.trim_end_matches(['.', '!']),
            // Small letters may have another length than their capitals.
            Keep::Match => match sentence.text.get(matched.range()) {
                Some(said) if said.to_lowercase() == matched.as_str() => said,
                Some(_) | None => matched.as_str(),
            },
            Keep::Word(word) => word,
        };
        let value: String = value.chars().take(super::LONGEST_VALUE).collect();
        reading.put(*key, &value, sentence.text, Confidence::Medium);
    }
}

/// The name after "we are called", "our name is" or "I manage".
pub(super) fn introduced_name(text: &str) -> Option<String> {
    static CALLED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(
            r#"(?i)\b(?:called|named|company name(?: is)?:?|name is|name's|name:|company:)\s+["“]?((?:(?:st|ste|dr|mt)\.\s+)?[^,.;"”\n]{2,80})"#,
        )
    });
    static CAPITALS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(
            r"\b(?:[Ww]e are|[Ww]e're|I manage|I run|I own|I'm from|I am from|[Tt]his is|[Hh]ere at|at)\s+((?:(?:St|Ste|Dr|Mt)\.\s+)?(?:[A-Z][\w&'’-]*)(?:\s+(?:(?:of|and|the|&)\s+)?[A-Z0-9][\w&'’-]*)*)",
        )
    });
    let after = |regex: &LazyLock<Option<Regex>>| {
        let found = regex.as_ref()?.captures(text)?;
        Some(found.get(1)?.as_str().trim().to_owned())
    };
    let named = after(&CALLED)
        .map(|name| up_to_clause(&name))
        .or_else(|| after(&CAPITALS))?;
    let name = named.trim().trim_end_matches(['.', '!']).to_owned();
    (!name.is_empty() && !Facility::is_bare(&name)).then_some(name)
}

/// The name without the clause after it.
fn up_to_clause(name: &str) -> String {
    let lower = name.to_lowercase();
    let ends = " and we | and it | with | which | where | that | - | in | located ".split('|');
    let end = ends.filter_map(|clause| lower.find(clause)).min();
    name.get(..end.unwrap_or(name.len()))
        .unwrap_or(name)
        .to_owned()
}

/// An answer without the words that lead to it.
pub(super) fn without_lead(text: &str) -> &str {
    const LEADS: &str = "it is called |it's called |we are called |we're called |our name is |it is |it's |we are |we're ";
    let lower = text.to_lowercase();
    let lead = LEADS.split('|').find(|lead| lower.starts_with(*lead));
    lead.and_then(|lead| text.get(lead.len()..))
        .unwrap_or(text)
        .trim()
}

/// Names begin with a capital.
pub(super) fn looks_like_name(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_uppercase)
}

/// Small talk and orders, which answer no question.
pub(super) fn is_talk(text: &str) -> bool {
    const TALK: &str = "ok|okay|yes|no|sure|thanks|thank you|hello|hi|hey|go on|next|please|great|good|fine|yes please|help|\
                        stop|continue|go ahead|what next";
    const ORDERS: &str = "go to |show |calculate |recommend |compare |shortlist |make |move |back to |find |search |add ";
    let lower = text.trim().trim_end_matches(['.', '!', '?']).to_lowercase();
    TALK.split('|').any(|talk| talk == lower)
        || ORDERS.split('|').any(|order| lower.starts_with(order))
}

/// "skip", "I don't know", "rather not say".
pub(super) fn is_skip(message: &str) -> bool {
    static SKIP: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(
            r"(?i)^\s*(?:(?:let's |please )?skip(?: (?:it|that|this(?: one)?))?|pass|(?:i |we )?(?:really )?(?:don't|do not|dont) know(?: (?:that|it|yet))?|no idea|not sure(?: yet)?|(?:i(?:'d| would) )?rather not say|n/?a)\s*[.!]?\s*$",
        )
    });
    SKIP.as_ref().is_some_and(|skip| skip.is_match(message))
}

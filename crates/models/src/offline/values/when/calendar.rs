//! Names of days, months and times of day.

use chrono::NaiveTime;

use super::super::super::words::Text;

/// January first; forms in all languages.
pub(super) const MONTHS: [&str; 12] = [
    "january jan январь января januari januar jänner",
    "february feb февраль февраля februari februar",
    "march mar март марта mars marts märz",
    "april apr апрель апреля",
    "may май мая maj mai",
    "june jun июнь июня juni",
    "july jul июль июля juli",
    "august aug август августа augusti",
    "september sep sept сентябрь сентября",
    "october oct октябрь октября oktober okt",
    "november nov ноябрь ноября",
    "december dec декабрь декабря desember dezember dez",
];

/// Monday first.
pub(super) const WEEKDAYS: [&str; 7] = [
    "monday понедельник måndag mandag montag",
    "tuesday вторник tisdag tirsdag dienstag",
    "wednesday среда среду onsdag mittwoch",
    "thursday четверг torsdag donnerstag",
    "friday пятница пятницу fredag freitag",
    "saturday суббота субботу lördag lørdag samstag sonnabend",
    "sunday воскресенье söndag søndag sonntag",
];

/// Days from today; longer phrases first.
const RELATIVE: [(i64, &str); 5] = [
    (
        2,
        "the day after tomorrow|day after tomorrow|послезавтра|i övermorgon|övermorgon|i overmorgen|overmorgen|übermorgen",
    ),
    (
        -2,
        "the day before yesterday|day before yesterday|позавчера|i förrgår|i forgårs|vorgestern",
    ),
    (0, "today|tonight|сегодня|i dag|idag|heute"),
    (
        1,
        "tomorrow|завтра|i morgon|imorgon|i morgen|imorgen|morgen",
    ),
    (-1, "yesterday|вчера|i går|igår|gestern"),
];

pub(super) fn place(names: &[&str], lower: &str) -> Option<usize> {
    names
        .iter()
        .position(|forms| forms.split(' ').any(|form| form == lower))
}

/// Days from today that the words here mean, and how many words they are.
pub(super) fn relative_day(text: &Text, index: usize) -> Option<(i64, usize)> {
    RELATIVE.iter().find_map(|(days, phrases)| {
        phrases.split('|').find_map(|phrase| {
            let first = phrase.split(' ').next()?;
            if first != text.words[index].lower {
                return None;
            }
            let words: Vec<String> = phrase.split(' ').map(str::to_owned).collect();
            text.has_at(index, &words).then_some((*days, words.len()))
        })
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    Morning,
    Afternoon,
}

pub(super) fn half_of_day(lower: &str) -> Option<Half> {
    match lower {
        "am" | "утра" | "morgens" => Some(Half::Morning),
        "pm" | "вечера" | "дня" | "abends" | "nachmittags" => Some(Half::Afternoon),
        _ => None,
    }
}

pub(super) fn named_time(lower: &str) -> Option<NaiveTime> {
    match lower {
        "noon" | "midday" | "полдень" | "mittags" => NaiveTime::from_hms_opt(12, 0, 0),
        "midnight" | "полночь" | "mitternacht" | "midnatt" | "midnat" => {
            NaiveTime::from_hms_opt(0, 0, 0)
        }
        _ => None,
    }
}

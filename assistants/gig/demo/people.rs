//! The demo's candidates, generated from a fixed seed.

use chrono::{DateTime, TimeDelta, Utc};

use crate::domain::gig_context::GigRequirements;
use crate::domain::kinds::{GigHrSelectionStatus, GigResponseStatus, ImportSource};
use crate::store::{Assessment, NewResponse};

/// Words between spaces; as many men as women.
const WOMEN: &str =
    "Анна Мария Ольга Елена Наталья Ирина Татьяна Светлана Юлия Екатерина Дарья Алина";
const MEN: &str =
    "Иван Сергей Дмитрий Алексей Андрей Михаил Павел Николай Борис Кирилл Роман Тимур";
/// Surnames of men; women's have an `а` more.
const SURNAMES: &str = "Петров Смирнов Кузнецов Волков Соколов Морозов Новиков Лебедев Козлов Егоров Павлов \
     Семёнов Голубев Виноградов Богданов Воробьёв Фёдоров Михайлов Беляев Тарасов Белов \
     Комаров Орлов Киселёв Макаров";
const OTHER_SKILLS: &str = "Figma SEO Photoshop WordPress Tilda Vue Docker Python";
const LETTERS: [&str; 6] = [
    "Здравствуйте! Внимательно прочитал задание, готов начать сразу. Делал похожие проекты, примеры в портфолио.",
    "Добрый день. Работаю аккуратно и в срок, на связи каждый день. Готов обсудить детали.",
    "Здравствуйте! Есть вопросы по макету, но в целом задача понятная. Предлагаю разбить на два этапа.",
    "Сделаю качественно. Пять лет опыта, больше сорока завершённых заказов.",
    "Добрый день! Могу начать на этой неделе. Правки в стоимость входят.",
    "Приветствую. Беру на себя и вёрстку, и публикацию, исходники отдаю.",
];

/// A small generator with a fixed seed; not for anything that must not be guessed.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, most: u64) -> u64 {
        self.next() % most.max(1)
    }

    fn one_in(&mut self, chances: u64) -> bool {
        self.below(chances) == 0
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        let at = usize::try_from(self.below(of.len() as u64)).unwrap_or_default();
        of.get(at).copied().unwrap_or_default()
    }

    fn number(&mut self, most: u64) -> i64 {
        i64::try_from(self.below(most)).unwrap_or_default()
    }
}

pub(super) fn responses(
    people: usize,
    seed: u64,
    wanted: &GigRequirements,
    budget: (Option<i64>, Option<i64>),
    now: DateTime<Utc>,
) -> Vec<NewResponse> {
    let mut dice = Dice(seed);
    (0..people)
        .map(|number| response(number, &mut dice, wanted, budget, now))
        .collect()
}

fn words(list: &'static str) -> Vec<&'static str> {
    list.split(' ').collect()
}

/// Every pair of names is another one, up to 300 people.
fn name(number: usize) -> String {
    let pair = number / 2;
    let surnames = words(SURNAMES);
    let surname = surnames[pair % surnames.len()];
    let (women, men) = (words(WOMEN), words(MEN));
    let first = (pair / surnames.len() + pair) % women.len();
    if number.is_multiple_of(2) {
        format!("{} {surname}а", women[first])
    } else {
        format!("{} {surname}", men[first])
    }
}

fn response(
    number: usize,
    dice: &mut Dice,
    wanted: &GigRequirements,
    (least, most): (Option<i64>, Option<i64>),
    now: DateTime<Utc>,
) -> NewResponse {
    let (least, most) = (least.unwrap_or(10_000), most.unwrap_or(50_000));
    let spread = u64::try_from((most - least) * 14 / 10).unwrap_or(10_000);
    let price = (least * 8 / 10 + dice.number(spread)) / 500 * 500;
    let mut skills: Vec<String> = wanted
        .required_skills
        .iter()
        .chain(&wanted.nice_to_have_skills)
        .filter(|_| !dice.one_in(3))
        .cloned()
        .collect();
    for _ in 0..dice.below(3) {
        let more = dice.pick(&words(OTHER_SKILLS)).to_owned();
        if !skills.contains(&more) {
            skills.push(more);
        }
    }
    let status = match dice.below(10) {
        0..=3 => GigResponseStatus::New,
        4..=6 => GigResponseStatus::Evaluated,
        7 => GigResponseStatus::Interview,
        8 => GigResponseStatus::Negotiation,
        _ => GigResponseStatus::Skipped,
    };
    let screened = status != GigResponseStatus::New;
    let interviewed = matches!(
        status,
        GigResponseStatus::Interview | GigResponseStatus::Negotiation
    );
    let of_hundred = 35 + dice.number(61);
    NewResponse {
        candidate_id: format!("kwork-{:05}", 10_000 + number),
        candidate_name: Some(name(number)),
        profile_url: Some(format!("https://example.com/u/{}", 10_000 + number)),
        telegram_username: Some(format!("@demo{number}")),
        phone: Some(format!(
            "+7 900 000-{:02}-{:02}",
            number / 100,
            number % 100
        )),
        email: Some(format!("candidate{number}@example.com")),
        resume_language: Some("ru".to_owned()),
        proposed_price: (!dice.one_in(12)).then_some(price),
        proposed_currency: None,
        proposed_delivery_days: (!dice.one_in(10)).then(|| 4 + dice.number(32)),
        cover_letter: Some(dice.pick(&LETTERS).to_owned()),
        portfolio_links: vec![format!("https://example.com/portfolio/{number}")],
        experience: Some(format!(
            "Опыт {}, {} завершённых заказов",
            years(1 + dice.number(9)),
            3 + dice.number(60)
        )),
        skills: Some(skills),
        rating: Some(format!("{}.{}", 3 + dice.below(2), dice.below(10))),
        status: Some(status),
        hr_selection_status: dice
            .one_in(15)
            .then_some(GigHrSelectionStatus::NotRecommended),
        import_source: Some(ImportSource::Kwork),
        responded_at: Some(now - TimeDelta::hours(1 + dice.number(200))),
        experience_score: Some(float(30 + dice.number(71))),
        screening: screened.then(|| Assessment {
            score: Some(float(of_hundred) / 20.0),
            detailed: Some(float(of_hundred)),
            analysis: Some("Отклик соответствует заданию, вопросы по существу.".to_owned()),
        }),
        interview: interviewed.then(|| Assessment {
            score: Some(float(40 + dice.number(60))),
            detailed: None,
            analysis: Some("Отвечает уверенно, понимает сроки и объём.".to_owned()),
        }),
    }
}

fn years(count: i64) -> String {
    match count {
        1 => "1 год".to_owned(),
        2..=4 => format!("{count} года"),
        _ => format!("{count} лет"),
    }
}

/// Scores are far below what a float holds exactly.
fn float(number: i64) -> f64 {
    number as f64
}

//! Which language a question is in, and how days are counted in each.

use super::Language;

#[test]
fn a_question_is_answered_in_its_own_language() {
    for (text, language) in [
        ("Кто лучший кандидат?", Language::Russian),
        ("Кто знает React и TypeScript?", Language::Russian),
        ("Who is the best candidate?", Language::English),
        (
            "Compare Иван and the cheapest one please",
            Language::English,
        ),
        ("", Language::Russian),
        ("42?", Language::Russian),
        (
            "Compare Елена Волкова and Андрей Соколов",
            Language::English,
        ),
        ("Invite Елена Волкова to an interview", Language::English),
        ("Compare Елена Волкова", Language::English),
        ("Сравни Елену Волкову и John Smith", Language::Russian),
        ("кто знает css и html", Language::Russian),
    ] {
        assert_eq!(Language::of(text), language, "{text}");
    }
}

#[test]
fn days_are_counted_as_people_do() {
    let russian: Vec<String> = [1, 2, 5, 11, 12, 21, 22, 111, 0]
        .map(|count| Language::Russian.days(count))
        .to_vec();
    assert_eq!(
        russian,
        [
            "1 день",
            "2 дня",
            "5 дней",
            "11 дней",
            "12 дней",
            "21 день",
            "22 дня",
            "111 дней",
            "0 дней"
        ]
    );
    assert_eq!(Language::English.days(1), "1 day");
    assert_eq!(Language::English.days(5), "5 days");
}

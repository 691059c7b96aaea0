//! Which language a question is in, and how days are counted in each.

use super::Tongue;

#[test]
fn a_question_is_answered_in_its_own_language() {
    for (text, tongue) in [
        ("Кто лучший кандидат?", Tongue::Russian),
        ("Кто знает React и TypeScript?", Tongue::Russian),
        ("Who is the best candidate?", Tongue::English),
        ("Compare Иван and the cheapest one please", Tongue::English),
        ("", Tongue::Russian),
        ("42?", Tongue::Russian),
        ("Compare Елена Волкова and Андрей Соколов", Tongue::English),
        ("Invite Елена Волкова to an interview", Tongue::English),
        ("Compare Елена Волкова", Tongue::English),
        ("Сравни Елену Волкову и John Smith", Tongue::Russian),
        ("кто знает css и html", Tongue::Russian),
    ] {
        assert_eq!(Tongue::of(text), tongue, "{text}");
    }
}

#[test]
fn days_are_counted_as_people_do() {
    let russian: Vec<String> = [1, 2, 5, 11, 12, 21, 22, 111, 0]
        .map(|count| Tongue::Russian.days(count))
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
    assert_eq!(Tongue::English.days(1), "1 day");
    assert_eq!(Tongue::English.days(5), "5 days");
}

//! Names as people write them, and names that are somebody else's.

use super::*;

#[test]
fn a_name_is_known_in_every_case_and_in_latin_letters() {
    for (asked, name) in [
        ("Анну Петрову", "Анна Петрова"),
        ("Сергея Волкова", "Сергей Волков"),
        ("Sergey Volkov", "Сергей Волков"),
        ("Olga", "Ольга Смирнова"),
        ("Петру", "Пётр Кузнецов"),
        ("Смирновой", "Ольга Смирнова"),
        ("Артёмом", "Артём Белов"),
        ("с Сергеем".trim_start_matches("с "), "Сергей Волков"),
        ("Кузнецву", "Пётр Кузнецов"),
    ] {
        assert!(
            Likeness::of(asked, name).is_meant(),
            "{asked} / {name}: {:?}",
            Likeness::of(asked, name)
        );
    }
}

#[test]
fn another_name_is_another_person() {
    for (asked, name) in [
        ("Анна Смирнова", "Инна Смирнова"),
        ("Ольга Волкова", "Олег Волков"),
        ("Иван", "Игорь Петров"),
        ("Марина", "Мария Иванова"),
        ("Алиса", "Алина Белова"),
        ("", "Анна"),
        ("Зигмунд", "Анна Петрова"),
    ] {
        assert!(!Likeness::of(asked, name).is_meant(), "{asked} / {name}");
    }
    assert!(Likeness::of("Анна Смирнова", "Инна Смирнова").is_near());
}

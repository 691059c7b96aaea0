//! The formula: worked examples, missing facts, and the direction in which each input moves the result.

use proptest::prelude::*;

use super::super::catalogue::{Robot, built_in, named};
use super::super::discovery::{Discovery, FactDraft, LaborRate, checked};
use super::super::keys::Key;
use super::super::span::Span;
use super::{Confidence, Edits, Estimate, InputName, Inputs, Missing, Source, estimate};

fn robot(name: &str) -> Robot {
    named(&built_in().unwrap(), name).unwrap().clone()
}

fn knowing(facts: &[(Key, &str)]) -> Discovery {
    let mut discovery = Discovery::default();
    for (key, value) in facts {
        let draft = FactDraft {
            key: *key,
            value: (*value).to_owned(),
            quote: format!("we said {value}"),
            confidence: Confidence::High,
        };
        discovery.take(draft, chrono::DateTime::UNIX_EPOCH, None);
    }
    discovery
}

fn shop() -> Discovery {
    knowing(&[(Key::Sqft, "1,000 m²"), (Key::Method, "Scrub")])
}

fn with(known: &Discovery, edits: Edits) -> Inputs {
    Inputs::of(known, &edits).unwrap()
}

fn spending(spend: f64) -> Edits {
    Edits {
        manual_monthly_spend: Some(spend),
        ..Edits::default()
    }
}

fn net(name: &str, inputs: &Inputs) -> f64 {
    let found = estimate(&robot(name), inputs).estimated_monthly_savings;
    assert!(!found.is_range(), "{found:?}");
    found.low
}

fn of(name: &str, known: &Discovery) -> Estimate {
    estimate(&robot(name), &with(known, Edits::default()))
}

#[test]
fn a_cc1_at_3500_dollars_saves_1645_a_month() {
    let found = estimate(&robot("Pudu CC1"), &with(&shop(), spending(3500.0)));
    assert_eq!(found.gross_monthly_savings, Span::exact(2800.0));
    assert_eq!(found.robot_monthly_cost, Span::exact(1155.0));
    assert_eq!(found.estimated_monthly_savings, Span::exact(1645.0));
    assert_eq!(found.estimated_yearly_savings, Span::exact(19_740.0));
    assert_eq!(found.remaining_monthly_cost, Span::exact(700.0));
    assert_eq!(found.purchase.payback.in_words(), "8 months");
    assert_eq!(found.roi_percent, Span::exact(142.4));
    let steps: Vec<String> = found
        .derivation
        .iter()
        .map(|step| format!("{}: {} = {}", step.name.label(), step.formula, step.result))
        .collect();
    assert_eq!(
        steps,
        [
            "Hours a month: $3,500 ÷ $25 = 140 h",
            "Cleaning today: $3,500 = $3,500",
            "Work taken over: 100 % × 100 % × 80 % × 100 % = 80 %",
            "Saved work: $3,500 × 80 % = $2,800",
            "Work that remains: $3,500 − $2,800 = $700",
            "Robots needed: 1,000 m² × 1 ÷ 3,500 m² = 1",
            "Robots on lease: 1 × $1,100 × 105 % = $1,155",
            "Net a month on lease: $2,800 − $1,155 = $1,645",
            "Payback if bought: $22,000 ÷ $2,745 = 8 months",
        ]
    );
}

#[test]
fn a_neo_at_1500_dollars_loses_and_says_so() {
    let found = estimate(&robot("Avidbots Neo 2W"), &with(&shop(), spending(1500.0)));
    assert_eq!(found.estimated_monthly_savings, Span::exact(-2400.0));
    assert_eq!(
        found.verdict(),
        "Leased, the Avidbots Neo 2W would cost $2,400 a month more than saved; bought, it would pay back in 63.6 months."
    );
}

#[test]
fn too_few_facts_give_no_figure_and_are_named() {
    for (facts, missing) in [
        (&[][..], vec![Key::Sqft, Key::Method]),
        (
            &[(Key::MonthlySpend, "$3,500")],
            vec![Key::Sqft, Key::Method],
        ),
        (&[(Key::Sqft, "500 m²")], vec![Key::Method]),
        (
            &[(Key::CompanyType, "Tennis Club"), (Key::Method, "Other")],
            vec![Key::CourtsCount, Key::Method],
        ),
        (
            &[(Key::CompanyType, "Hospital"), (Key::Method, "Mop")],
            vec![Key::Sqft],
        ),
    ] {
        assert_eq!(
            Inputs::of(&knowing(facts), &Edits::default()),
            Err(Missing(missing))
        );
    }
}

#[test]
fn labour_cost_comes_from_spend_or_from_hours_and_rate_never_both() {
    let known = knowing(&[
        (Key::Sqft, "1,000 m²"),
        (Key::Method, "Scrub"),
        (Key::Duration, "3 hours a day"),
        (Key::MonthlySpend, "$6,800"),
    ]);
    // 90 hours at a rate that follows from the spend: freed hours and money agree.
    let found = of("Pudu CC1", &known);
    assert_eq!(found.current_monthly_cost, Span::exact(6800.0));
    assert_eq!(found.hours_saved_monthly, Span::exact(72.0));
    assert_eq!(found.gross_monthly_savings, Span::exact(5440.0));
    let names = |found: &Estimate| {
        found
            .inputs
            .iter()
            .map(|input| input.name)
            .collect::<Vec<_>>()
    };
    assert!(!names(&found).contains(&InputName::LaborRate));
    let rate = Edits {
        labor_rate: Some(32.0),
        ..Edits::default()
    };
    let found = estimate(&robot("Pudu CC1"), &with(&known, rate));
    assert_eq!(found.current_monthly_cost, Span::exact(2880.0));
    assert!(!names(&found).contains(&InputName::MonthlySpend));
}

#[test]
fn without_hours_or_spend_the_hours_follow_from_the_area() {
    let found = of(
        "Avidbots Kas",
        &knowing(&[
            (Key::Sqft, "1,200 m²"),
            (Key::Method, "Scrub, Mop"),
            (Key::Frequency, "twice a week"),
        ]),
    );
    // 1,200 m² × 8.67 × (1/800 + 1/300) h at $25; the Kas cannot mop.
    assert_eq!(found.current_monthly_hours, Span::exact(47.67));
    assert_eq!(found.current_monthly_cost, Span::exact(1191.67));
    assert_eq!(
        (found.share, found.cannot.as_slice()),
        (0.4, &["mop".to_owned()][..])
    );
    assert_eq!(found.confidence, Confidence::Low);
}

#[test]
fn a_robot_without_the_mode_or_for_other_floors_saves_nothing() {
    let scrubbed = with(&shop(), spending(9200.0));
    let vacuum = estimate(&robot("Keenon Kleenbot C30"), &scrubbed);
    assert_eq!(vacuum.gross_monthly_savings, Span::exact(0.0));
    assert_eq!(vacuum.estimated_monthly_savings, Span::exact(-630.0));
    assert_eq!(
        vacuum.verdict(),
        "The Keenon Kleenbot C30 cannot scrub, so it saves nothing here and would cost $630 a month."
    );
    let carpet = knowing(&[
        (Key::Sqft, "900 m²"),
        (Key::Method, "Scrub"),
        (Key::Surfaces, "carpet"),
    ]);
    let scrubber = estimate(&robot("Tennant T7AMR"), &with(&carpet, spending(9200.0)));
    assert_eq!(
        (scrubber.share, scrubber.cannot.as_slice()),
        (0.0, &["clean carpet".to_owned()][..])
    );
}

#[test]
fn too_large_a_floor_needs_more_robots_and_their_cost_counts() {
    let known = knowing(&[
        (Key::Sqft, "2,000,000 sq ft"),
        (Key::Method, "Scrub"),
        (Key::Surfaces, "concrete"),
    ]);
    let found = estimate(&robot("Avidbots Neo 2W"), &with(&known, spending(9200.0)));
    // 185,806 m² at 2,600 m²/h for 3.5 h on a charge.
    assert_eq!(found.robots_needed, 21);
    assert_eq!(found.robot_monthly_cost, Span::exact(21.0 * 3675.0));
    assert!(
        found
            .verdict()
            .starts_with("One Avidbots Neo 2W has not enough capacity: 21 are needed.")
    );
    let window = Edits {
        window_hours: Some(1.0),
        ..spending(9200.0)
    };
    assert_eq!(
        estimate(&robot("Avidbots Neo 2W"), &with(&known, window)).robots_needed,
        72
    );
}

#[test]
fn a_floor_that_robots_just_clean_needs_no_more_of_them() {
    // 12,000 m² at 500 m²/h for 3 h; the area is kept in the unit that was stated.
    let area = checked(Key::Sqft, "12000 m2").unwrap();
    let known = knowing(&[(Key::Sqft, &area), (Key::Method, "Scrub")]);
    assert_eq!(of("Avidbots Kas", &known).robots_needed, 8);
}

#[test]
fn a_range_stays_a_range() {
    let known = knowing(&[
        (Key::Sqft, "1,000 m²"),
        (Key::Method, "Scrub"),
        (Key::MonthlySpend, "<$2,000"),
    ]);
    let found = of("Pudu CC1", &known);
    assert_eq!(found.current_monthly_cost, Span::between(0.0, 2000.0));
    assert_eq!(
        found.estimated_monthly_savings,
        Span::between(-1155.0, 445.0)
    );
    assert_eq!(
        found.purchase.payback.in_words(),
        "14.2 months at best, or never"
    );
    assert!(
        found
            .verdict()
            .contains("anything from costing $1,155 to saving $445 a month"),
        "{}",
        found.verdict()
    );
    let found = of(
        "Pudu CC1",
        &knowing(&[
            (Key::Sqft, "3,000 to 4,000 m²"),
            (Key::Method, "Scrub"),
            (Key::MonthlySpend, "$9,000"),
        ]),
    );
    assert_eq!(
        (found.robots_needed, found.robot_monthly_cost),
        (2, Span::between(1155.0, 2310.0))
    );
}

#[test]
fn every_assumption_lowers_the_confidence_and_every_value_has_a_source() {
    let mut facts = vec![(Key::Sqft, "1,000 m²"), (Key::Method, "Scrub")];
    let level = |facts: &[(Key, &str)], edits: Edits| {
        let found = estimate(&robot("Pudu CC1"), &with(&knowing(facts), edits));
        let assumed = found
            .inputs
            .iter()
            .filter(|input| input.source == Source::Default);
        (assumed.count(), found.confidence)
    };
    assert_eq!(level(&facts, Edits::default()), (6, Confidence::Low));
    facts.extend([
        (Key::MonthlySpend, "$3,500"),
        (Key::Duration, "60 hours a month"),
    ]);
    assert_eq!(level(&facts, Edits::default()), (3, Confidence::Medium));
    facts.push((Key::Surfaces, "tile"));
    let sure = Edits {
        utilization: Some(0.9),
        maintenance_factor: Some(0.05),
        ..Edits::default()
    };
    assert_eq!(level(&facts, sure), (0, Confidence::High));
}

proptest! {
    #[test]
    fn more_spend_saves_more(spend in 0.0..50_000.0_f64, more in 1.0..10_000.0_f64) {
        let at = |spend| net("Pudu CC1", &with(&shop(), spending(spend)));
        prop_assert!(at(spend + more) > at(spend));
    }

    #[test]
    fn more_hours_and_a_higher_rate_save_more(hours in 1.0..2_000.0_f64, rate in 5.0..200.0_f64, factor in 1.1..3.0_f64) {
        let at = |hours, rate| {
            let edits = Edits { manual_monthly_hours: Some(hours), labor_rate: Some(rate), ..Edits::default() };
            net("Pudu CC1", &with(&shop(), edits))
        };
        prop_assert!(at(hours * factor, rate) > at(hours, rate));
        prop_assert!(at(hours, rate * factor) > at(hours, rate));
    }

    #[test]
    fn a_larger_area_is_more_work_and_needs_no_fewer_robots(area in 10.0..100_000.0_f64, factor in 1.1..5.0_f64) {
        let at = |area| Edits { area_m2: Some(area), ..Edits::default() };
        let (small, large) = (with(&shop(), at(area)), with(&shop(), at(area * factor)));
        let of = |inputs: &Inputs| estimate(&robot("Pudu CC1"), inputs);
        prop_assert!(of(&large).current_monthly_cost.low > of(&small).current_monthly_cost.low);
        prop_assert!(of(&large).robots_needed >= of(&small).robots_needed);
        // With a stated spend a larger floor can only cost more robots.
        let spent = |area| with(&shop(), Edits { area_m2: Some(area), ..spending(9_000.0) });
        prop_assert!(net("Pudu CC1", &spent(area * factor)) <= net("Pudu CC1", &spent(area)));
        prop_assert!(net("Pudu CC1", &spent(100_000.0)) < net("Pudu CC1", &spent(10.0)));
    }

    #[test]
    fn a_stated_value_counts_as_a_changed_one_does(hours in 1_u32..12, more in 1_u32..12, rate in 10_u32..60) {
        let said = |facts: &[(Key, String)]| {
            let mut all = vec![(Key::Sqft, "1,000 m²"), (Key::Method, "Scrub")];
            all.extend(facts.iter().map(|(key, value)| (*key, value.as_str())));
            knowing(&all)
        };
        let working = |hours: u32, rate: u32| {
            let mut known = said(&[(Key::Duration, format!("{hours} hours a day"))]);
            known.labor_rate = Some(LaborRate { dollars_an_hour: rate.into(), quote: String::new(), said_by: None });
            net("Pudu CC1", &with(&known, Edits::default()))
        };
        prop_assert!(working(hours + more, rate) > working(hours, rate));
        prop_assert!(working(hours, rate + more) > working(hours, rate));
        let edits = Edits { manual_monthly_hours: Some(f64::from(hours * 30)), labor_rate: Some(rate.into()), ..Edits::default() };
        prop_assert_eq!(working(hours, rate), net("Pudu CC1", &with(&shop(), edits)));
        let spent = |spend: u32| of("Pudu CC1", &said(&[(Key::MonthlySpend, format!("${spend}"))])).estimated_monthly_savings;
        prop_assert!(spent(500 * (hours + more)).low > spent(500 * hours).low);
        let floor = |area: u32| of("Pudu CC1", &knowing(&[(Key::Sqft, &format!("{area} m²")), (Key::Method, "Scrub")]));
        prop_assert!(floor(900 * (hours + more)).current_monthly_cost.low > floor(900 * hours).current_monthly_cost.low);
        prop_assert!(floor(900 * (hours + more)).robots_needed >= floor(900 * hours).robots_needed);
    }

    #[test]
    fn an_edit_of_a_fifth_is_the_row_of_the_sensitivity_table(rate in 5.0..200.0_f64, hours in 1.0..2_000.0_f64) {
        let at = |rate| with(&shop(), Edits { labor_rate: Some(rate), manual_monthly_hours: Some(hours), ..Edits::default() });
        let found = estimate(&robot("Pudu CC1"), &at(rate));
        let row = found.sensitivity.iter().find(|one| one.name == InputName::LaborRate && one.change_percent > 0.0).unwrap();
        prop_assert!((row.estimated_monthly_savings.low - net("Pudu CC1", &at(rate * 1.2))).abs() < 0.02);
    }

    #[test]
    fn bounds_are_in_order(low in 0.0..20_000.0_f64, width in 0.0..20_000.0_f64, which in 0_usize..11) {
        let known = knowing(&[(Key::Sqft, "800 m²"), (Key::Method, "Vacuum, Mop"), (Key::MonthlySpend, &format!("${low:.0} to ${:.0}", low + width))]);
        let found = estimate(&built_in().unwrap()[which], &with(&known, Edits::default()));
        for span in [found.estimated_monthly_savings, found.robot_monthly_cost, found.purchase.price, found.hours_saved_monthly] {
            prop_assert!(span.low <= span.high && span.low.is_finite() && span.high.is_finite());
        }
    }
}

#[test]
fn values_of_a_month_come_from_phrases_about_a_month() {
    let hours = |said| {
        let edits = Edits {
            manual_monthly_hours: Some(6.0),
            ..Edits::default()
        };
        edits.check_units(said)
    };
    assert!(
        hours("what if it takes 6 hours")
            .unwrap_err()
            .1
            .contains("180 hours")
    );
    assert!(hours("what if it takes 6 hours a week").is_err());
    assert!(hours("what if we only need it 6x a week").is_err());
    assert!(hours("what if it takes 6 hours a month").is_ok());
    let spend = |said| {
        let edits = Edits {
            manual_monthly_spend: Some(900.0),
            ..Edits::default()
        };
        edits.check_units(said)
    };
    assert!(spend("what if we pay $900 a week").is_err());
    assert!(spend("what if we mop 900 m2").is_err());
    assert!(spend("what if we pay $900 from next year on, a month").is_ok());
    assert!(spend("what if it costs 900").is_ok());
}

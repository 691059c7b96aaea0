//! The robots of the catalogue and the filters over them.

use super::{Filter, Mode, Robot, Surface, built_in, mentioned, named};

fn robots() -> Vec<Robot> {
    built_in().unwrap()
}

/// Name, category, most m²/h, aisle, lease, price, efficiency.
type CatalogueRow = (&'static str, &'static str, u32, u32, f64, f64, f64);

#[rustfmt::skip]
const ROWS: [CatalogueRow; 11] = [
    ("Pudu CC1 Pro", "Premium Scrubber", 1000, 70, 1200.0, 24000.0, 0.80),
    ("Pudu CC1", "Multi-Function Scrubber", 1000, 70, 1100.0, 22000.0, 0.80),
    ("Pudu MT1 Vac", "Industrial Vacuum", 1400, 75, 1050.0, 21000.0, 0.80),
    ("Avidbots Neo 2W", "Enterprise Scrubber", 2600, 150, 3500.0, 70000.0, 0.85),
    ("Avidbots Kas", "Compact Scrubber", 1000, 100, 2000.0, 40000.0, 0.80),
    ("Tennant T7AMR", "Large Retail Scrubber", 2000, 90, 3000.0, 60000.0, 0.80),
    ("Tennant T380AMR", "Mid-Size Scrubber", 3106, 75, 2000.0, 40000.0, 0.80),
    ("Gausium Phantas", "All-in-One", 700, 52, 1620.0, 32405.0, 0.60),
    ("Gausium Vacuum 40", "Office Vacuum", 500, 60, 1000.0, 20000.0, 0.30),
    ("Keenon Kleenbot C40", "Compact Multi-Function", 1100, 65, 875.0, 17500.0, 0.80),
    ("Keenon Kleenbot C30", "Budget Vacuum", 600, 65, 600.0, 12000.0, 0.80),
];

#[test]
fn the_catalogue_has_the_eleven_robots() {
    let robots = robots();
    assert_eq!(robots.len(), ROWS.len());
    for (robot, (name, category, area, aisle, lease, price, efficiency)) in robots.iter().zip(ROWS)
    {
        assert_eq!(
            (robot.name.as_str(), robot.category.as_str()),
            (name, category)
        );
        assert_eq!((robot.area_m2_h.1, robot.aisle_cm), (area, aisle), "{name}");
        assert_eq!(
            (
                robot.monthly_lease,
                robot.purchase_price,
                robot.time_efficiency
            ),
            (lease, price, efficiency),
            "{name}"
        );
    }
}

#[test]
fn robots_are_told_apart_by_what_they_can_do() {
    let with = |filter: Filter| {
        robots()
            .into_iter()
            .filter(|robot| filter.admits(robot))
            .map(|robot| robot.name)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        with(Filter {
            surface: Some(Surface::Wood),
            ..Filter::default()
        }),
        ["Pudu MT1 Vac", "Gausium Phantas", "Keenon Kleenbot C30"]
    );
    assert_eq!(
        with(Filter {
            mode: Some(Mode::Mop),
            max_monthly_lease: Some(1000.0),
            ..Filter::default()
        }),
        ["Keenon Kleenbot C40"]
    );
    assert_eq!(
        with(Filter {
            aisle_width_cm: Some(60.0),
            ..Filter::default()
        }),
        ["Gausium Phantas", "Gausium Vacuum 40"]
    );
    assert_eq!(
        with(Filter {
            max_monthly_lease: Some(500.0),
            ..Filter::default()
        }),
        Vec::<String>::new()
    );
    assert_eq!(
        with(Filter {
            category: Some("all-in-one".into()),
            ..Filter::default()
        }),
        ["Gausium Phantas"]
    );
    assert!(
        Filter {
            aisle_width_cm: Some(-3.0),
            ..Filter::default()
        }
        .check()
        .is_err()
    );
    assert!(
        Filter {
            max_monthly_lease: Some(f64::NAN),
            ..Filter::default()
        }
        .check()
        .is_err()
    );
}

#[test]
fn a_robot_is_found_however_its_name_is_written() {
    let robots = robots();
    let find = |name: &str| named(&robots, name).map(|robot| robot.sku.clone());
    assert_eq!(find("Pudu CC1"), Ok("pudu-cc1".into()));
    assert_eq!(find("pudu cc1 PRO"), Ok("pudu-cc1-pro".into()));
    assert_eq!(find("CC1"), Ok("pudu-cc1".into()));
    assert_eq!(find("phantas"), Ok("gausium-phantas".into()));
    assert_eq!(
        find("keenon-kleenbot-c30"),
        Ok("keenon-kleenbot-c30".into())
    );
    assert_eq!(find("Roomba"), Err(Vec::new()));
    assert_eq!(
        find("Kleenbot"),
        Err(vec![
            "Keenon Kleenbot C40".into(),
            "Keenon Kleenbot C30".into()
        ])
    );
    assert_eq!(find(""), Err(Vec::new()));
}

#[test]
fn a_robot_that_cannot_be_is_refused() {
    let good = robots().remove(0);
    assert_eq!(good.check(), Ok(()));
    let refused = |change: fn(&mut Robot)| {
        let mut robot = good.clone();
        change(&mut robot);
        robot.check().unwrap_err().0
    };
    assert_eq!(refused(|robot| robot.monthly_lease = -1.0), "monthly_lease");
    assert_eq!(
        refused(|robot| robot.purchase_price = f64::NAN),
        "purchase_price"
    );
    assert_eq!(
        refused(|robot| robot.time_efficiency = 1.5),
        "time_efficiency"
    );
    assert_eq!(refused(|robot| robot.sku = "../etc".into()), "sku");
    assert_eq!(refused(|robot| robot.name = " ".into()), "name");
    assert_eq!(refused(|robot| robot.modes.clear()), "modes");
    assert_eq!(refused(|robot| robot.area_m2_h = (9, 3)), "area_m2_h");
}

#[test]
fn a_page_says_that_its_prices_are_indicative() {
    for robot in robots() {
        let page = robot.page();
        assert!(
            page.contains("Indicative lease") && page.contains("indicative price"),
            "{page}"
        );
    }
}

#[test]
fn a_message_names_robots_by_model_or_maker() {
    let robots = robots();
    for (message, names) in [
        (
            "what's the payback on a gausium",
            vec!["Gausium Phantas", "Gausium Vacuum 40"],
        ),
        ("no I meant the vacuum 40", vec!["Gausium Vacuum 40"]),
        ("Pudu CC1 or the kas?", vec!["Pudu CC1", "Avidbots Kas"]),
        (
            "compare the CC1 Pro with the tennant t7",
            vec!["Pudu CC1 Pro", "Tennant T7AMR"],
        ),
        ("a vacuum for 40 a month", vec![]),
        ("does a robot pay off?", vec![]),
    ] {
        let found: Vec<&str> = mentioned(&robots, message)
            .iter()
            .map(|robot| robot.name.as_str())
            .collect();
        assert_eq!(found, names, "{message}");
    }
}

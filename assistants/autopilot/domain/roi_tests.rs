//! The calculation: the worked examples, and what more spend or a dearer lease does to it.

use proptest::prelude::*;

use super::super::catalogue::{Robot, built_in, named};
use super::super::discovery::Profile;
use super::{Assumed, Assumptions, Confidence, Edits, Estimate, estimate};

fn robot(name: &str) -> Robot {
    named(&built_in().unwrap(), name).unwrap().clone()
}

fn spending(spend: f64) -> Assumptions {
    let edits = Edits {
        manual_monthly_spend: Some(spend),
        manual_monthly_hours: Some(60.0),
        ..Edits::default()
    };
    Assumptions::of(&Profile::default(), &edits)
}

fn of(name: &str, spend: f64) -> Estimate {
    estimate(&robot(name), &spending(spend))
}

#[test]
fn worked_example_a_cc1_at_3500_pays_off() {
    let found = of("Pudu CC1", 3500.0);
    assert_eq!(found.gross_monthly_savings, 2800.0);
    assert_eq!(found.robot_monthly_cost, 1155.0);
    assert_eq!(found.estimated_monthly_savings, 1645.0);
    assert_eq!(found.estimated_yearly_savings, 19_740.0);
    assert_eq!(found.purchase.monthly_savings, 2745.0);
    assert_eq!(found.payback_months, Some(8.0));
    assert_eq!(found.roi_percent, 142.4);
    assert_eq!(
        (found.current_monthly_hours, found.hours_saved_monthly),
        (60.0, 48.0)
    );
    assert!(
        found.verdict().contains("would save $1,645 a month"),
        "{}",
        found.verdict()
    );
}

#[test]
fn worked_example_a_neo_at_1500_loses_and_says_so() {
    let found = of("Avidbots Neo 2W", 1500.0);
    assert_eq!(found.gross_monthly_savings, 1275.0);
    assert_eq!(found.robot_monthly_cost, 3675.0);
    assert_eq!(found.estimated_monthly_savings, -2400.0);
    assert!(found.roi_percent < 0.0);
    assert!(
        found
            .verdict()
            .contains("would cost $2,400 a month more than it saves"),
        "{}",
        found.verdict()
    );
}

#[test]
fn what_never_pays_back_says_so() {
    let found = of("Avidbots Neo 2W", 100.0);
    assert_eq!(
        (found.payback_months, found.purchase.payback.as_str()),
        (None, "does not pay back")
    );
    assert!(found.verdict().ends_with("it does not pay back"));
    assert!(
        found
            .chart
            .iter()
            .all(|point| point.lease <= 0.0 && point.purchase < 0.0)
    );
}

#[test]
fn confidence_depends_on_what_was_said() {
    assert_eq!(of("Pudu CC1", 3500.0).confidence, Confidence::High);
    assert_eq!(of("Pudu CC1", 0.0).confidence, Confidence::Low);
    let nothing_said = Assumptions::of(&Profile::default(), &Edits::default());
    assert_eq!(
        nothing_said.assumed,
        [Assumed::ManualMonthlySpend, Assumed::ManualMonthlyHours]
    );
    assert_eq!(
        (
            nothing_said.manual_monthly_spend,
            nothing_said.manual_monthly_hours
        ),
        (4330.0, 60.0)
    );
    let found = estimate(&robot("Pudu CC1"), &nothing_said);
    assert_eq!(found.confidence, Confidence::Medium);
    assert!(
        found.factors_considered[0].contains("assumed, not said"),
        "{:?}",
        found.factors_considered
    );
    assert_eq!(
        found.factors_considered.len(),
        7,
        "every assumption is listed"
    );
}

#[test]
fn utilisation_and_labour_rate_are_moved_by_a_fifth() {
    let found = of("Pudu CC1", 3500.0);
    let moved: Vec<(&str, f64, f64)> = found
        .sensitivity
        .iter()
        .map(|variant| {
            (
                variant.assumption.as_str(),
                variant.change_percent,
                variant.estimated_monthly_savings,
            )
        })
        .collect();
    // 60 h at $25 are $1,500 of the $3,500; a fifth of that times 0.8 is $240.
    assert_eq!(
        moved,
        [
            ("labor_rate", -20.0, 1405.0),
            ("labor_rate", 20.0, 1885.0),
            ("utilization", -20.0, 1085.0),
            ("utilization", 20.0, 1645.0)
        ]
    );
    let half = Assumptions {
        utilization: 0.5,
        ..spending(3500.0)
    };
    let found = estimate(&robot("Pudu CC1"), &half);
    assert_eq!(found.estimated_monthly_savings, 245.0);
    assert_eq!(found.sensitivity[3].value, 0.6);
}

#[test]
fn absurd_assumptions_are_refused() {
    let refused = |edits: Edits| edits.check().unwrap_err().0;
    assert_eq!(
        refused(Edits {
            labor_rate: Some(-1.0),
            ..Edits::default()
        }),
        "labor_rate"
    );
    assert_eq!(
        refused(Edits {
            utilization: Some(1.2),
            ..Edits::default()
        }),
        "utilization"
    );
    assert_eq!(
        refused(Edits {
            manual_monthly_spend: Some(f64::INFINITY),
            ..Edits::default()
        }),
        "manual_monthly_spend"
    );
    assert_eq!(
        refused(Edits {
            manual_monthly_hours: Some(1e9),
            ..Edits::default()
        }),
        "manual_monthly_hours"
    );
    assert_eq!(
        refused(Edits {
            maintenance_factor: Some(f64::NAN),
            ..Edits::default()
        }),
        "maintenance_factor"
    );
    assert_eq!(Edits::default().check(), Ok(()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn more_spend_never_lowers_savings(which in 0_usize..11, spend in 0.0..200_000.0_f64, more in 0.0..200_000.0_f64, utilization in 0.0..=1.0_f64) {
        let robot = &built_in().unwrap()[which];
        let with = |spend| estimate(robot, &Assumptions { utilization, ..spending(spend) });
        let (less, more) = (with(spend), with(spend + more));
        prop_assert!(more.estimated_monthly_savings >= less.estimated_monthly_savings);
        prop_assert!(more.roi_percent >= less.roi_percent);
        let sooner = match (less.payback_months, more.payback_months) {
            (Some(less), Some(more)) => more <= less,
            (Some(_), None) => false,
            (None, Some(_) | None) => true,
        };
        prop_assert!(sooner);
    }

    #[test]
    fn a_costlier_lease_never_raises_savings(which in 0_usize..11, spend in 0.0..200_000.0_f64, lease in 1.0..20_000.0_f64, more in 0.0..20_000.0_f64, maintenance in 0.0..=1.0_f64) {
        let at = |lease| {
            let robot = Robot { monthly_lease: lease, ..built_in().unwrap()[which].clone() };
            estimate(&robot, &Assumptions { maintenance_factor: maintenance, ..spending(spend) })
        };
        let (cheap, dear) = (at(lease), at(lease + more));
        prop_assert!(dear.estimated_monthly_savings <= cheap.estimated_monthly_savings);
        prop_assert!(dear.purchase.monthly_savings <= cheap.purchase.monthly_savings);
    }

    #[test]
    fn no_robot_is_forced_to_win(which in 0_usize..11, share in 0.0..1.0_f64) {
        let robot = &built_in().unwrap()[which];
        // Below this spending the robot cannot pay for itself.
        let even = robot.monthly_lease * 1.05 / robot.time_efficiency;
        let found = estimate(robot, &spending(even * share * 0.99));
        prop_assert!(found.estimated_monthly_savings < 0.0, "{}", found.verdict());
        prop_assert!(found.roi_percent < 0.0);
        prop_assert!(found.verdict().contains("more than it saves"));
    }

    #[test]
    fn less_use_never_raises_savings(which in 0_usize..11, spend in 0.0..200_000.0_f64, a in 0.0..=1.0_f64, b in 0.0..=1.0_f64) {
        let robot = &built_in().unwrap()[which];
        let with = |utilization| estimate(robot, &Assumptions { utilization, ..spending(spend) }).estimated_monthly_savings;
        prop_assert!(with(a.min(b)) <= with(a.max(b)));
    }
}

//! A chart of letters: what has been saved in all after so many months, with a lease and bought.

use super::super::money::about_dollars;
use super::super::roi::ChartPoint;

const WIDTH: usize = 24;

/// Bars to the right of the line are savings, to the left of it what is still to be earned.
pub(crate) fn bars(chart: &[ChartPoint]) -> String {
    let most = chart
        .iter()
        .flat_map(|point| [point.lease.abs(), point.purchase.abs()])
        .fold(1.0, f64::max);
    let bar = |amount: f64| {
        let length = ((amount.abs() / most) * WIDTH as f64 / 2.0).round() as usize;
        let half = WIDTH / 2;
        if amount < 0.0 {
            format!("{:>half$}|{:<half$}", "░".repeat(length), "")
        } else {
            format!("{:>half$}|{:<half$}", "", "█".repeat(length))
        }
    };
    let mut lines = vec!["Saved in all".to_owned()];
    for point in chart
        .iter()
        .filter(|point| point.month % 12 == 0 && point.month > 0)
    {
        lines.push(format!(
            "{:>2} months leased {} {}",
            point.month,
            bar(point.lease),
            about_dollars(point.lease)
        ));
        lines.push(format!(
            "          bought {} {}",
            bar(point.purchase),
            about_dollars(point.purchase)
        ));
    }
    lines.join("\n")
}

//! The handbook of an invented company, so that there is something to ask from the first
//! minute. A test keeps this list and the folder in step.

/// Each page by its path.
pub(super) const FILES: &[(&str, &str)] = &[
    (
        "company/about-us.md",
        include_str!("handbook/company/about-us.md"),
    ),
    ("it/accounts.md", include_str!("handbook/it/accounts.md")),
    ("it/devices.md", include_str!("handbook/it/devices.md")),
    ("it/help-desk.md", include_str!("handbook/it/help-desk.md")),
    (
        "money/approvals.md",
        include_str!("handbook/money/approvals.md"),
    ),
    (
        "money/expenses.md",
        include_str!("handbook/money/expenses.md"),
    ),
    ("money/travel.md", include_str!("handbook/money/travel.md")),
    (
        "people/conduct.md",
        include_str!("handbook/people/conduct.md"),
    ),
    ("people/leave.md", include_str!("handbook/people/leave.md")),
    (
        "people/leaving.md",
        include_str!("handbook/people/leaving.md"),
    ),
    (
        "people/onboarding.md",
        include_str!("handbook/people/onboarding.md"),
    ),
    (
        "people/pay-and-benefits.md",
        include_str!("handbook/people/pay-and-benefits.md"),
    ),
    (
        "people/training.md",
        include_str!("handbook/people/training.md"),
    ),
    (
        "people/working-hours.md",
        include_str!("handbook/people/working-hours.md"),
    ),
    (
        "security/gate-rules.md",
        include_str!("handbook/security/gate-rules.md"),
    ),
    (
        "security/information-security.md",
        include_str!("handbook/security/information-security.md"),
    ),
    (
        "site/health-and-safety.md",
        include_str!("handbook/site/health-and-safety.md"),
    ),
    ("site/office.md", include_str!("handbook/site/office.md")),
];

//! The 26 questions of discovery in five groups, each with its label and the answers that are offered.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A group of questions.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[schemars(rename = "DiscoveryGroup")]
pub(crate) enum Group {
    Company,
    Facility,
    Operations,
    Economics,
    Context,
}

/// The subject of one question.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "DiscoveryKey")]
pub(crate) enum Key {
    CompanyName,
    CompanyType,
    Priorities,
    Stakeholders,
    Background,
    Fnb,
    CourtsCount,
    Surfaces,
    Sqft,
    Lifecycle,
    Method,
    Responsibility,
    Frequency,
    Timing,
    Duration,
    Challenges,
    FailureImpact,
    BudgetExists,
    MonthlySpend,
    OpportunityCost,
    Feedback,
    Confidence,
    PastAttempts,
    IdealTimeline,
    UpcomingEvents,
    BusinessChallenges,
}

/// The fixed texts of a key.
pub(crate) struct About {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) group: Group,
    pub(crate) answer: AnswerForm,
    pub(crate) question: &'static str,
    /// Offered answers; empty where only the person's own words make sense.
    pub(crate) chips: &'static [&'static str],
}

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerForm {
    Name,
    Building,
    Courts,
    Area,
    Floors,
    Methods,
    Hours,
    Dollars,
    /// Words, with an amount in dollars if there is one.
    Budget,
    /// The person's own words.
    Words,
}

const fn about(
    name: &'static str,
    label: &'static str,
    group: Group,
    answer: AnswerForm,
    question: &'static str,
    chips: &'static [&'static str],
) -> About {
    About {
        name,
        label,
        group,
        answer,
        question,
        chips,
    }
}

const YES_NO: &[&str] = &["Yes", "No"];

impl Key {
    #[rustfmt::skip]
    pub(crate) const ALL: [Key; 26] = [
        Key::CompanyName, Key::CompanyType, Key::Priorities, Key::Stakeholders, Key::Background, Key::Fnb,
        Key::CourtsCount, Key::Surfaces, Key::Sqft, Key::Lifecycle, Key::Method, Key::Responsibility,
        Key::Frequency, Key::Timing, Key::Duration, Key::Challenges, Key::FailureImpact, Key::BudgetExists,
        Key::MonthlySpend, Key::OpportunityCost, Key::Feedback, Key::Confidence, Key::PastAttempts, Key::IdealTimeline,
        Key::UpcomingEvents, Key::BusinessChallenges,
    ];

    #[rustfmt::skip]
    pub(crate) const fn about(self) -> About {
        use Group::{Company, Context, Economics, Facility, Operations};
        match self {
            Key::CompanyName => about("company_name", "Company", Company, AnswerForm::Name, "What is your company called?", &[]),
            Key::CompanyType => about("company_type", "Kind of facility", Company, AnswerForm::Building, "What kind of building is it?",
                &["Hospital", "School", "Hotel", "Supermarket", "Office Building", "Warehouse", "Factory", "Airport", "Pickleball Club", "Restaurant"]),
            Key::Priorities => about("priorities", "Priorities", Company, AnswerForm::Words, "What matters most to you: cost, quality, or relief for your staff?",
                &["Lower costs", "Cleaner floors", "Less work for staff"]),
            Key::Stakeholders => about("stakeholders", "Who decides", Company, AnswerForm::Words, "Who takes part in the decision?",
                &["Only me", "Owner", "Board", "Finance"]),
            Key::Background => about("background", "Background", Facility, AnswerForm::Words, "What should I know about the building: its age, indoors or outdoors?",
                &["Indoors", "Outdoors", "Both"]),
            Key::Fnb => about("fnb", "Food and drink", Facility, AnswerForm::Words, "Do you serve food or drink on site?", YES_NO),
            Key::CourtsCount => about("courts_count", "Courts", Facility, AnswerForm::Courts, "How many courts do you have?", &["<4", "6", "8", "12+", "Other"]),
            Key::Surfaces => about("surfaces", "Floors", Facility, AnswerForm::Floors, "What are the floors made of?", &["Concrete", "Tile", "Epoxy", "Carpet", "Wood"]),
            Key::Sqft => about("sqft", "Floor area", Facility, AnswerForm::Area, "How large is the floor, in square metres or square feet?",
                &["500 m²", "1,000 m²", "2,500 m²", "5,000 m²"]),
            Key::Lifecycle => about("lifecycle", "Age of the floors", Facility, AnswerForm::Words, "How old are the floors, and when are they due to be redone?",
                &["New", "Under 5 years", "Over 5 years"]),
            Key::Method => about("method", "How it is cleaned", Operations, AnswerForm::Methods, "How do you clean the floors today?", &["Vacuum", "Sweep", "Mop", "Scrub", "Other"]),
            Key::Responsibility => about("responsibility", "Who cleans", Operations, AnswerForm::Words, "Who does the cleaning?",
                &["Our own staff", "A cleaning company", "Both"]),
            Key::Frequency => about("frequency", "How often", Operations, AnswerForm::Words, "How often are the floors cleaned?", &["Daily", "Twice a day", "Weekly"]),
            Key::Timing => about("timing", "When", Operations, AnswerForm::Words, "When is it cleaned?", &["Before opening", "After closing", "During the day"]),
            Key::Duration => about("duration", "Hours of cleaning", Operations, AnswerForm::Hours, "How many hours of cleaning work is that each day, all people together?", &["1 hr", "2 hr", "4 hr", "Other"]),
            Key::Challenges => about("challenges", "What is hard about it", Operations, AnswerForm::Words, "What is hard about cleaning today?",
                &["Finding staff", "Consistency", "Cost", "Time"]),
            Key::FailureImpact => about("failure_impact", "When it is not clean", Operations, AnswerForm::Words, "What happens when the floors are not clean?",
                &["Complaints", "Slips and falls", "Lost bookings"]),
            Key::BudgetExists => about("budget_exists", "Budget", Economics, AnswerForm::Budget, "Is there a budget for this?", &["Yes", "No", "Not yet"]),
            Key::MonthlySpend => about("monthly_spend", "Cleaning costs a month", Economics, AnswerForm::Dollars, "What does cleaning cost you a month, in US dollars?",
                &["<$2,000", "$2,000 - $5,000", "$5,000 - $10,000", "$10,000+"]),
            Key::OpportunityCost => about("opportunity_cost", "What cleaning time costs", Economics, AnswerForm::Words, "What do you lose while the floor is being cleaned?",
                &["Nothing", "Court bookings", "Staff time"]),
            Key::Feedback => about("feedback", "What guests say", Context, AnswerForm::Words, "What do your guests or members say about cleanliness?",
                &["They are happy", "Some complaints", "Many complaints"]),
            Key::Confidence => about("confidence", "Trust in robots", Context, AnswerForm::Words, "How confident are you that a robot can do it?",
                &["Confident", "Curious", "Sceptical"]),
            Key::PastAttempts => about("past_attempts", "Tried before", Context, AnswerForm::Words, "Have you tried a cleaning robot before?", YES_NO),
            Key::IdealTimeline => about("ideal_timeline", "When it should start", Context, AnswerForm::Words, "When would you like to start?",
                &["Now", "Within 3 months", "This year"]),
            Key::UpcomingEvents => about("upcoming_events", "Events ahead", Context, AnswerForm::Words, "Is there an event ahead for which it should be ready?",
                &["None", "A tournament", "An opening"]),
            Key::BusinessChallenges => about("business_challenges", "Business challenges", Context, AnswerForm::Words, "What else is on your mind in the business?",
                &["Growth", "Staffing", "Rising costs"]),
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        self.about().name
    }

    pub(crate) const fn label(self) -> &'static str {
        self.about().label
    }

    #[cfg(test)]
    pub(crate) fn named(name: &str) -> Option<Key> {
        Key::ALL.into_iter().find(|key| key.name() == name)
    }

    /// Whether the calculation uses it.
    pub(crate) fn is_roi_input(self) -> bool {
        matches!(
            self,
            Key::CompanyType
                | Key::CourtsCount
                | Key::Surfaces
                | Key::Sqft
                | Key::Method
                | Key::Frequency
                | Key::Timing
                | Key::Duration
                | Key::MonthlySpend
        )
    }

    /// Whether an answer is kept as it was said, without looking for a value in it.
    pub(crate) fn is_free(self) -> bool {
        matches!(
            self.about().answer,
            AnswerForm::Name | AnswerForm::Budget | AnswerForm::Words
        )
    }
}

/// The first six questions, in order. [`super::discovery::Discovery::required`] replaces the area by
/// the courts for a sports club.
pub(crate) const REQUIRED: [Key; 6] = [
    Key::CompanyType,
    Key::Sqft,
    Key::Method,
    Key::Duration,
    Key::MonthlySpend,
    Key::CompanyName,
];

/// With this many of them, moving on to figures is suggested.
pub(crate) const ENOUGH: usize = 4;

/// Then the questions that make the estimate and the choice better.
pub(crate) const AFTERWARDS: [Key; 6] = [
    Key::Surfaces,
    Key::Frequency,
    Key::BudgetExists,
    Key::Priorities,
    Key::IdealTimeline,
    Key::Stakeholders,
];

#[cfg(test)]
#[path = "keys_tests.rs"]
mod keys_tests;

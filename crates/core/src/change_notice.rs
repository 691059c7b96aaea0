//! Change notices for the affected people on every node. A notice is a hint that carries ids: each
//! receiver reads the state with its own current rights.

use serde::{Deserialize, Serialize};

use crate::access::{Principal, Role};
use crate::conversation::Conversation;
use crate::id::{CompanyId, ConversationId, ProfileId, TurnId};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChangeNotice {
    /// A conversation got a message, changed or was deleted.
    Conversation {
        conversation: ConversationId,
        owner: ProfileId,
        company: Option<CompanyId>,
        /// Visible to its owner only, although it belongs to a company.
        #[serde(default)]
        private: bool,
    },
    /// A card was requested or decided.
    Approval {
        step: ApprovalStep,
        conversation: ConversationId,
        turn: TurnId,
        call_id: String,
        requester: ProfileId,
        company: Option<CompanyId>,
        approvers: Vec<Role>,
    },
    /// A person joined or left a company, so their access changed.
    Membership {
        profile: ProfileId,
        company: CompanyId,
        joined: bool,
    },
    /// A person has a company's conversation open, or closed it.
    Presence {
        conversation: ConversationId,
        profile: ProfileId,
        company: CompanyId,
        present: bool,
        /// Colleagues who are present announce themselves.
        asks: bool,
    },
    /// An email address was invited to a company.
    Invitation { email: String, company: CompanyId },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalStep {
    Requested,
    Decided,
}

impl ChangeNotice {
    pub fn of_conversation(conversation: &Conversation) -> Self {
        ChangeNotice::Conversation {
            conversation: conversation.id,
            owner: conversation.user_id,
            company: conversation.company_id,
            private: conversation.subject.is_some(),
        }
    }

    /// True if this person receives the notice.
    pub fn concerns(&self, who: &Principal) -> bool {
        let in_company = |company: &Option<CompanyId>| company.is_some_and(|c| who.is_member_of(c));
        match self {
            ChangeNotice::Conversation {
                owner,
                company,
                private,
                ..
            } => {
                let own = *owner == who.profile();
                (company.is_none() && own) || (in_company(company) && (own || !private))
            }
            ChangeNotice::Approval {
                requester,
                company,
                approvers,
                ..
            } => {
                let addressed = !approvers.is_empty() && who.holds_any(approvers);
                (*requester == who.profile() || addressed)
                    && (company.is_none() || in_company(company))
            }
            ChangeNotice::Membership {
                profile, company, ..
            } => *profile == who.profile() || who.is_member_of(*company),
            ChangeNotice::Presence {
                profile, company, ..
            } => *profile != who.profile() && who.is_member_of(*company),
            ChangeNotice::Invitation { email, .. } => who
                .email()
                .is_some_and(|own| own.eq_ignore_ascii_case(email)),
        }
    }
}

#[cfg(test)]
#[path = "change_notice_tests.rs"]
mod change_notice_tests;

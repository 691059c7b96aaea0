//! What happened, told to those whom it concerns on every node. News are hints with ids in
//! them: whoever hears one looks at the thing itself, with the rights they have then.

use serde::{Deserialize, Serialize};

use crate::access::{Principal, Role};
use crate::conversation::Conversation;
use crate::id::{CompanyId, ConversationId, ProfileId, TurnId};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChangeNotice {
    /// Something was said in it, or it was changed, or it is gone.
    Conversation {
        conversation: ConversationId,
        owner: ProfileId,
        company: Option<CompanyId>,
        /// For its owner alone, though it belongs to a company.
        #[serde(default)]
        private: bool,
    },
    /// A card was laid out or decided.
    Approval {
        step: ApprovalStep,
        conversation: ConversationId,
        turn: TurnId,
        call_id: String,
        requester: ProfileId,
        company: Option<CompanyId>,
        approvers: Vec<Role>,
    },
    /// Somebody came to a company or left it: what they may see is different now.
    Membership {
        profile: ProfileId,
        company: CompanyId,
        joined: bool,
    },
    /// An address was invited.
    Invitation { email: String, company: CompanyId },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalStep {
    Requested,
    Decided,
}

impl ChangeNotice {
    /// This conversation is new, different or gone.
    pub fn of_conversation(conversation: &Conversation) -> Self {
        ChangeNotice::Conversation {
            conversation: conversation.id,
            owner: conversation.user_id,
            company: conversation.company_id,
            private: conversation.subject.is_some(),
        }
    }

    /// Whether this person is to hear it.
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
            ChangeNotice::Invitation { email, .. } => who
                .email()
                .is_some_and(|own| own.eq_ignore_ascii_case(email)),
        }
    }
}

#[cfg(test)]
#[path = "change_notice_tests.rs"]
mod change_notice_tests;

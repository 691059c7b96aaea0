//! Recipients of change notices.

use uuid::Uuid;

use super::{ApprovalStep, ChangeNotice};
use crate::access::access_tests::signed_in;
use crate::access::{CompanyRole, Membership, Principal, Role};
use crate::id::{CompanyId, Id, ProfileId};

fn company() -> CompanyId {
    Id::from_uuid(Uuid::from_u128(7))
}

fn stranger() -> ProfileId {
    Id::from_uuid(Uuid::from_u128(99))
}

fn member(roles: &[Role]) -> Principal {
    signed_in(roles).with_companies(vec![Membership {
        company: company(),
        standing: CompanyRole::Member,
    }])
}

fn conversation(owner: ProfileId, company: Option<CompanyId>) -> ChangeNotice {
    ChangeNotice::Conversation {
        conversation: Id::from_uuid(Uuid::from_u128(3)),
        owner,
        company,
        private: false,
    }
}

fn approval(requester: ProfileId, company: Option<CompanyId>, approvers: &[Role]) -> ChangeNotice {
    ChangeNotice::Approval {
        step: ApprovalStep::Requested,
        conversation: Id::from_uuid(Uuid::from_u128(3)),
        turn: Id::from_uuid(Uuid::from_u128(4)),
        call_id: "c".to_owned(),
        requester,
        company,
        approvers: approvers.to_vec(),
    }
}

#[test]
fn a_conversation_concerns_its_owner_and_its_company() {
    let me = signed_in(&[]);
    assert!(conversation(me.profile(), None).concerns(&me));
    assert!(!conversation(stranger(), None).concerns(&me));
    assert!(!conversation(stranger(), Some(company())).concerns(&me));
    assert!(conversation(stranger(), Some(company())).concerns(&member(&[])));
}

#[test]
fn a_former_member_gets_no_notices_of_their_company_conversations() {
    let former = signed_in(&[Role::ADMIN_USER]);
    assert!(!conversation(former.profile(), Some(company())).concerns(&former));
    assert!(!approval(former.profile(), Some(company()), &[]).concerns(&former));
}

#[test]
fn a_conversation_about_a_subject_concerns_its_own_person_alone() {
    let about = |owner| ChangeNotice::Conversation {
        conversation: Id::from_uuid(Uuid::from_u128(3)),
        owner,
        company: Some(company()),
        private: true,
    };
    let me = member(&[]);
    assert!(about(me.profile()).concerns(&me));
    assert!(!about(stranger()).concerns(&me));
    assert!(!about(me.profile()).concerns(&signed_in(&[])));
}

#[test]
fn a_card_concerns_who_asked_and_whom_it_is_addressed_to() {
    let admin = signed_in(&[Role::ADMIN_USER]);
    assert!(approval(stranger(), None, &[Role::ADMIN_USER]).concerns(&admin));
    assert!(!approval(stranger(), None, &[Role::GATE_USER]).concerns(&admin));
    assert!(!approval(stranger(), None, &[]).concerns(&admin));
    assert!(approval(admin.profile(), None, &[]).concerns(&admin));
    // A company's card concerns its members only.
    let card = approval(stranger(), Some(company()), &[Role::ADMIN_USER]);
    assert!(!card.concerns(&admin));
    assert!(card.concerns(&member(&[Role::ADMIN_USER])));
    assert!(!card.concerns(&member(&[])));
}

#[test]
fn an_invitation_concerns_its_address_alone() {
    let invited = |email: &str| ChangeNotice::Invitation {
        email: email.to_owned(),
        company: company(),
    };
    let me = signed_in(&[]);
    assert!(invited("OMAR@example.org").concerns(&me));
    assert!(!invited("omar@example.com").concerns(&me));
}

#[test]
fn news_survive_the_way_through_the_database() {
    let all = [
        conversation(stranger(), None),
        approval(stranger(), Some(company()), &[Role::ADMIN_USER]),
        ChangeNotice::Membership {
            profile: stranger(),
            company: company(),
            joined: false,
        },
    ];
    for news in all {
        let text = serde_json::to_string(&news).unwrap();
        assert_eq!(serde_json::from_str::<ChangeNotice>(&text).unwrap(), news);
    }
}

//! News reach those whom they concern, and wake nobody else.

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use frontdesk_core::access::{Identity, Proof};
use frontdesk_core::id::Id;
use frontdesk_core::news::ApprovalStep;
use proptest::prelude::*;
use uuid::Uuid;

use super::*;

const PEOPLE: u128 = 8;
const COMPANIES: u128 = 4;
const ROLES: [Role; 3] = [Role::HR_USER, Role::ADMIN_USER, Role::GATE_USER];

fn profile(number: u128) -> ProfileId {
    Id::from_uuid(Uuid::from_u128(number))
}

fn company(number: u128) -> CompanyId {
    Id::from_uuid(Uuid::from_u128(1000 + number))
}

fn member(number: u128) -> Membership {
    Membership {
        company: company(number),
        standing: Standing::Member,
    }
}

fn person(number: u128, companies: &[u128], roles: &[Role]) -> Principal {
    let identity = Identity {
        subject: Uuid::from_u128(2000 + number),
        profile: profile(number),
        name: format!("Person {number}"),
        email: Some(format!("Person{number}@example.com")),
        roles: roles.iter().cloned().collect(),
        companies: companies.iter().copied().map(member).collect(),
        expires: None,
    };
    Principal::authenticated(identity, Proof::Token)
}

fn conversation(owner: u128, company: Option<CompanyId>) -> Heard {
    Heard::News(News::Conversation {
        conversation: Id::from_uuid(Uuid::from_u128(1)),
        owner: profile(owner),
        company,
        private: false,
    })
}

fn membership(person: u128, of: u128, joined: bool) -> Heard {
    Heard::News(News::Membership {
        profile: profile(person),
        company: company(of),
        joined,
    })
}

#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Everybody waits; how many are woken by this.
fn wakes(boxes: &Arc<Boxes>, listeners: &mut [NewsBox], heard: &Heard) -> usize {
    let woken = Arc::new(Woken::default());
    let waker = Waker::from(Arc::clone(&woken));
    let mut waiting: Vec<_> = listeners
        .iter_mut()
        .map(|listener| Box::pin(listener.next()))
        .collect();
    for next in &mut waiting {
        let polled = next.as_mut().poll(&mut Context::from_waker(&waker));
        assert!(polled.is_pending(), "something was there before");
    }
    boxes.pass_on(heard);
    let count = woken.0.load(Ordering::SeqCst);
    let ready = waiting
        .iter_mut()
        .filter_map(
            |next| match next.as_mut().poll(&mut Context::from_waker(&waker)) {
                Poll::Ready(heard) => Some(heard),
                Poll::Pending => None,
            },
        )
        .inspect(|got| assert_eq!(got, heard))
        .count();
    assert_eq!(ready, count, "whoever is woken has something to hear");
    count
}

/// What lies in a box.
fn all(listener: &mut NewsBox) -> Vec<Heard> {
    let waker = Waker::noop();
    let mut found = Vec::new();
    while let Poll::Ready(heard) = pin!(listener.next()).poll(&mut Context::from_waker(waker)) {
        found.push(heard);
    }
    found
}

// design: promises notices
#[test]
fn of_a_thousand_listeners_only_those_wake_whom_it_concerns() {
    let boxes = Arc::new(Boxes::default());
    // Ten in each of a hundred companies, each with two tabs.
    let mut listeners: Vec<NewsBox> = (0..2000)
        .map(|number| boxes.open(&person(number / 2, &[number / 20], &[])))
        .collect();
    let mut wakes = |heard| wakes(&boxes, &mut listeners, &heard);
    assert_eq!(wakes(conversation(5, None)), 2);
    assert_eq!(wakes(conversation(5, Some(company(0)))), 20);
    // Having begun it gives no right to hear of it.
    assert_eq!(wakes(conversation(5, Some(company(7)))), 20);
    assert_eq!(wakes(conversation(5000, Some(company(7000)))), 0);
    let invited = |email: &str| {
        Heard::News(News::Invitation {
            email: email.to_owned(),
            company: company(3),
        })
    };
    assert_eq!(wakes(invited("person17@EXAMPLE.com")), 2);
    assert_eq!(wakes(invited("nobody@example.com")), 0);
    assert_eq!(wakes(Heard::Gap), 2000);
}

#[test]
fn whoever_joins_hears_of_what_follows_and_whoever_leaves_does_not() {
    let boxes = Arc::new(Boxes::default());
    let mut listener = boxes.open(&person(1, &[], &[]));
    let of_company = conversation(2, Some(company(3)));
    boxes.pass_on(&of_company);
    assert_eq!(all(&mut listener), []);
    let joined = membership(1, 3, true);
    boxes.pass_on(&joined);
    boxes.pass_on(&of_company);
    assert_eq!(all(&mut listener), [joined, of_company.clone()]);
    let left = membership(1, 3, false);
    boxes.pass_on(&left);
    boxes.pass_on(&of_company);
    assert_eq!(all(&mut listener), [left]);
    listener.hear_of(&[member(3)]);
    boxes.pass_on(&of_company);
    assert_eq!(all(&mut listener), [of_company]);
}

#[test]
fn a_full_box_is_a_gap_and_one_that_was_given_up_leaves_nothing() {
    let boxes = Arc::new(Boxes::default());
    let mut listener = boxes.open(&person(1, &[2], &ROLES));
    let news = conversation(1, None);
    for _ in 0..=ROOM {
        boxes.pass_on(&news);
    }
    assert_eq!(all(&mut listener), [Heard::Gap]);
    boxes.pass_on(&news);
    assert_eq!(all(&mut listener), [news]);
    drop(listener);
    let rack = boxes.rack();
    assert!(rack.listeners.is_empty() && rack.by_topic.is_empty());
}

fn some_person() -> impl Strategy<Value = Principal> {
    let companies = proptest::collection::btree_set(0..COMPANIES, 0..3);
    let roles = proptest::sample::subsequence(ROLES.to_vec(), 0..=3);
    (0..PEOPLE, companies, roles).prop_map(|(number, companies, roles)| {
        let companies: Vec<u128> = companies.into_iter().collect();
        person(number, &companies, &roles)
    })
}

fn some_news() -> impl Strategy<Value = News> {
    let any_company = || proptest::option::of((0..COMPANIES).prop_map(company));
    let approvers = proptest::sample::subsequence(ROLES.to_vec(), 0..=3);
    let conversation = Id::from_uuid(Uuid::from_u128(1));
    prop_oneof![
        (0..PEOPLE, any_company(), any::<bool>()).prop_map(move |(owner, company, private)| {
            News::Conversation {
                conversation,
                owner: profile(owner),
                company,
                private,
            }
        }),
        (0..PEOPLE, any_company(), approvers).prop_map(move |(requester, company, approvers)| {
            News::Approval {
                step: ApprovalStep::Requested,
                conversation,
                turn: Id::from_uuid(Uuid::from_u128(2)),
                call_id: "c".to_owned(),
                requester: profile(requester),
                company,
                approvers,
            }
        }),
        (0..PEOPLE, 0..COMPANIES, any::<bool>()).prop_map(|(person, of, joined)| {
            News::Membership {
                profile: profile(person),
                company: company(of),
                joined,
            }
        }),
        (0..PEOPLE, 0..COMPANIES).prop_map(|(person, of)| News::Invitation {
            email: format!("pErson{person}@example.com"),
            company: company(of),
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    // design: promises notices
    #[test]
    fn exactly_those_hear_it_whom_it_concerns(
        people in proptest::collection::vec(some_person(), 1..12),
        news in some_news(),
    ) {
        let boxes = Arc::new(Boxes::default());
        let mut listeners: Vec<NewsBox> = people.iter().map(|who| boxes.open(who)).collect();
        boxes.pass_on(&Heard::News(news.clone()));
        let heard: BTreeSet<usize> = (0..people.len())
            .filter(|index| !all(&mut listeners[*index]).is_empty())
            .collect();
        let concerned: BTreeSet<usize> = (0..people.len())
            .filter(|index| news.concerns(&people[*index]))
            .collect();
        prop_assert_eq!(heard, concerned);
    }
}

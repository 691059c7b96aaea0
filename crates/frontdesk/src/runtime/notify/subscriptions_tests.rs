//! A change reaches the subscribers it concerns and wakes nobody else.

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use frontdesk_core::access::{Identity, Proof};
use frontdesk_core::change_notice::ApprovalStep;
use frontdesk_core::id::Id;
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
        standing: CompanyRole::Member,
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

fn notice(notice: ChangeNotice) -> Delivery {
    Delivery::Notice(Arc::new(notice))
}

fn send(subscriptions: &Subscriptions, delivery: &Delivery) {
    match delivery {
        Delivery::Notice(notice) => subscriptions.deliver(notice.as_ref().clone()),
        Delivery::Gap => subscriptions.report_gap(),
    }
}

fn conversation(owner: u128, company: Option<CompanyId>) -> Delivery {
    notice(ChangeNotice::Conversation {
        conversation: Id::from_uuid(Uuid::from_u128(1)),
        owner: profile(owner),
        company,
        private: false,
    })
}

fn membership(person: u128, of: u128, joined: bool) -> Delivery {
    notice(ChangeNotice::Membership {
        profile: profile(person),
        company: company(of),
        joined,
    })
}

#[derive(Default)]
struct WakeCount(AtomicUsize);

impl Wake for WakeCount {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// How many of the waiting subscribers a delivery wakes.
fn wakes(
    subscriptions: &Arc<Subscriptions>,
    subscribers: &mut [Subscription],
    delivery: &Delivery,
) -> usize {
    let woken = Arc::new(WakeCount::default());
    let waker = Waker::from(Arc::clone(&woken));
    let mut waiting: Vec<_> = subscribers
        .iter_mut()
        .map(|subscriber| Box::pin(subscriber.next()))
        .collect();
    for next in &mut waiting {
        let polled = next.as_mut().poll(&mut Context::from_waker(&waker));
        assert!(polled.is_pending(), "a delivery was queued before");
    }
    send(subscriptions, delivery);
    let count = woken.0.load(Ordering::SeqCst);
    let ready = waiting
        .iter_mut()
        .filter_map(
            |next| match next.as_mut().poll(&mut Context::from_waker(&waker)) {
                Poll::Ready(delivery) => Some(delivery),
                Poll::Pending => None,
            },
        )
        .inspect(|got| assert_eq!(got, delivery))
        .count();
    assert_eq!(ready, count, "a wake-up without a delivery");
    count
}

fn all(subscriber: &mut Subscription) -> Vec<Delivery> {
    let waker = Waker::noop();
    let mut found = Vec::new();
    while let Poll::Ready(delivery) = pin!(subscriber.next()).poll(&mut Context::from_waker(waker))
    {
        found.push(delivery);
    }
    found
}

// design: promises notices
#[test]
fn a_change_wakes_only_the_subscribers_it_concerns() {
    let subscriptions = Arc::new(Subscriptions::default());
    // Ten in each of a hundred companies, each with two tabs.
    let mut subscribers: Vec<Subscription> = (0..2000)
        .map(|number| subscriptions.add(&person(number / 2, &[number / 20], &[])))
        .collect();
    let mut wakes = |delivery| wakes(&subscriptions, &mut subscribers, &delivery);
    assert_eq!(wakes(conversation(5, None)), 2);
    assert_eq!(wakes(conversation(5, Some(company(0)))), 20);
    // Having started a conversation gives no right to its changes.
    assert_eq!(wakes(conversation(5, Some(company(7)))), 20);
    assert_eq!(wakes(conversation(5000, Some(company(7000)))), 0);
    let invited = |email: &str| {
        notice(ChangeNotice::Invitation {
            email: email.to_owned(),
            company: company(3),
        })
    };
    assert_eq!(wakes(invited("person17@EXAMPLE.com")), 2);
    assert_eq!(wakes(invited("nobody@example.com")), 0);
    assert_eq!(wakes(Delivery::Gap), 2000);
}

#[test]
fn a_new_member_gets_later_changes_and_a_former_one_does_not() {
    let subscriptions = Arc::new(Subscriptions::default());
    let mut subscriber = subscriptions.add(&person(1, &[], &[]));
    let of_company = conversation(2, Some(company(3)));
    send(&subscriptions, &of_company);
    assert_eq!(all(&mut subscriber), []);
    let joined = membership(1, 3, true);
    send(&subscriptions, &joined);
    send(&subscriptions, &of_company);
    assert_eq!(all(&mut subscriber), [joined, of_company.clone()]);
    let left = membership(1, 3, false);
    send(&subscriptions, &left);
    send(&subscriptions, &of_company);
    assert_eq!(all(&mut subscriber), [left]);
    subscriber.add_companies(&[member(3)]);
    send(&subscriptions, &of_company);
    assert_eq!(all(&mut subscriber), [of_company]);
}

#[test]
fn a_full_queue_becomes_a_gap_and_a_dropped_subscription_leaves_nothing() {
    let subscriptions = Arc::new(Subscriptions::default());
    let mut subscriber = subscriptions.add(&person(1, &[2], &ROLES));
    let changed = conversation(1, None);
    for _ in 0..=CAPACITY {
        send(&subscriptions, &changed);
    }
    assert_eq!(all(&mut subscriber), [Delivery::Gap]);
    send(&subscriptions, &changed);
    assert_eq!(all(&mut subscriber), [changed]);
    drop(subscriber);
    let registry = subscriptions.registry();
    assert!(registry.subscribers.is_empty() && registry.by_topic.is_empty());
}

fn some_person() -> impl Strategy<Value = Principal> {
    let companies = proptest::collection::btree_set(0..COMPANIES, 0..3);
    let roles = proptest::sample::subsequence(ROLES.to_vec(), 0..=3);
    (0..PEOPLE, companies, roles).prop_map(|(number, companies, roles)| {
        let companies: Vec<u128> = companies.into_iter().collect();
        person(number, &companies, &roles)
    })
}

fn some_notice() -> impl Strategy<Value = ChangeNotice> {
    let any_company = || proptest::option::of((0..COMPANIES).prop_map(company));
    let approvers = proptest::sample::subsequence(ROLES.to_vec(), 0..=3);
    let conversation = Id::from_uuid(Uuid::from_u128(1));
    prop_oneof![
        (0..PEOPLE, any_company(), any::<bool>()).prop_map(move |(owner, company, private)| {
            ChangeNotice::Conversation {
                conversation,
                owner: profile(owner),
                company,
                private,
            }
        }),
        (0..PEOPLE, any_company(), approvers).prop_map(move |(requester, company, approvers)| {
            ChangeNotice::Approval {
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
            ChangeNotice::Membership {
                profile: profile(person),
                company: company(of),
                joined,
            }
        }),
        (0..PEOPLE, 0..COMPANIES, any::<bool>()).prop_map(move |(person, of, present)| {
            ChangeNotice::Presence {
                conversation,
                profile: profile(person),
                company: company(of),
                present,
                asks: present,
            }
        }),
        (0..PEOPLE, 0..COMPANIES).prop_map(|(person, of)| ChangeNotice::Invitation {
            email: format!("pErson{person}@example.com"),
            company: company(of),
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    // design: promises notices
    #[test]
    fn a_change_reaches_exactly_those_it_concerns(
        people in proptest::collection::vec(some_person(), 1..12),
        changed in some_notice(),
    ) {
        let subscriptions = Arc::new(Subscriptions::default());
        let mut subscribers: Vec<Subscription> = people.iter().map(|who| subscriptions.add(who)).collect();
        subscriptions.deliver(changed.clone());
        let reached: BTreeSet<usize> = (0..people.len())
            .filter(|index| !all(&mut subscribers[*index]).is_empty())
            .collect();
        let concerned: BTreeSet<usize> = (0..people.len())
            .filter(|index| changed.concerns(&people[*index]))
            .collect();
        prop_assert_eq!(reached, concerned);
    }
}

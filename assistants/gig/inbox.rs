//! Counts candidates without a decision, by gig, for the inbox.

use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_core::access::Principal;

use super::store::{GigCard, Gigs};
use frontdesk_bundle::BoxError;
use frontdesk_bundle::{InboxSource, WaitingItem, WaitingWork};

const BOARD: &str = "/gigs";

pub(super) struct UndecidedCandidates {
    pub(super) gigs: Arc<Gigs>,
}

#[async_trait]
impl InboxSource for UndecidedCandidates {
    async fn waiting(&self, who: &Principal) -> Result<Option<WaitingWork>, BoxError> {
        let gigs = self.gigs.list(who).await?;
        let items: Vec<WaitingItem> = gigs.iter().filter_map(item).collect();
        Ok(Some(WaitingWork {
            about: "Candidates to decide about".to_owned(),
            count: items.iter().map(|item| item.count).sum(),
            link: BOARD.to_owned(),
            items,
            // A decision about a candidate is a card, which stays in the inbox itself.
            decided: Vec::new(),
        }))
    }
}

fn item(gig: &GigCard) -> Option<WaitingItem> {
    let count = u64::try_from(gig.undecided).ok().filter(|n| *n > 0)?;
    Some(WaitingItem {
        title: gig.title.clone(),
        link: format!("{BOARD}/{}", gig.id),
        count,
    })
}

//! Gigs and candidates for the search of the page.

use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_bundle::{BoxError, FoundObject, ObjectSearch};
use frontdesk_core::access::Principal;
use frontdesk_core::store::SearchWords;

use super::store::Gigs;

pub(super) struct GigSearch {
    pub(super) gigs: Arc<Gigs>,
}

#[async_trait]
impl ObjectSearch for GigSearch {
    async fn find(
        &self,
        who: &Principal,
        _: &str,
        words: &SearchWords,
        limit: usize,
    ) -> Result<Vec<FoundObject>, BoxError> {
        let gigs = self.gigs.list(who).await?;
        let gigs = gigs.iter().map(|gig| FoundObject {
            title: gig.title.clone(),
            detail: String::new(),
            link: format!("/gigs/{}", gig.id),
        });
        let names = self.gigs.candidate_names(who).await?;
        let candidates = names.into_iter().map(|one| FoundObject {
            title: one.name,
            detail: one.gig_title,
            link: format!("/gigs/{}?candidate={}", one.gig, one.response),
        });
        let matches = |object: &FoundObject| words.all_begin_a_word_of(&object.title);
        Ok(gigs.chain(candidates).filter(matches).take(limit).collect())
    }
}

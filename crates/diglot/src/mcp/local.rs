//! A site whose edition is in memory.

use std::sync::Arc;

use arc_swap::ArcSwap;
use diglot_audit::Address;
use diglot_edition::Edition;
use diglot_http::respond;
use http::header::LOCATION;

use super::said::quoted;
use super::site::{Reply, Site, Source};

/// The edition that is live, which may be replaced at any time.
#[derive(Clone, Debug)]
pub struct LocalSite(Arc<ArcSwap<Edition>>);

impl LocalSite {
    /// The editions of this pointer.
    pub fn new(live: Arc<ArcSwap<Edition>>) -> Self {
        Self(live)
    }
}

impl Source for LocalSite {
    fn site(&self) -> Result<Arc<dyn Site>, String> {
        let edition = self.0.load_full();
        let id = edition.id.to_string();
        let address = Address::new(&edition.site.base.to_string());
        Ok(Arc::new(OneEdition {
            edition,
            id,
            address,
        }))
    }
}

struct OneEdition {
    edition: Arc<Edition>,
    id: String,
    address: Address,
}

impl Site for OneEdition {
    fn id(&self) -> &str {
        &self.id
    }

    fn address(&self) -> &Address {
        &self.address
    }

    /// The same answer as over HTTP.
    fn get(&self, target: &str) -> Result<Reply, String> {
        let target = [self.address.prefix(), target].concat();
        let request = http::Request::get(&target).body(());
        let request =
            request.map_err(|_| format!("`{}` is not the path of a page", quoted(&target)))?;
        let response = respond(&self.edition, &request);
        let location = response.headers().get(LOCATION);
        let location = location.and_then(|value| value.to_str().ok());
        Ok(Reply {
            status: response.status().as_u16(),
            location: location.unwrap_or_default().to_owned(),
            body: response.body().to_bytes(),
        })
    }

    fn at_once(&self) -> (usize, usize) {
        (512, usize::MAX)
    }
}

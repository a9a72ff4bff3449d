//! The address of a store: a bucket with a prefix, or a folder.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use object_store::ObjectStore;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use url::Url;

use crate::error::{Error, Result};
use crate::objects::Objects;

/// The address of a store, such as `s3://bucket/prefix` or `file:///srv/editions`.
///
/// Credentials are never part of it: they are read from the environment, as the providers' own
/// tools do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    url: Url,
    prefix: Path,
}

/// How long a request is repeated that fails.
#[derive(Clone, Copy, Debug)]
enum Patience {
    /// Minutes.
    Long,
    /// Seconds.
    Short,
}

/// The schemes, for messages.
const SCHEMES: &str = "`s3://bucket/prefix`, `gs://bucket/prefix`, `az://container/prefix` or \
                       `file:///folder`";

impl Address {
    /// Whether a text looks like the address of a store, not like a folder.
    pub fn is_address(text: &str) -> bool {
        text.split_once("://")
            .is_some_and(|(scheme, _)| matches!(scheme, "s3" | "gs" | "az" | "file"))
    }

    /// Parses an address.
    ///
    /// # Errors
    /// [`Error::Usage`]: another scheme, no bucket, or a user name, password, query or fragment.
    pub fn parse(text: &str) -> Result<Self> {
        let usage = |what: &str| Error::Usage(format!("`{}` {what}", without_secrets(text)));
        let url = Url::parse(text)
            .ok()
            .filter(|url| matches!(url.scheme(), "s3" | "gs" | "az" | "file"))
            .ok_or_else(|| usage(&format!("is not the address of a store; write {SCHEMES}")))?;
        let has_secret = !url.username().is_empty() || url.password().is_some();
        if has_secret || url.query().is_some() || url.fragment().is_some() {
            return Err(usage(
                "has more than a bucket and a prefix: credentials are read from the environment",
            ));
        }
        if url.scheme() == "file" {
            if url.host_str().is_some_and(|host| !host.is_empty()) || url.path() == "/" {
                return Err(usage("names no folder: a folder is `file:///folder`"));
            }
            return Ok(Self {
                url,
                prefix: Path::default(),
            });
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(usage("names no bucket"));
        }
        let prefix = Path::from_url_path(url.path())
            .map_err(|_| usage("has a prefix with an empty part"))?;
        Ok(Self { url, prefix })
    }

    /// The folder, if the store is one.
    pub fn folder(&self) -> Option<PathBuf> {
        (self.url.scheme() == "file")
            .then(|| self.url.to_file_path().ok())
            .flatten()
    }

    /// Opens the store. No request is made.
    ///
    /// # Errors
    /// [`Error::Usage`]: the environment lacks something, or this program was built without the
    /// feature for it. [`Error::Store`]: the folder cannot be created.
    pub fn open(&self) -> Result<Objects> {
        if let Some(folder) = self.folder() {
            let made = std::fs::create_dir_all(&folder);
            made.map_err(|error| unopened(&folder, error.to_string()))?;
        }
        self.open_with(Patience::Long)
    }

    /// Opens a store that exists: a folder is not created.
    ///
    /// # Errors
    /// As [`open`](Self::open); also if there is no such folder.
    pub fn open_existing(&self) -> Result<Objects> {
        self.open_with(Patience::Long)
    }

    /// Opens the store for a plan, which writes nothing: a folder that does not exist is a store
    /// without an edition.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_to_plan(&self) -> Result<Objects> {
        match self.folder().filter(|folder| !folder.exists()) {
            Some(_) => Ok(Objects::new(Arc::new(InMemory::new()), self.prefix.clone())),
            None => self.open_with(Patience::Long),
        }
    }

    /// Opens the store to read: a folder is not created, and a request is soon given up, since it is
    /// repeated anyway.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_to_read(&self) -> Result<Objects> {
        self.open_with(Patience::Short)
    }

    fn open_with(&self, patience: Patience) -> Result<Objects> {
        let store = match self.folder() {
            Some(folder) => local(&folder)?,
            None => cloud::open(&self.url, patience)?,
        };
        Ok(Objects::new(store, self.prefix.clone()))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.url.as_str().trim_end_matches('/'))
    }
}

/// The address without what precedes an `@` and without its query, for a message.
fn without_secrets(text: &str) -> String {
    let text = text.split(['?', '#']).next().unwrap_or_default();
    match (text.split_once("://"), text.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, rest))) => format!("{scheme}://{rest}"),
        _ => text.to_owned(),
    }
}

fn local(folder: &std::path::Path) -> Result<Arc<dyn ObjectStore>> {
    let folder_of = std::fs::canonicalize(folder);
    let folder = folder_of.map_err(|error| unopened(folder, error.to_string()))?;
    let store = LocalFileSystem::new_with_prefix(&folder)
        .map_err(|error| unopened(&folder, error.to_string()))?
        .with_fsync(true);
    Ok(Arc::new(store))
}

fn unopened(folder: &std::path::Path, reason: String) -> Error {
    Error::Store {
        operation: format!("open the folder `{}`", folder.display()),
        reason,
    }
}

#[cfg(feature = "cloud")]
mod cloud {
    use std::sync::Arc;
    use std::time::Duration;

    use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
    use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
    use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
    use object_store::{ClientConfigKey, ObjectStore, RetryConfig};
    use url::Url;

    use super::Patience;
    use crate::error::{Error, Result};

    fn retries(patience: Patience) -> RetryConfig {
        match patience {
            Patience::Long => RetryConfig::default(),
            Patience::Short => RetryConfig {
                max_retries: 2,
                retry_timeout: Duration::from_secs(10),
                ..RetryConfig::default()
            },
        }
    }

    pub(super) fn open(url: &Url, patience: Patience) -> Result<Arc<dyn ObjectStore>> {
        let shown = url.to_string();
        let incomplete = |error: object_store::Error| {
            Error::Usage(format!(
                "the environment does not describe `{shown}`: {error}"
            ))
        };
        Ok(match url.scheme() {
            "s3" => {
                let builder = AmazonS3Builder::from_env().with_url(shown.clone());
                let value = |key| builder.get_config_value(&key);
                let allows = value(AmazonS3ConfigKey::Client(ClientConfigKey::AllowHttp));
                for (name, key) in [
                    ("AWS_ENDPOINT_URL_S3", AmazonS3ConfigKey::S3Endpoint),
                    ("AWS_ENDPOINT_URL", AmazonS3ConfigKey::Endpoint),
                ] {
                    let allows = ("AWS_ALLOW_HTTP", allows.as_deref());
                    check_endpoint(name, value(key).as_deref(), allows)?;
                }
                let builder = builder.with_retry(retries(patience));
                Arc::new(builder.build().map_err(incomplete)?)
            }
            "gs" => {
                let builder = GoogleCloudStorageBuilder::from_env().with_url(shown.clone());
                let endpoint = builder.get_config_value(&GoogleConfigKey::BaseUrl);
                let allows = ("GOOGLE_ALLOW_HTTP", Some("true"));
                check_endpoint("GOOGLE_BASE_URL", endpoint.as_deref(), allows)?;
                let builder = builder.with_retry(retries(patience));
                Arc::new(builder.build().map_err(incomplete)?)
            }
            _ => {
                let builder = MicrosoftAzureBuilder::from_env().with_url(shown.clone());
                let value = |key| builder.get_config_value(&key);
                let endpoint = value(AzureConfigKey::Endpoint);
                let allows = value(AzureConfigKey::Client(ClientConfigKey::AllowHttp));
                let allows = ("AZURE_ALLOW_HTTP", allows.as_deref());
                check_endpoint("AZURE_STORAGE_ENDPOINT", endpoint.as_deref(), allows)?;
                let builder = builder.with_retry(retries(patience));
                Arc::new(builder.build().map_err(incomplete)?)
            }
        })
    }

    /// Checks the address of the service that a variable names. `allows`: the variable that allows plain
    /// HTTP, and its value.
    fn check_endpoint(
        name: &str,
        endpoint: Option<&str>,
        (variable, allows): (&str, Option<&str>),
    ) -> Result<()> {
        let Some(endpoint) = endpoint else {
            return Ok(());
        };
        // It may hold a password, so it is not repeated.
        let url = Url::parse(endpoint).ok();
        let url = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let url = url.ok_or_else(|| {
            Error::Usage(format!(
                "the endpoint in `{name}` is not a URL; write it as `https://host`, or \
                 `http://host:9000` with `{variable}=true`"
            ))
        })?;
        let yes = ["1", "true", "on", "yes", "y"];
        let is_allowed =
            allows.is_some_and(|it| yes.iter().any(|yes| it.eq_ignore_ascii_case(yes)));
        if url.scheme() == "http" && !is_allowed {
            return Err(Error::Usage(format!(
                "the endpoint in `{name}` is plain HTTP, which others can read; set \
                 `{variable}=true` to allow it"
            )));
        }
        Ok(())
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn message(endpoint: &str, allows: Option<&str>) -> Option<String> {
            let checked = check_endpoint("NAME", Some(endpoint), ("ALLOW", allows));
            checked.err().map(|error| error.to_string())
        }

        #[test]
        fn an_endpoint_is_a_url_and_plain_http_is_allowed_by_name() {
            for text in [
                "127.0.0.1:9000",
                "localhost:9000",
                "",
                "//host",
                "ftp://host",
            ] {
                let message = message(text, Some("true")).unwrap();
                assert!(message.contains("`https://host`"), "{text}: {message}");
            }
            assert_eq!(message("https://host:9000/path", None), None);
            assert_eq!(message("http://host", Some("true")), None);
            let refused = message("http://host", None).unwrap();
            assert!(refused.contains("`ALLOW=true`"), "{refused}");
        }
    }
}

#[cfg(not(feature = "cloud"))]
mod cloud {
    use std::sync::Arc;

    use object_store::ObjectStore;
    use url::Url;

    use super::Patience;
    use crate::error::{Error, Result};

    pub(super) fn open(url: &Url, _: Patience) -> Result<Arc<dyn ObjectStore>> {
        Err(Error::Usage(format!(
            "this program was built without object stores, so `{url}` cannot be opened: name a \
             folder as `file:///folder`, or install one that has them with \
             `cargo install --locked --path crates/diglot --features acme,mcp,store`"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_bucket_with_a_prefix_or_a_folder() {
        for text in ["s3://bucket/a/b", "gs://bucket", "az://container/a"] {
            let address = Address::parse(text).unwrap();
            assert_eq!(address.to_string(), text);
            assert_eq!(address.folder(), None);
        }
        let folder = Address::parse("file:///srv/editions/").unwrap();
        assert_eq!(folder.folder(), Some(PathBuf::from("/srv/editions/")));
        assert!(!Address::is_address("articles") && !Address::is_address("https://example.org"));
    }

    #[test]
    fn other_addresses_are_refused_without_their_secrets() {
        for text in [
            "https://example.org/x",
            "s3://",
            "s3://key:hunter2@bucket/x",
            "s3://bucket/x?secret=hunter2",
            "s3://bucket/a//b",
            "file:///",
            "file://host/x",
            "bucket/prefix",
        ] {
            let message = Address::parse(text).unwrap_err().to_string();
            assert!(!message.contains("hunter2"), "{message}");
        }
    }
}

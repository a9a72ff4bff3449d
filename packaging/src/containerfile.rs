//! The last stage of a container file: what an image made without an engine says as well.

use std::collections::BTreeMap;

/// What the instructions say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Containerfile {
    /// `USER`: numbers.
    pub user: String,
    /// `ENV`: `NAME=VALUE`.
    pub environment: Vec<String>,
    /// `LABEL`.
    pub labels: BTreeMap<String, String>,
    /// `VOLUME`.
    pub volume: String,
    /// `EXPOSE`.
    pub port: String,
    /// `STOPSIGNAL`.
    pub stop_signal: String,
    /// `HEALTHCHECK … CMD`.
    pub health: Vec<String>,
    /// `ENTRYPOINT`.
    pub entrypoint: Vec<String>,
    /// `CMD`.
    pub command: Vec<String>,
}

impl Containerfile {
    /// Parses the instructions after the last `FROM`.
    ///
    /// # Errors
    /// One of them is unknown, or is not in the form that is read here.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (_, last) = text
            .rsplit_once("\nFROM ")
            .ok_or("the container file has one stage")?;
        let mut file = Self::default();
        for line in last.lines().skip(1) {
            let (name, value) = line.split_once(' ').unwrap_or((line, ""));
            match name {
                "" | "#" | "COPY" => {}
                "USER" => value.clone_into(&mut file.user),
                "ENV" => file.environment = words(value),
                "LABEL" => file.label(value)?,
                "VOLUME" => value.clone_into(&mut file.volume),
                "EXPOSE" => value.clone_into(&mut file.port),
                "STOPSIGNAL" => value.clone_into(&mut file.stop_signal),
                "HEALTHCHECK" => {
                    file.health = list(value.strip_prefix("CMD ").unwrap_or_default())?;
                }
                "ENTRYPOINT" => file.entrypoint = list(value)?,
                "CMD" => file.command = list(value)?,
                _ => return Err(format!("not read in a container file: `{line}`")),
            }
        }
        file.checked()
    }

    fn label(&mut self, value: &str) -> Result<(), String> {
        let (name, quoted) = value
            .split_once('=')
            .ok_or_else(|| format!("not a label: `{value}`"))?;
        let text = serde_json::from_str(quoted)
            .map_err(|error| format!("the label `{name}` of the container file: {error}"))?;
        self.labels.insert(name.to_owned(), text);
        Ok(())
    }

    /// The user is not root: a number, so that Kubernetes can tell.
    fn checked(self) -> Result<Self, String> {
        for id in self.user.split(':') {
            if !id.parse::<u32>().is_ok_and(|id| id > 0) {
                let user = &self.user;
                return Err(format!(
                    "the image's user is `{user}`, not a number beyond 0"
                ));
            }
        }
        Ok(self)
    }
}

fn words(value: &str) -> Vec<String> {
    value.split(' ').map(str::to_owned).collect()
}

fn list(value: &str) -> Result<Vec<String>, String> {
    serde_json::from_str(value)
        .map_err(|error| format!("a command of the container file: `{value}`: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_stage_is_read() {
        let text = "FROM a AS build\nUSER root\nFROM scratch\nCOPY --from=build /image /\nUSER 7:7\nENV A=1 B=2\nLABEL x.y=\"A site\"\nHEALTHCHECK CMD [\"/a\", \"b\"]\nENTRYPOINT [\"/a\"]\nCMD [\"c\"]\n";
        let file = Containerfile::parse(text).unwrap();
        assert_eq!(file.user, "7:7");
        assert_eq!(file.environment, ["A=1", "B=2"]);
        assert_eq!(file.labels["x.y"], "A site");
        assert_eq!(file.health, ["/a", "b"]);
        assert_eq!((file.entrypoint, file.command), (words("/a"), words("c")));
    }

    #[test]
    fn root_is_refused() {
        for user in ["0:0", "root", "65532:0", ""] {
            let text = format!("FROM a\nFROM scratch\nUSER {user}\n");
            assert!(Containerfile::parse(&text).is_err(), "{user}");
        }
    }
}

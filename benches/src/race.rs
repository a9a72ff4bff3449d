//! Rounds in which servers alternate, and their results.

use super::load::{Load, Pinned};
use super::middle::{median, sorted};
use super::report;
use super::servers::{Contender, HYPER};

/// The servers in every round: those that Diglot is compared with. Others are in every third one.
const EVERY_ROUND: [&str; 4] = ["Diglot", HYPER, "floor", "nginx"];

/// A server that takes part, or why it does not.
pub struct Entrant {
    /// Its name in tables.
    pub name: &'static str,
    /// Whether it negotiates by `Accept`.
    pub negotiates: bool,
    /// Whether it answers everything with the same bytes.
    pub constant: bool,
    /// The process.
    pub server: Result<Pinned, String>,
}

impl Entrant {
    /// Starts a server.
    pub fn start(contender: &Contender) -> Self {
        let server = Pinned::start(&contender.command, &contender.authority);
        let constant = [HYPER, "floor"].contains(&contender.name);
        Self {
            name: contender.name,
            negotiates: contender.negotiates,
            constant,
            server,
        }
    }
}

/// The results of one server.
pub struct Ran {
    /// Its name in tables.
    pub name: &'static str,
    /// One entry for each round; `None` where it did not take part.
    pub loads: Vec<Option<Load>>,
    /// Why there are none, or no more.
    pub failed: Option<String>,
}

/// Runs every server once in each round. One that fails is excluded.
pub fn run(
    times: usize,
    entrants: &[&Entrant],
    once: impl Fn(usize, &Pinned) -> Result<Load, String>,
) -> Vec<Ran> {
    let mut all: Vec<Ran> = entrants
        .iter()
        .map(|entrant| Ran {
            name: entrant.name,
            loads: Vec::new(),
            failed: entrant.server.as_ref().err().cloned(),
        })
        .collect();
    for round in 0..times {
        for turn in 0..entrants.len() {
            let at = (turn + round) % entrants.len();
            let ran = &mut all[at];
            let takes_part =
                ran.failed.is_none() && (EVERY_ROUND.contains(&ran.name) || round % 3 == 0);
            let load = match entrants[at].server.as_ref() {
                Ok(server) if takes_part => {
                    once(at, server).map_err(|why| ran.failed = Some(why)).ok()
                }
                _ => None,
            };
            ran.loads.push(load);
        }
    }
    all.iter()
        .filter_map(|ran| Some((ran.name, ran.failed.as_ref()?)))
        .for_each(|(name, why)| println!("{name}: {why}"));
    all
}

/// The results of one scenario.
pub struct Row {
    /// The name of the scenario.
    pub name: &'static str,
    /// The length of the answer.
    pub bytes: usize,
    /// Servers, Diglot first.
    pub rounds: Vec<Ran>,
}

impl Ran {
    fn median(&self, of: fn(&Load) -> f64) -> Option<f64> {
        let values: Vec<f64> = self.loads.iter().flatten().map(of).collect();
        (!values.is_empty()).then(|| median(values))
    }

    /// Microseconds per request.
    pub fn micros(&self) -> Option<f64> {
        self.median(|load| load.micros)
    }

    fn cells(&self, own: &Self, first: String) -> Vec<String> {
        let why = || {
            self.failed
                .as_deref()
                .unwrap_or("not measured")
                .lines()
                .next()
                .unwrap_or_default()
                .replace('|', "/")
        };
        let (Some(micros), Some(rate)) = (self.micros(), self.median(|load| load.rate)) else {
            return vec![
                first,
                self.name.to_owned(),
                "–".to_owned(),
                "–".to_owned(),
                why(),
            ];
        };
        let mut ratio = if std::ptr::eq(self, own) {
            "1".to_owned()
        } else {
            interval(&ratios(own, self))
        };
        if self.failed.is_some() {
            ratio.push_str(&format!("; then: {}", why()));
        }
        vec![
            first,
            self.name.to_owned(),
            format!("{micros:.1}"),
            report::thousands(rate as usize),
            ratio,
        ]
    }
}

impl Row {
    /// Prints its lines, as they will be in the table.
    pub fn print(&self) {
        self.cells()
            .iter()
            .for_each(|cells| println!("{}", cells.join("  ")));
    }

    /// Requests per second of one server.
    pub fn rate(&self, name: &str) -> Option<f64> {
        self.rounds
            .iter()
            .find(|ran| ran.name == name)?
            .median(|load| load.rate)
    }

    /// Diglot's processor time divided by that of a server: the median over the rounds.
    pub fn ratio(&self, name: &str) -> Option<f64> {
        let ratios = ratios(
            self.rounds.first()?,
            self.rounds.iter().find(|ran| ran.name == name)?,
        );
        (!ratios.is_empty()).then(|| median(ratios))
    }

    /// One row for each server.
    pub fn cells(&self) -> Vec<Vec<String>> {
        let first = |at| {
            if at == 0 {
                format!("{}, {} bytes", self.name, report::thousands(self.bytes))
            } else {
                String::new()
            }
        };
        self.rounds
            .iter()
            .enumerate()
            .map(|(at, ran)| ran.cells(&self.rounds[0], first(at)))
            .collect()
    }
}

/// One ratio for each round in which both took part.
fn ratios(own: &Ran, other: &Ran) -> Vec<f64> {
    own.loads
        .iter()
        .zip(&other.loads)
        .filter_map(|(own, other)| Some(own.as_ref()?.micros / other.as_ref()?.micros))
        .collect()
}

/// The median with its confidence interval by ranks (96 % at 15 rounds; with fewer rounds, the
/// range).
fn interval(ratios: &[f64]) -> String {
    let ratios = sorted(ratios.to_vec());
    let cut = if ratios.len() >= 15 {
        ratios.len() / 4
    } else {
        0
    };
    match (
        ratios.get(ratios.len() / 2),
        ratios.get(cut),
        ratios.get(ratios.len().saturating_sub(1 + cut)),
    ) {
        (Some(middle), Some(low), Some(high)) => format!("{middle:.2} ({low:.2}–{high:.2})"),
        _ => "–".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(name: &'static str, micros: &[Option<f64>]) -> Ran {
        Ran {
            name,
            loads: micros
                .iter()
                .map(|micros| {
                    Some(Load {
                        micros: (*micros)?,
                        rate: 1_000.0,
                    })
                })
                .collect(),
            failed: None,
        }
    }

    #[test]
    fn servers_are_compared_in_the_rounds_that_both_were_in() {
        let mut row = Row {
            name: "x",
            bytes: 7,
            rounds: vec![
                ran("Diglot", &[Some(2.0), Some(9.0), Some(6.0)]),
                ran("h2o", &[Some(1.0), None, Some(2.0)]),
            ],
        };
        assert_eq!(row.ratio("h2o"), Some(3.0));
        assert_eq!(row.ratio("nginx"), None);
        assert_eq!(
            row.cells()[1],
            ["", "h2o", "2.0", "1,000", "3.00 (2.00–3.00)"]
        );
        row.rounds.push(Ran {
            failed: Some("it | does not start\nand more".to_owned()),
            ..ran("Caddy", &[None, None, None])
        });
        assert_eq!(
            row.cells()[2],
            ["", "Caddy", "–", "–", "it / does not start"]
        );
    }

    #[test]
    fn fifteen_rounds_have_an_interval() {
        let ratios: Vec<f64> = (1..=15).map(f64::from).collect();
        assert_eq!(interval(&ratios), "8.00 (4.00–12.00)");
    }
}

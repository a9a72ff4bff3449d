//! Kills and faults one after the other, each with its own processes.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use super::faults::{Reloads, Stage};
use super::kills::{self, Killed};
use super::ledger::Wrong;
use super::run::Run;
use crate::figures::{megabytes, thousands};
use crate::random::Random;

impl Run {
    /// All of them.
    ///
    /// # Errors
    /// One cannot be tried: a server does not start, or an edit never goes live.
    pub fn series(&mut self) -> Result<(), String> {
        println!("kills");
        self.kills()?;
        println!("faults");
        self.out_of_descriptors()?;
        self.full_disk()?;
        self.storm()?;
        self.reloads()
    }

    fn kills(&mut self) -> Result<(), String> {
        let mut random = Random::seeded(self.seed + 500);
        let mut killed = Killed::default();
        let place = self.place("kills")?;
        kills::builds(
            &self.binary,
            &place,
            &self.ledger,
            &mut random,
            Instant::now() + self.part(0.15),
            &mut killed,
        )?;
        kills::servers(
            &self.binary,
            &place,
            &self.ledger,
            &mut random,
            Instant::now() + self.part(0.05),
            &mut killed,
        )?;
        self.ledger
            .faults
            .fetch_add((killed.builds + killed.servers) as u64, Relaxed);
        self.row(
            "builds killed",
            format!(
                "{} ({} runs onto nothing; {} times the new site was there)",
                killed.builds, killed.first, killed.new
            ),
        );
        self.row("servers killed", killed.servers.to_string());
        Ok(())
    }

    /// The surroundings of one fault, in a folder of this name.
    fn stage(&self, name: &str) -> Result<Stage<'_>, String> {
        Ok(Stage {
            binary: &self.binary,
            place: self.place(name)?,
            ledger: &self.ledger,
        })
    }

    fn out_of_descriptors(&mut self) -> Result<(), String> {
        let percent = self.stage("descriptors")?.descriptors()?;
        self.row(
            "out of descriptors: processor time",
            format!("{percent} % of a core"),
        );
        Ok(())
    }

    fn full_disk(&mut self) -> Result<(), String> {
        let full = self.stage("disk")?.full_disk()?;
        self.row(
            "full disk",
            full.map_or(
                "not tried: only root can mount a small one",
                |()| "one warning, nothing half written",
            ),
        );
        Ok(())
    }

    fn storm(&mut self) -> Result<(), String> {
        let (saves, editions) = self.stage("storm")?.storm()?;
        self.row(
            "a storm of saves",
            format!("{} saves, {editions} editions", thousands(saves)),
        );
        Ok(())
    }

    /// Edition after edition, which must not take more and more memory.
    fn reloads(&mut self) -> Result<(), String> {
        let wanted = ((self.time.as_secs_f64() * 0.8) as usize).clamp(40, 1000);
        let until = Instant::now() + self.part(0.2);
        let Reloads {
            done,
            before,
            after,
            live,
        } = self.stage("reloads")?.reloads(wanted, until)?;
        self.row(
            &format!(
                "memory after a tenth of {} reloads, and after all",
                thousands(done)
            ),
            format!("{}, {}", megabytes(before), megabytes(after)),
        );
        self.row(
            "an edit is live after (median)",
            format!("{} ms", live.as_millis()),
        );
        if after > before + before / 2 + (16 << 20) {
            self.ledger.complain(Wrong::Promise, || {
                format!(
                    "reloads: memory grew from {} to {}",
                    megabytes(before),
                    megabytes(after)
                )
            });
        }
        Ok(())
    }
}

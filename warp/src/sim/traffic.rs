//! What one wave does at each place of the source, counted until its lanes meet again.
//!
//! Between two meetings lanes run one after another, so accesses are matched by number: the k-th
//! access of one lane at a site belongs to the k-th of the others. Hardware issues them together.

use std::collections::BTreeMap;
use std::panic::Location;

use super::counts::{Branches, Counts, MemoryTraffic};
use super::report::Site;

/// Accesses that a lane may make at one site before it waits for the other lanes, so that the
/// tables stay small.
const WINDOW: u32 = 4096;

/// Bytes of a sector and of a line of global memory, and of a bank of shared memory.
const SECTOR: usize = 32;
const SECTORS_A_LINE: usize = 4;
const BANK: usize = 4;
const BANKS: usize = 32;

/// The tables of one wave.
#[derive(Default)]
pub(super) struct Traffic {
    sites: Vec<SiteTable>,
    /// The site that was used last: loops stay at one.
    last: usize,
}

struct SiteTable {
    site: Site,
    kind: Kind,
    /// How many accesses each lane has made since the last meeting.
    made: [u32; 64],
    /// For each of a lane's accesses, what another lane touched last.
    latest: Vec<usize>,
    /// What was touched, with the number of the access; may hold the same thing twice.
    touched: Vec<(u32, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Branch,
    GlobalRead,
    GlobalWrite,
    SharedRead,
    SharedWrite,
}

/// A site of all waves together.
type Totals = BTreeMap<(Kind, SiteKey), Tally>;

/// Generic code has one `Location` per instance; one line is one site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SiteKey(&'static str, u32, u32);

#[derive(Clone, Copy, Debug)]
struct Tally {
    site: Site,
    /// Accesses of lanes.
    accesses: u64,
    /// Accesses of waves.
    issues: u64,
    /// Outcomes, sectors, or passes over the banks.
    parts: u64,
    lines: u64,
}

/// Sums over waves and blocks.
#[derive(Default)]
pub(super) struct Tallies(Totals);

impl Traffic {
    /// Records an access of `lane`; `true` where the lane should wait for the others.
    #[inline]
    pub(super) fn note(
        &mut self,
        kind: Kind,
        site: Site,
        lane: u32,
        first: usize,
        last: usize,
    ) -> bool {
        let table = self.table(kind, site);
        let number = table.made[lane as usize];
        table.made[lane as usize] = number + 1;
        for thing in first..=last {
            table.touch(number, thing);
        }
        number + 1 >= WINDOW
    }

    #[inline]
    fn table(&mut self, kind: Kind, site: Site) -> &mut SiteTable {
        let is_it = |table: &SiteTable| std::ptr::eq(table.site, site) && table.kind == kind;
        if !self.sites.get(self.last).is_some_and(is_it) {
            self.last = self.sites.iter().position(is_it).unwrap_or_else(|| {
                self.sites.push(SiteTable {
                    site,
                    kind,
                    made: [0; 64],
                    latest: Vec::new(),
                    touched: Vec::new(),
                });
                self.sites.len() - 1
            });
        }
        &mut self.sites[self.last]
    }

    /// The lanes have met: adds what was counted and starts anew.
    pub(super) fn meet(&mut self, tallies: &mut Tallies) {
        for table in &mut self.sites {
            if !table.touched.is_empty() {
                table.flush(tallies);
            }
        }
    }
}

impl SiteTable {
    #[inline]
    fn touch(&mut self, number: u32, thing: usize) {
        match self.latest.get_mut(number as usize) {
            Some(latest) if *latest == thing => return,
            Some(latest) => *latest = thing,
            None => self.latest.push(thing),
        }
        self.touched.push((number, thing));
    }

    fn flush(&mut self, tallies: &mut Tallies) {
        self.touched.sort_unstable();
        self.touched.dedup();
        let key = SiteKey(self.site.file(), self.site.line(), self.site.column());
        let tally = tallies.0.entry((self.kind, key)).or_insert(Tally {
            site: self.site,
            accesses: 0,
            issues: 0,
            parts: 0,
            lines: 0,
        });
        tally.accesses += self.made.iter().map(|&made| u64::from(made)).sum::<u64>();
        for access in self.touched.chunk_by(|a, b| a.0 == b.0) {
            tally.issues += 1;
            match self.kind {
                Kind::Branch => tally.parts += access.len() as u64,
                Kind::GlobalRead | Kind::GlobalWrite => {
                    tally.parts += access.len() as u64;
                    let lines =
                        access.chunk_by(|a, b| a.1 / SECTORS_A_LINE == b.1 / SECTORS_A_LINE);
                    tally.lines += lines.count() as u64;
                }
                Kind::SharedRead | Kind::SharedWrite => {
                    let mut words = [0u64; BANKS];
                    for &(_, word) in access {
                        words[word % BANKS] += 1;
                    }
                    tally.parts += words.into_iter().max().unwrap_or(0);
                }
            }
        }
        self.made = [0; 64];
        self.latest.clear();
        self.touched.clear();
    }
}

impl Kind {
    /// The sectors or words from which to which an access of `bytes` at `address` reaches.
    pub(super) fn span(self, address: usize, bytes: usize) -> (usize, usize) {
        let unit = match self {
            Self::GlobalRead | Self::GlobalWrite => SECTOR,
            _ => BANK,
        };
        (address / unit, (address + bytes.max(1) - 1) / unit)
    }
}

impl Tallies {
    pub(super) fn merge(&mut self, other: Self) {
        for (key, from) in other.0 {
            self.0
                .entry(key)
                .and_modify(|into| {
                    into.accesses += from.accesses;
                    into.issues += from.issues;
                    into.parts += from.parts;
                    into.lines += from.lines;
                })
                .or_insert(from);
        }
    }

    /// Fills in the sites of `counts`, in the order of their lines.
    pub(super) fn report(self, counts: &mut Counts) {
        for ((kind, _), tally) in self.0 {
            let Tally { site, accesses, issues, parts, lines } = tally;
            let site: &'static Location<'static> = site;
            match kind {
                Kind::Branch => {
                    counts.branches.push(Branches {
                        site,
                        lanes: accesses,
                        waves: issues,
                        passes: parts,
                    });
                }
                Kind::GlobalRead | Kind::GlobalWrite => counts.global.push(MemoryTraffic {
                    site,
                    writes: kind == Kind::GlobalWrite,
                    lanes: accesses,
                    waves: issues,
                    sectors: parts,
                    lines,
                    passes: 0,
                }),
                Kind::SharedRead | Kind::SharedWrite => counts.shared.push(MemoryTraffic {
                    site,
                    writes: kind == Kind::SharedWrite,
                    lanes: accesses,
                    waves: issues,
                    sectors: 0,
                    lines: 0,
                    passes: parts,
                }),
            }
        }
    }
}

//! Random waves.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use wavewise::LaneMask;

use crate::model::Lanes;
use crate::values::Value;

/// What chance says of one hardware wave, whatever its width and the type of its values.
#[derive(Clone, Debug)]
pub struct Draw {
    /// One for each lane.
    pub seeds: Vec<u64>,
    /// Lanes that are live.
    pub live: LaneMask,
    /// Other lanes.
    pub chosen: LaneMask,
}

fn draws(count: usize) -> impl Strategy<Value = Vec<Draw>> {
    let seeds = prop::collection::vec(any::<u64>(), LaneMask::CAPACITY as usize);
    let draw = (seeds, mask(), mask());
    let draw = draw.prop_map(|(seeds, live, chosen)| Draw { seeds, live, chosen });
    prop::collection::vec(draw, count)
}

/// Few lanes, half of them, nearly all, and the first so many, as of a block's last wave.
fn mask() -> impl Strategy<Value = LaneMask> {
    let bits = || any::<u64>();
    prop_oneof![
        bits(),
        (bits(), bits(), bits()).prop_map(|(a, b, c)| a & b & c),
        (bits(), bits(), bits()).prop_map(|(a, b, c)| a | b | c),
        (0u32..64).prop_map(|highest| u64::MAX >> highest),
        Just(u64::MAX),
    ]
    .prop_map(LaneMask::from_bits)
}

/// Runs `check` on `cases` random sets of `count` waves each, and shrinks a set that fails.
///
/// # Panics
/// If one does.
pub fn property(cases: u32, count: usize, check: &dyn Fn(&[Draw])) {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) };
    let result = TestRunner::new(config).run(&draws(count), |draws| {
        check(&draws);
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
}

impl Draw {
    /// The live lanes of a wave of `width` lanes.
    #[must_use]
    pub fn live(&self, width: u32) -> LaneMask {
        self.live & LaneMask::first(width)
    }

    /// Live lanes in whole segments of `n`, for a collective that needs all of its lanes.
    #[must_use]
    pub fn live_segments(&self, n: u32, width: u32) -> LaneMask {
        (0..width).filter(|lane| self.live.contains(lane / n)).collect()
    }

    /// A value for each lane of `width`, live or not.
    #[must_use]
    pub fn values<T: Value>(&self, width: u32) -> Vec<T> {
        (0..width as usize).map(|lane| T::from_seed(self.seeds[lane])).collect()
    }

    /// The values of the lanes in `live`.
    #[must_use]
    pub fn lanes<T: Value>(&self, live: LaneMask, width: u32) -> Lanes<T> {
        let values = self.values(width);
        (0..width).zip(values).map(|(lane, value)| live.contains(lane).then_some(value)).collect()
    }
}

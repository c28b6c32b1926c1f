//! Every pair of logical and hardware width.

/// A test of one logical width `N` on hardware waves of `W` lanes.
pub trait Check {
    /// Runs it.
    fn at<const N: u32, const W: u32>(&self);
}

macro_rules! pairs {
    ($check:ident: $($n:literal on $($w:literal)*;)*) => {
        $($( $check.at::<$n, $w>(); )*)*
    };
}

/// Runs `check` at every `N` in 1, 2, 4 … 64 on every hardware width from `N` to 64.
pub fn every_pair(check: &impl Check) {
    pairs! { check:
        1 on 1 2 4 8 16 32 64;
        2 on 2 4 8 16 32 64;
        4 on 4 8 16 32 64;
        8 on 8 16 32 64;
        16 on 16 32 64;
        32 on 32 64;
        64 on 64;
    }
}

//! Nanoseconds per draw, all in one run, in turns.

use std::hint::black_box;
use std::time::Instant;

use crate::Result;
use crate::samplers::{Draws, Noise, opendp, ours, prio};

/// Turns that each sampler gets; the fastest counts, as a slow one was disturbed.
const TURNS: usize = 7;

pub(crate) fn run() -> Result<()> {
    println!("nanoseconds per draw, best of {TURNS} turns, and times ours");
    for noise in Noise::ALL {
        let mut contestants = [
            (ours(noise)?, 50_000, f64::INFINITY),
            (opendp(noise), 5_000, f64::INFINITY),
            (prio(noise)?, 5_000, f64::INFINITY),
        ];
        for _ in 0..TURNS {
            for (draws, count, best) in &mut contestants {
                *best = best.min(nanoseconds(draws, *count));
            }
        }
        let [ours, opendp, prio] = contestants.map(|(_, _, best)| best);
        println!(
            "{:<36} ours {ours:>6.0}   opendp {opendp:>7.0} ({:>4.0}x)   prio {prio:>7.0} ({:>4.0}x)",
            format!("{noise:?}"),
            opendp / ours,
            prio / ours,
        );
    }
    Ok(())
}

fn nanoseconds(draws: &mut Draws, count: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..count {
        black_box(draws());
    }
    start.elapsed().as_nanos() as f64 / f64::from(count)
}

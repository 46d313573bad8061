//! One pass over rows, on as many threads as there are.
//!
//! Rows are cut into blocks; each block writes its own stretch of outputs and adds to a partial result. Partial results
//! are exact integers, so it does not matter which rows a thread got, in what order, or how long the blocks are.

use rayon::prelude::*;

/// Rows in a block unless a test says otherwise: enough work to be worth handing out.
pub(super) const BLOCK_ROWS: usize = 1 << 14;

/// Runs `update(first row, outputs of the block, partial result)` over all blocks and merges the partial results.
pub(super) fn fold_rows<O, A>(
    outputs: &mut [O],
    block_rows: usize,
    zero: impl Fn() -> A + Sync + Send,
    update: impl Fn(usize, &mut [O], &mut A) + Sync + Send,
    merge: impl Fn(&mut A, A) + Sync + Send,
) -> A
where
    O: Send,
    A: Send,
{
    if outputs.len() <= block_rows {
        let mut total = zero();
        update(0, outputs, &mut total);
        return total;
    }
    outputs
        .par_chunks_mut(block_rows)
        .enumerate()
        .fold(&zero, |mut partial, (block, outputs)| {
            update(block * block_rows, outputs, &mut partial);
            partial
        })
        .reduce(&zero, |mut left, right| {
            merge(&mut left, right);
            left
        })
}

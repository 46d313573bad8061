//! How much a masked table tells less than the raw one, column by column and as a whole.

use schemars::JsonSchema;
use serde::Serialize;

/// What a table lost. Suppressed and dropped rows are counted by themselves and are no part of the means.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Loss {
    /// Which rows are there.
    pub rows: RowsLost,
    /// The columns that were compared, in the order of the raw table.
    pub columns: Vec<ColumnLoss>,
    /// The means over the columns.
    pub ncp: f64,
    /// See [`ColumnLoss::granularity`].
    pub granularity: f64,
    /// See [`ColumnLoss::entropy`].
    pub entropy: f64,
    /// Discernibility: the sum over rows of the size of their group, over rows squared; a suppressed row counts as a
    /// group of all rows. 1 is one group for everybody.
    pub discernibility: f64,
    /// Rows of a group on average.
    pub average_class_size: f64,
    /// How large the groups are: ascending sizes with the number of groups of that size.
    pub class_sizes: Vec<ClassSize>,
}

/// Which rows are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RowsLost {
    /// Rows of the raw table.
    pub raw: u64,
    /// Rows of the masked table that tell something.
    pub published: u64,
    /// Rows of the masked table that tell nothing in any masked column.
    pub suppressed: u64,
    /// Raw rows that are not in the masked table.
    pub dropped: u64,
}

/// What one column lost.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ColumnLoss {
    /// The column.
    pub column: String,
    /// Normalised certainty penalty: how much of the domain a value may stand for, on average; 0 is as it was, 1 is
    /// anything.
    pub ncp: f64,
    /// Granularity as ARX measures it, 1 is as it was, 0 is anything.
    pub granularity: f64,
    /// Non-uniform entropy as ARX measures it, 1 is as it was, 0 is nothing known.
    pub entropy: f64,
    /// Different values before.
    pub values_before: u64,
    /// Different values after.
    pub values_after: u64,
    /// Cells that tell nothing any more.
    pub suppressed: u64,
    /// How far down its tree or range the values are, in words: `leaf`, `2 of 4 levels`, `8 intervals`.
    pub level: String,
}

/// Groups of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClassSize {
    /// People in each of them.
    pub size: u64,
    /// How many there are.
    pub groups: u64,
}

/// Parquet files as tables, read and written by DuckDB in memory.
@NullMarked
package io.tranche.parquet;

import org.jspecify.annotations.NullMarked;

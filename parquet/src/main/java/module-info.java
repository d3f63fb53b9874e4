/// Parquet tables through DuckDB. Everything native lives here.
module io.tranche.parquet {
  requires duckdb.jdbc;
  requires java.sql;
  requires transitive io.tranche.market;
  requires static transitive org.jspecify;

  exports io.tranche.parquet;

  provides io.tranche.market.TableFormat with
      io.tranche.parquet.ParquetFormat;
}

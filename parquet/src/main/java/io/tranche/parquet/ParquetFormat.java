package io.tranche.parquet;

import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// Parquet files: flat columns of numbers, times and texts, written with zstd.
public final class ParquetFormat implements TableFormat {

  @Override
  public String name() {
    return "parquet";
  }

  @Override
  public boolean accepts(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".parquet");
  }

  @Override
  public Table read(Path file, List<String> columns) {
    return ParquetReader.read(file, columns);
  }

  @Override
  public Table readSingles(Path file, List<String> columns) {
    return ParquetReader.readSingles(file, columns);
  }

  @Override
  public List<String> columns(Path file) {
    return ParquetReader.columns(file);
  }

  @Override
  public Writer create(Path target) throws IOException {
    return new ParquetWriter(target);
  }
}

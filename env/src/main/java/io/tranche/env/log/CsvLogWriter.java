package io.tranche.env.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Writes `result.csv` at the end of each collect: one row per episode, byte for byte as pandas
/// would write it. Qlib: `qlib.rl.utils.CsvWriter`.
///
/// Writes doubles, texts and times, and ignores anything else that steps log.
public final class CsvLogWriter implements EpisodeSink {

  private final Path file;
  private final List<Map<String, Object>> records = new ArrayList<>();

  /// @param directory created if it does not exist
  /// @throws UncheckedIOException if it cannot be created
  public CsvLogWriter(Path directory) {
    this.file = directory.resolve("result.csv");
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String name() {
    return "csvwriter";
  }

  @Override
  public void begin() {
    records.clear();
  }

  @Override
  public void episode(EpisodeRecord episode, LogCounters counters) {
    records.add(episode.values(CsvTable::isSupported));
  }

  /// @throws UncheckedIOException if the file cannot be written
  @Override
  public void end(LogCounters counters) {
    try (var out = Files.newBufferedWriter(file)) {
      CsvTable.write(records, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

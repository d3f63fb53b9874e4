package io.tranche.market.feature.provider;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Columns of a slower table, such as daily factors, an index or a sector, as they are known at
/// each bar.
///
/// A row with a date and no time counts from the next trading day on, because most daily values are
/// known only after the close; one with a time counts for bars that begin at that time or later.
/// Without a column `instrument` the rows are those of every instrument. Before the first row,
/// values are missing. The file is read again when it has changed, so a service sees each day's new
/// rows.
public final class TableFeatures implements FeatureProvider {

  /// The key of a configuration that has a table.
  public static final String KEY = "table";

  private static final List<String> TIMES = List.of("date", "datetime", "time");
  private static final List<String> INSTRUMENTS = List.of("instrument", "symbol", "code");
  private static final String ANY = "";

  private final Path file;
  private final List<String> names;
  private final List<String> turning;
  private final boolean isKnownBefore;
  private volatile @Nullable Content content;

  /// The rows of the file as it was at a time, by instrument and in order of time.
  private record Content(FileTime changed, Map<String, NavigableMap<Long, float[]>> rows) {}

  private TableFeatures(
      Path file, List<String> names, List<String> turning, boolean isKnownBefore) {
    this.file = file;
    this.names = List.copyOf(names);
    this.turning = List.copyOf(turning);
    this.isKnownBefore = isKnownBefore;
  }

  /// Reads `{table: factors.csv, columns: [size, beta]}`; `known: same_day` says that a date's row
  /// is known before the open of that date, and `turns` lists columns whose sign follows prices.
  ///
  /// @throws ConfigException if a key is wrong
  /// @throws DataException if the file is missing, or lacks a column
  public static TableFeatures from(ConfigNode node) {
    node.rejectUnknown(List.of(KEY, "columns", "known", "turns"));
    ConfigNode columns = node.required("columns");
    ConfigNode turns = node.optional("turns");
    ConfigNode known = node.optional("known");
    List<String> names = columns.asTexts();
    if (names.isEmpty()) {
      throw columns.wrong("at least one column");
    }
    for (String name : names) {
      if (!name.matches("[A-Za-z][A-Za-z0-9_]{0,40}") || name.endsWith("_1")) {
        throw columns.wrong("names of letters and digits that do not end in _1");
      }
    }
    List<String> turning = turns == null ? List.of() : turns.asTexts();
    if (turns != null && !names.containsAll(turning)) {
      throw turns.wrong("some of " + names);
    }
    var table =
        new TableFeatures(
            node.required(KEY).asPath(Path.of("")).toAbsolutePath(),
            names,
            turning,
            known != null && known.asChoice(List.of("next_day", "same_day")).equals("same_day"));
    table.content();
    return table;
  }

  /// Returns what [#from] reads.
  ConfigNode toConfig() {
    var values = new LinkedHashMap<String, Object>();
    values.put(KEY, file.toString());
    values.put("columns", names);
    values.put("known", isKnownBefore ? "same_day" : "next_day");
    values.put("turns", turning);
    return ConfigFiles.of("features", values);
  }

  @Override
  public String name() {
    return KEY;
  }

  @Override
  public List<String> columns() {
    return names.stream()
        .map(name -> (turning.contains(name) ? "$turned_" : "$x_") + name)
        .toList();
  }

  /// None of its own; but bars must have a close to count as bars.
  @Override
  public List<String> fields() {
    return List.of("close");
  }

  @Override
  public void compute(DayFrame day, List<DayFrame> earlier, float[] target) {
    FeatureStream stream = stream(day, earlier);
    for (int tick = 0; tick < day.ticks(); tick++) {
      stream.next(tick, target, tick * names.size());
    }
  }

  @Override
  public FeatureStream stream(DayFrame day, List<DayFrame> earlier) {
    Map<String, NavigableMap<Long, float[]>> all = content().rows;
    NavigableMap<Long, float[]> rows = all.getOrDefault(day.instrument(), all.get(ANY));
    long today = BarTime.of(day.date());
    return (tick, target, at) -> {
      float[] row = rows == null ? null : known(rows, today, day.time(tick));
      for (int i = 0; i < names.size(); i++) {
        target[at + i] = row == null || Float.isInfinite(row[i]) ? Float.NaN : row[i];
      }
    };
  }

  /// Returns the last row that is known at a bar, or null.
  private float @Nullable [] known(NavigableMap<Long, float[]> rows, long today, long bar) {
    var entry = rows.floorEntry(Math.max(bar, today));
    while (entry != null) {
      long time = entry.getKey();
      boolean isDate = time % BarTime.SECONDS_A_DAY == 0;
      boolean isKnown = isDate ? time < today || (isKnownBefore && time == today) : time <= bar;
      if (isKnown) {
        return entry.getValue();
      }
      entry = rows.lowerEntry(time);
    }
    return null;
  }

  private Content content() {
    Content read = content;
    try {
      FileTime changed = Files.getLastModifiedTime(file);
      if (read == null || !read.changed.equals(changed)) {
        read = new Content(changed, read());
        content = read;
      }
      return read;
    } catch (IOException _) {
      throw new DataException(file.toString(), "a table", "no such file");
    }
  }

  private Map<String, NavigableMap<Long, float[]>> read() {
    Table table = TableFormat.of(file).read(file, List.of());
    String time = find(table, TIMES);
    String instrument = find(table, INSTRUMENTS);
    var missing = new ArrayList<>(names);
    missing.removeAll(table.names());
    if (time == null || !missing.isEmpty()) {
      throw new DataException(
          file.toString(), "a column out of %s, and %s".formatted(TIMES, names), table.names());
    }
    var rows = new HashMap<String, NavigableMap<Long, float[]>>();
    for (int row = 0; row < table.rows(); row++) {
      String code = ANY;
      if (instrument != null && table.column(instrument) instanceof Table.Texts texts) {
        code = String.valueOf(texts.value(row));
      }
      float[] values = new float[names.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) table.number(names.get(i), row);
      }
      long at = table.time(time, row);
      if (rows.computeIfAbsent(code, _ -> new TreeMap<>()).put(at, values) != null) {
        throw new DataException(
            file + ":" + (row + 2), "one row for each time and instrument", BarTime.format(at));
      }
    }
    return rows;
  }

  private static @Nullable String find(Table table, List<String> names) {
    return names.stream().filter(table.names()::contains).findFirst().orElse(null);
  }
}

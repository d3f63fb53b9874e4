package io.tranche.market.table;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.session.BarLabel;
import io.tranche.market.session.SessionBars.Reading;
import io.tranche.market.session.StatedSessions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Which columns of a table are the instrument, the time and the fields of bars.
///
/// @param instrumentColumn null: the first of [#INSTRUMENT_NAMES] that the table has
/// @param instrument the one instrument of a table without such a column; null: the file's name
/// @param timeColumn null: the first of [#TIME_NAMES] that the table has
/// @param frequency null: the most common distance between bars
/// @param renames column to field
/// @param columns the columns to take as fields; empty for all
/// @param reading the sessions, and what times mean
public record ColumnMapping(
    @Nullable String instrumentColumn,
    @Nullable String instrument,
    @Nullable String timeColumn,
    @Nullable Frequency frequency,
    Map<String, String> renames,
    List<String> columns,
    Reading reading) {

  /// Default names of the instrument column, in any case.
  public static final List<String> INSTRUMENT_NAMES =
      List.of("symbol", "instrument", "code", "stock_id", "ticker");

  /// Default names of the time column, in any case.
  public static final List<String> TIME_NAMES = List.of("datetime", "timestamp", "time", "date");

  public static final ColumnMapping DEFAULT =
      new ColumnMapping(null, null, null, null, Map.of(), List.of(), Reading.PLAIN);

  private static final Set<String> KEYS =
      Set.of(
          "instrument_column",
          "instrument",
          "time_column",
          "session",
          "label",
          "time_zone",
          "frequency",
          "rename",
          "columns");

  public ColumnMapping {
    renames = Map.copyOf(renames);
    columns = List.copyOf(columns);
    if (instrumentColumn != null && instrument != null) {
      throw new IllegalArgumentException(
          "instrument must be a column or a constant, was both: %s and %s"
              .formatted(instrumentColumn, instrument));
    }
  }

  /// Makes a mapping with one session for all instruments; null to find sessions.
  public ColumnMapping(
      @Nullable String instrumentColumn,
      @Nullable String instrument,
      @Nullable String timeColumn,
      @Nullable Session session,
      @Nullable Frequency frequency,
      Map<String, String> renames,
      List<String> columns) {
    this(
        instrumentColumn,
        instrument,
        timeColumn,
        frequency,
        renames,
        columns,
        new Reading(StatedSessions.of(session), BarLabel.START, null));
  }

  /// Reads a mapping from a configuration: `instrument_column`, `instrument`, `time_column`,
  /// `session`, `label`, `time_zone`, `frequency`, `rename` (a mapping) and `columns` (a list).
  ///
  /// @throws ConfigException if a key is unknown or a value is not what it should be
  public static ColumnMapping from(ConfigNode config) {
    config.rejectUnknown(KEYS);
    ConfigNode instrument = config.written("instrument");
    if (instrument != null && config.has("instrument_column")) {
      throw instrument.wrong("either instrument or instrument_column");
    }
    var renames = new LinkedHashMap<String, String>();
    ConfigNode rename = config.written("rename");
    if (rename != null) {
      rename.keys().forEach(column -> renames.put(column, rename.required(column).asText()));
    }
    ConfigNode columns = config.written("columns");
    return new ColumnMapping(
        text(config, "instrument_column"),
        text(config, "instrument"),
        text(config, "time_column"),
        parsed(config, "frequency", Frequency::parse),
        renames,
        columns == null ? List.of() : columns.asTexts(),
        Reading.from(config));
  }

  /// Returns what [#from] reads, without what is as in [#DEFAULT].
  public Map<String, Object> toConfig() {
    var keys = new LinkedHashMap<String, Object>();
    putIfGiven(keys, "instrument_column", instrumentColumn);
    putIfGiven(keys, "instrument", instrument);
    putIfGiven(keys, "time_column", timeColumn);
    putIfGiven(keys, "frequency", frequency);
    if (!renames.isEmpty()) {
      keys.put("rename", new TreeMap<>(renames));
    }
    if (!columns.isEmpty()) {
      keys.put("columns", columns);
    }
    keys.putAll(reading.toConfig());
    return keys;
  }

  private static void putIfGiven(Map<String, Object> keys, String key, @Nullable Object value) {
    if (value != null) {
      keys.put(key, value.toString());
    }
  }

  /// Returns the session that is stated for all instruments; null if none is.
  public @Nullable Session session() {
    return reading.sessions().forAll();
  }

  /// Returns the session whose trading days the times as they are written have; null for dates.
  public @Nullable Session rawSession() {
    boolean isLocal = reading.label() == BarLabel.START && reading.zone() == null;
    return isLocal ? session() : null;
  }

  public ColumnMapping withFrequency(@Nullable Frequency other) {
    return new ColumnMapping(
        instrumentColumn, instrument, timeColumn, other, renames, columns, reading);
  }

  public ColumnMapping withReading(Reading other) {
    return new ColumnMapping(
        instrumentColumn, instrument, timeColumn, frequency, renames, columns, other);
  }

  /// Returns the field that `column` becomes: renamed, or in lower case without a dollar sign.
  public String field(String column) {
    return plain(renames.getOrDefault(column, column));
  }

  /// Returns the column of `names` that holds instruments, or null.
  public @Nullable String instrumentIn(Iterable<String> names) {
    return instrument != null ? null : role(instrumentColumn, INSTRUMENT_NAMES, names);
  }

  /// Returns the column of `names` that holds times, or null.
  public @Nullable String timeIn(Iterable<String> names) {
    return role(timeColumn, TIME_NAMES, names);
  }

  /// Returns the instrument of a file without an instrument column: the constant, or the file's
  /// name up to its first dot.
  public String instrumentOf(Path file) {
    return instrument == null ? nameOf(file) : instrument;
  }

  /// Returns a file's name up to its first dot.
  public static String nameOf(Path file) {
    String name = String.valueOf(file.getFileName());
    int dot = name.indexOf('.', 1);
    return dot < 0 ? name : name.substring(0, dot);
  }

  private static @Nullable String role(
      @Nullable String chosen, List<String> usual, Iterable<String> names) {
    for (String wanted : chosen == null ? usual : List.of(chosen)) {
      for (String name : names) {
        if (chosen == null ? plain(name).equals(wanted) : name.equals(wanted)) {
          return name;
        }
      }
    }
    return null;
  }

  private static String plain(String name) {
    String lower = name.strip().toLowerCase(Locale.ROOT);
    return lower.startsWith("$") ? lower.substring(1) : lower;
  }

  private static @Nullable String text(ConfigNode config, String key) {
    ConfigNode value = config.written(key);
    return value == null ? null : value.asText();
  }

  private static <T> @Nullable T parsed(ConfigNode config, String key, Function<String, T> parser) {
    ConfigNode value = config.written(key);
    try {
      return value == null ? null : parser.apply(value.asText());
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new ConfigException(
          value == null ? key : value.where(), String.valueOf(e.getMessage()), value);
    }
  }
}

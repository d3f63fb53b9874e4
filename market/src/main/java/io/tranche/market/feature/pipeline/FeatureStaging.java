package io.tranche.market.feature.pipeline;

import io.tranche.config.ConfigException;
import io.tranche.files.PendingFile;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.expression.Expression;
import io.tranche.market.feature.FeatureProgress;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/// The first pass of the pipeline: raw features and backtest columns of each instrument, on disk.
///
/// An instrument that an earlier run staged is not computed again, as long as its bars have not
/// changed since.
final class FeatureStaging {

  private final BarSource source;
  private final FeatureConfig config;
  private final Calendar calendar;
  private final int start;
  private final int end;
  private final List<String> instruments;
  private final Map<String, String> features;
  private final Map<String, String> backtest;

  /// @throws ConfigException if the source lacks a wanted instrument
  /// @throws DataException if the source has no bars in the window or lacks a field
  FeatureStaging(BarSource source, FeatureConfig config) {
    this.source = source;
    this.config = config;
    this.calendar = source.calendar();
    this.start = calendar.ceiling(config.start());
    this.end = calendar.floor(config.end());
    this.features = HandlerExpressions.features(config.prices(), config.dayLength());
    this.backtest = HandlerExpressions.backtest(config.backtestVwap(), config.dayLength());
    Set<String> known = new LinkedHashSet<>(source.instruments());
    Collection<String> wanted = config.instruments().isEmpty() ? known : config.instruments();
    this.instruments = wanted.stream().distinct().sorted().toList();
    for (String code : instruments) {
      if (known.contains(code) && !source.calendar(code).equals(calendar)) {
        throw new DataException(
            "features of " + code, "instruments of one session", source.session(code));
      }
    }
    if (start > end) {
      throw new DataException(
          "features from %s to %s"
              .formatted(BarTime.format(config.start()), BarTime.format(config.end())),
          "bars of the source within them",
          calendar);
    }
    List<String> unknown = instruments.stream().filter(code -> !known.contains(code)).toList();
    if (!unknown.isEmpty()) {
      throw new ConfigException("instruments", "codes that the source has", unknown);
    }
    List<String> fields = fields().stream().map(name -> name.substring(1)).toList();
    if (!source.fields().containsAll(fields)) {
      throw new DataException("features", "bars with the fields " + fields, source.fields());
    }
  }

  Calendar window() {
    return Calendar.of(calendar.frequency(), calendar.times(start, end + 1));
  }

  /// Returns the expressions of the feature columns, the first of a staged file.
  Map<String, String> features() {
    return features;
  }

  /// Returns the expressions of the backtest columns, which follow the feature columns.
  Map<String, String> backtest() {
    return backtest;
  }

  /// Lets `elsewhere` compute the instruments that no earlier run staged.
  ///
  /// @return these instruments
  Set<String> stageElsewhere(Path folder, RawFeatures.Elsewhere elsewhere) throws IOException {
    Files.createDirectories(folder);
    List<String> missing =
        instruments.stream().filter(code -> Files.notExists(file(folder, code))).toList();
    elsewhere.make(
        missing,
        (code, content) -> {
          try {
            PendingFile.writeUnforced(file(folder, code), content);
          } catch (IOException e) {
            throw unwritable(folder, e);
          }
        });
    return Set.copyOf(missing);
  }

  /// Returns the staged files of all instruments by code, including those that the filter dropped.
  ///
  /// @param known instruments whose files are known to belong to these bars
  SortedMap<String, StagedFile> stage(
      Path folder, Set<String> known, int threads, FeatureProgress progress) throws IOException {
    Files.createDirectories(folder);
    var raw = new RawFeatures(this);
    StagedFile[] staged = new StagedFile[instruments.size()];
    var counter = new ProgressCounter(progress, "raw features", staged.length);
    ParallelTasks.forEach(
        threads,
        staged.length,
        i -> {
          String instrument = instruments.get(i);
          Path file = file(folder, instrument);
          try {
            StagedFile earlier = StagedFile.open(file);
            staged[i] =
                earlier != null
                        && (known.contains(instrument)
                            || earlier.header().input() == raw.input(instrument))
                    ? earlier
                    : raw.write(instrument, file);
          } catch (IOException e) {
            throw unwritable(folder, e);
          }
          counter.step();
        });
    var files = new TreeMap<String, StagedFile>();
    for (int i = 0; i < staged.length; i++) {
      files.put(instruments.get(i), staged[i]);
    }
    return files;
  }

  private static DataException unwritable(Path folder, IOException e) {
    return new DataException(folder.toString(), "a writable folder", e.getMessage(), e);
  }

  private static Path file(Path folder, String instrument) {
    return folder.resolve(URLEncoder.encode(instrument, StandardCharsets.UTF_8) + ".raw");
  }

  RawColumns.Query columns() {
    var expressions = new ArrayList<>(features.values());
    expressions.addAll(backtest.values());
    return RawColumns.query(source, expressions, start, end);
  }

  /// Returns the header of a staged file. An instrument has rows if it trades from the first bar of
  /// the window to its last; gaps in between do not matter. Qlib: `TimeRangeFlt`.
  StagedFile.Header header(int input, RawColumns raw) {
    boolean kept = raw.firstBar() >= 0 && raw.firstBar() <= start && raw.lastBar() >= end;
    int rows = kept ? end - start + 1 : 0;
    int columns = features.size() + backtest.size();
    return new StagedFile.Header(input, raw.firstBar(), raw.lastBar(), columns, rows);
  }

  /// Returns the checksum of each instrument's bars without computing anything.
  Map<String, Integer> checksums(int threads) {
    var bars = bars();
    int[] checksums = new int[instruments.size()];
    ParallelTasks.forEach(
        threads, checksums.length, i -> checksums[i] = bars.of(instruments.get(i)).checksum());
    var byCode = new LinkedHashMap<String, Integer>();
    for (int i = 0; i < checksums.length; i++) {
      byCode.put(instruments.get(i), checksums[i]);
    }
    return byCode;
  }

  String fingerprint(Map<String, Integer> checksums) {
    ByteBuffer times = ByteBuffer.allocate(calendar.size() * Long.BYTES);
    times.asLongBuffer().put(calendar.times(0, calendar.size()));
    var fingerprint = new CRC32C();
    fingerprint.update(times);
    checksums.forEach(
        (code, checksum) ->
            fingerprint.update((code + ' ' + checksum + '\n').getBytes(StandardCharsets.UTF_8)));
    return "%08x".formatted(fingerprint.getValue());
  }

  RawColumns.Query bars() {
    long left = 0;
    for (var expressions : List.of(features, backtest)) {
      for (String text : expressions.values()) {
        left = Math.max(left, Expression.parse(text).extension().left());
      }
    }
    return RawColumns.query(source, fields(), (int) Math.max(0, start - left), end);
  }

  private List<String> fields() {
    var fields = new ArrayList<>(config.prices());
    fields.addAll(List.of("$close", "$volume"));
    if (config.backtestVwap()) {
      fields.add("$vwap");
    }
    return fields.stream().distinct().toList();
  }

  /// Returns the exception for a filter that left no instrument.
  DataException nothingLeft(Iterable<StagedFile> staged) {
    int first = Integer.MAX_VALUE;
    int last = -1;
    for (StagedFile file : staged) {
      if (file.header().firstBar() >= 0) {
        first = Math.min(first, file.header().firstBar());
        last = Math.max(last, file.header().lastBar());
      }
    }
    String reach =
        last < 0
            ? "none have features"
            : "features from %s to %s at best".formatted(time(first), time(last));
    return new DataException(
        "features from %s to %s".formatted(time(start), time(end)),
        "instruments with bars for all that time and for %d bars (2 x day_length) before it"
            .formatted(2 * config.dayLength()),
        "%s, as the source begins at %s, %d bars before".formatted(reach, time(0), start));
  }

  private String time(int bar) {
    return BarTime.format(calendar.time(bar));
  }

  /// Counts the steps of one stage and reports them one call at a time, in order.
  static final class ProgressCounter {

    private final FeatureProgress progress;
    private final String stage;
    private final int total;
    private int done;

    ProgressCounter(FeatureProgress progress, String stage, int total) {
      this.progress = progress;
      this.stage = stage;
      this.total = total;
    }

    synchronized void step() {
      progress.at(stage, ++done, total);
    }
  }
}

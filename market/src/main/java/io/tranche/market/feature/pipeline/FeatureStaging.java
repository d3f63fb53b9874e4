package io.tranche.market.feature.pipeline;

import static java.util.Objects.requireNonNull;

import io.tranche.config.ConfigException;
import io.tranche.files.PendingFile;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Session;
import io.tranche.market.feature.FeatureProgress;
import io.tranche.market.feature.pipeline.FeatureConfig.Rules;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The first pass of the pipeline: raw features and backtest columns of each instrument, on disk.
///
/// An instrument that an earlier run staged is not computed again, as long as its bars have not
/// changed since.
final class FeatureStaging {

  /// Of what staged files hold; another version's are not continued.
  static final int VERSION = 2;

  private final FeatureConfig config;
  private final List<String> instruments;
  private final List<StagingGroup> groups;
  private final Map<String, StagingGroup> byCode = new HashMap<>();

  /// @throws ConfigException if the source lacks a wanted instrument
  /// @throws DataException if the source has no bars in the window or lacks a field
  FeatureStaging(BarSource source, FeatureConfig config) {
    this.config = config;
    Set<String> known = new LinkedHashSet<>(source.instruments());
    Collection<String> wanted = config.instruments().isEmpty() ? known : config.instruments();
    this.instruments = wanted.stream().distinct().sorted().toList();
    List<String> unknown = instruments.stream().filter(code -> !known.contains(code)).toList();
    if (!unknown.isEmpty()) {
      throw new ConfigException("instruments", "codes that the source has", unknown);
    }
    var bySession = new LinkedHashMap<Object, StagingGroup>();
    var sizes = new IdentityHashMap<StagingGroup, Integer>();
    for (String code : instruments) {
      @Nullable Session session = config.rules() == Rules.NATIVE ? source.session(code) : null;
      StagingGroup group =
          bySession.computeIfAbsent(
              session == null ? "" : session, _ -> StagingGroup.of(source, config, code));
      byCode.put(code, group);
      sizes.merge(group, 1, Integer::sum);
    }
    this.groups =
        bySession.values().stream()
            .sorted(Comparator.comparingInt((StagingGroup group) -> -sizes.getOrDefault(group, 0)))
            .toList();
    if (groups.stream().noneMatch(StagingGroup::hasWindow)) {
      throw new DataException(
          "features from %s to %s"
              .formatted(BarTime.format(config.start()), BarTime.format(config.end())),
          "bars of the source within them",
          source.calendar());
    }
    List<String> fields =
        groups.getFirst().fields().stream().map(name -> name.substring(1)).toList();
    if (!source.fields().containsAll(fields)) {
      throw new DataException("features", "bars with the fields " + fields, source.fields());
    }
  }

  /// Returns the group of an instrument.
  StagingGroup group(String instrument) {
    return requireNonNull(byCode.get(instrument));
  }

  /// Returns the groups, the one with most instruments first.
  List<StagingGroup> groups() {
    return groups;
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

  /// Returns the checksum of each instrument's bars without computing anything.
  Map<String, Integer> checksums(int threads) {
    var raw = new RawFeatures(this);
    int[] checksums = new int[instruments.size()];
    ParallelTasks.forEach(
        threads, checksums.length, i -> checksums[i] = raw.input(instruments.get(i)));
    var byCode = new LinkedHashMap<String, Integer>();
    for (int i = 0; i < checksums.length; i++) {
      byCode.put(instruments.get(i), checksums[i]);
    }
    return byCode;
  }

  String fingerprint(Map<String, Integer> checksums) {
    var fingerprint = new CRC32C();
    for (StagingGroup group : groups) {
      Calendar calendar = group.calendar();
      ByteBuffer times = ByteBuffer.allocate(calendar.size() * Long.BYTES);
      times.asLongBuffer().put(calendar.times(0, calendar.size()));
      fingerprint.update(times);
    }
    checksums.forEach(
        (code, checksum) ->
            fingerprint.update((code + ' ' + checksum + '\n').getBytes(StandardCharsets.UTF_8)));
    return "%08x".formatted(fingerprint.getValue());
  }

  /// Returns the exception for a filter that left no instrument.
  DataException nothingLeft(Map<String, StagedFile> staged) {
    StagingGroup group = groups.stream().filter(StagingGroup::hasWindow).findFirst().orElseThrow();
    int first = Integer.MAX_VALUE;
    int last = -1;
    for (var entry : staged.entrySet()) {
      StagedFile.Header header = entry.getValue().header();
      if (group(entry.getKey()).equals(group) && header.firstBar() >= 0) {
        first = Math.min(first, header.firstBar());
        last = Math.max(last, header.lastBar());
      }
    }
    String reach =
        last < 0
            ? "none have features"
            : "features from %s to %s at best".formatted(group.time(first), group.time(last));
    String where =
        "features from %s to %s".formatted(group.time(group.start()), group.time(group.end()));
    String begins =
        "%s, as the source begins at %s, %d bars before"
            .formatted(reach, group.time(0), group.start());
    return new DataException(
        where,
        config.isWholeWindow()
            ? "instruments with bars for all that time and for %d bars (2 x day_length) before it"
                .formatted(2 * group.dayLength())
            : "instruments with bars on at least three days, the last of them in that time",
        begins);
  }

  /// Returns what is left out: instruments without features, and days without them at the start of
  /// others.
  List<String> notes(Map<String, StagedFile> staged) {
    var notes = new ArrayList<String>();
    var late = new ArrayList<String>();
    int days = 0;
    for (var entry : staged.entrySet()) {
      StagingGroup group = group(entry.getKey());
      StagedFile.Header header = entry.getValue().header();
      if (!header.survived()) {
        notes.add("%s is dropped: %s".formatted(entry.getKey(), why(group, header)));
      } else if (group.hasWholeDays() && header.firstBar() > group.start()) {
        Calendar calendar = group.calendar();
        days += calendar.dayOfBar(header.firstBar()) - calendar.dayOfBar(group.start());
        late.add(entry.getKey());
      }
    }
    if (!late.isEmpty()) {
      notes.add(
          "%d days of %d instruments have no features, the first of %s: features need bars on two"
                  .formatted(days, late.size(), late.getFirst())
              + " days before");
    }
    return notes;
  }

  private String why(StagingGroup group, StagedFile.Header header) {
    if (!group.hasWindow() || header.firstBar() < 0 || header.lastBar() < group.start()) {
      return "no day in the window with bars and with bars on two days before";
    }
    return "features from %s to %s, not for the whole window"
        .formatted(group.time(header.firstBar()), group.time(header.lastBar()));
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

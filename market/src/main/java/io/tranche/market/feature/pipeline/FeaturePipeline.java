package io.tranche.market.feature.pipeline;

import static java.util.Objects.requireNonNull;

import io.tranche.config.ConfigException;
import io.tranche.files.Fsync;
import io.tranche.files.StagedFolder;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.BarWriter;
import io.tranche.market.DataException;
import io.tranche.market.Session;
import io.tranche.market.feature.FeatureProgress;
import io.tranche.market.feature.pipeline.FeatureStaging.ProgressCounter;
import io.tranche.market.feature.pipeline.GroupStatistics.FloatStream;
import io.tranche.market.store.QlibStoreWriter;
import io.tranche.market.store.QlibStoreWriter.Existing;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;

/// Makes a [FeatureStore] from bars: Qlib's high-frequency features, normalised, and the columns
/// that a backtest trades against. Qlib: `gen_pickle_data.py`.
///
/// Three passes, so that memory does not grow with the number of instruments: raw columns of one
/// instrument after another into staging files, statistics of the staged columns, and the store. A
/// killed run continues with the instruments that are not staged yet. The resulting bytes do not
/// depend on that, nor on the number of threads. Nothing is visible at the target before it is
/// complete.
public final class FeaturePipeline {

  private final FeatureStaging staging;
  private final FeatureConfig config;
  private final int threads;
  private final FeatureProgress progress;

  private FeaturePipeline(
      FeatureStaging staging, FeatureConfig config, int threads, FeatureProgress progress) {
    this.staging = staging;
    this.config = config;
    this.threads = threads;
    this.progress = progress;
  }

  /// Makes the store at `target`, or returns the existing one if it has the same bars and
  /// configuration.
  ///
  /// @param threads how many instruments are computed at the same time
  /// @throws ConfigException if another configuration made what is at `target`
  /// @throws DataException if the bars changed since, lack a field, or leave no instrument
  public static FeatureStore run(
      BarSource source, FeatureConfig config, Path target, int threads, FeatureProgress progress)
      throws IOException {
    return run(source, config, target, threads, (_, _) -> {}, progress);
  }

  /// Makes the store from raw features of `elsewhere`; those it leaves out are computed here.
  public static FeatureStore run(
      BarSource source,
      FeatureConfig config,
      Path target,
      int threads,
      RawFeatures.Elsewhere elsewhere,
      FeatureProgress progress)
      throws IOException {
    var staging = new FeatureStaging(source, config);
    new FeaturePipeline(staging, config, threads, progress)
        .make(target.toAbsolutePath(), elsewhere);
    return FeatureStore.open(target);
  }

  private void make(Path target, RawFeatures.Elsewhere elsewhere) throws IOException {
    Path work = target.resolveSibling(target.getFileName() + ".partial");
    if (Files.exists(target)) {
      FeatureManifest manifest = FeatureManifest.read(target);
      manifest.requireConfig(target, config);
      manifest.requireBars(target, staging.fingerprint(staging.checksums(threads)));
      deleteTree(work); // a run may have been killed in its last step
      return;
    }
    forgetOtherRuns(work);
    Path folder = work.resolve("staging");
    Set<String> known = staging.stageElsewhere(folder, elsewhere);
    var staged = staging.stage(folder, known, threads, progress);
    var inputs = new LinkedHashMap<String, Integer>();
    var survivors = new LinkedHashMap<String, StagedFile>();
    staged.forEach(
        (code, file) -> {
          inputs.put(code, file.header().input());
          if (file.header().survived()) {
            survivors.put(code, file);
          }
        });
    if (survivors.isEmpty()) {
      throw staging.nothingLeft(staged);
    }
    Path result = work.resolve("result");
    deleteTree(result);
    Files.createDirectories(result);
    List<GroupStatistics> statistics = write(result, survivors);
    StagingGroup largest = staging.groups().getFirst();
    new FeatureManifest(
            config,
            staging.fingerprint(inputs),
            largest.calendar().frequency(),
            largest.features(),
            largest.backtest(),
            statistics,
            staged.keySet().stream().filter(code -> !survivors.containsKey(code)).toList(),
            staging.notes(staged),
            days(survivors.keySet()),
            largest.isAdjusted())
        .write(result);
    Files.move(result, target, StandardCopyOption.ATOMIC_MOVE);
    Fsync.force(requireNonNull(target.getParent())); // the store must survive a power cut
    deleteTree(work);
  }

  /// Returns the instruments by the ticks of their sessions, the most common first.
  private Map<Integer, List<String>> days(Collection<String> survivors) {
    var days = new LinkedHashMap<Integer, List<String>>();
    for (StagingGroup group : staging.groups()) {
      List<String> codes =
          survivors.stream().filter(code -> staging.group(code).equals(group)).toList();
      if (group.hasWholeDays() && !codes.isEmpty()) {
        days.computeIfAbsent(group.dayLength(), _ -> new ArrayList<>()).addAll(codes);
      }
    }
    return days;
  }

  /// Empties the working folder if it belongs to other settings or another calendar.
  private void forgetOtherRuns(Path work) throws IOException {
    Path settings = work.resolve("settings.yml");
    String text =
        config.toConfig().toYaml()
            + "calendar: %s\nstaging: %d\n"
                .formatted(staging.fingerprint(Map.of()), FeatureStaging.VERSION);
    if (!Files.exists(settings) || !Files.readString(settings).equals(text)) {
      deleteTree(work);
      Files.createDirectories(work);
      Files.writeString(settings, text);
    }
  }

  /// Fits the statistics to the staged columns and writes the stores that they normalise.
  private List<GroupStatistics> write(Path result, SequencedMap<String, StagedFile> survivors)
      throws IOException {
    try (Arena arena = Arena.ofShared()) {
      var columns = new LinkedHashMap<String, StagedColumns>();
      survivors.forEach((code, file) -> columns.put(code, file.mapped(arena)));
      List<GroupStatistics> statistics = fit(columns);
      write(result, columns, statistics);
      return statistics;
    }
  }

  private List<GroupStatistics> fit(SequencedMap<String, StagedColumns> survivors) {
    var parts = new ArrayList<Part>();
    survivors.forEach(
        (code, columns) -> {
          StagingGroup group = staging.group(code);
          if (group.fitFrom() < group.fitTo()) {
            parts.add(new Part(columns, group.fitFrom(), group.fitTo()));
          }
        });
    if (parts.isEmpty()) {
      throw new DataException(
          "statistics from %s to %s"
              .formatted(BarTime.format(config.fitStart()), BarTime.format(config.fitEnd())),
          "bars of the features' window",
          staging.group(survivors.firstEntry().getKey()).window());
    }
    long rows = parts.stream().mapToLong(part -> part.to() - part.from()).sum();
    List<String> names = List.copyOf(config.groups().keySet());
    int[] columns = groupColumns();
    GroupStatistics[] statistics = new GroupStatistics[names.size()];
    var counter = new ProgressCounter(progress, "statistics", names.size());
    ParallelTasks.forEach(
        threads,
        names.size(),
        i -> {
          long count = (columns[i + 1] - columns[i]) * rows;
          statistics[i] =
              GroupStatistics.fit(
                  names.get(i),
                  config.deviation(),
                  count,
                  () -> new StagedGroup(parts, columns[i]));
          counter.step();
        });
    return List.of(statistics);
  }

  private void write(
      Path result, SequencedMap<String, StagedColumns> survivors, List<GroupStatistics> statistics)
      throws IOException {
    var counter = new ProgressCounter(progress, "feature store", survivors.size());
    try (BarWriter featureWriter =
            QlibStoreWriter.create(result.resolve("feature"), Existing.REFUSE);
        BarWriter backtestWriter =
            QlibStoreWriter.create(result.resolve("backtest"), Existing.REFUSE)) {
      var features = new StagedSource(staging, survivors, true, c -> normalise(c, statistics));
      var backtest = new StagedSource(staging, survivors, false, _ -> {});
      BarSource featureBars = features.onOneCalendar();
      BarSource backtestBars = backtest.onOneCalendar();
      for (String code : survivors.keySet()) {
        featureWriter.write(featureBars.series(code));
        backtestWriter.write(backtestBars.series(code));
        Session session = staging.group(code).session();
        if (session != null) {
          featureWriter.record(code, session);
          backtestWriter.record(code, session);
        }
        counter.step();
      }
      featureWriter.commit();
      backtestWriter.commit();
    }
  }

  private void normalise(float[][] columns, List<GroupStatistics> statistics) {
    int[] first = groupColumns();
    for (int group = 0; group < statistics.size(); group++) {
      for (int column = first[group]; column < first[group + 1]; column++) {
        statistics.get(group).apply(columns[column]);
      }
    }
  }

  /// Returns the first column of each group, and after the last group the number of columns.
  private int[] groupColumns() {
    int[] first = new int[config.groups().size() + 1];
    int group = 0;
    for (int width : config.groups().values()) {
      first[group + 1] = first[group] + width;
      group++;
    }
    return first;
  }

  private static void deleteTree(Path root) throws IOException {
    if (Files.exists(root)) {
      StagedFolder.delete(root);
    }
  }

  /// Some rows of staged columns.
  private record Part(StagedColumns columns, int from, int to) {}

  /// The values of some columns, one column after another, each over all instruments: the order in
  /// which NumPy sees the block that Qlib fits its statistics to.
  private static final class StagedGroup implements FloatStream {

    private final List<Part> parts;
    private int column;
    private int part = -1;
    private float[] values = {};
    private int next;

    StagedGroup(List<Part> parts, int firstColumn) {
      this.parts = parts;
      this.column = firstColumn;
    }

    @Override
    public void read(float[] block, int length) {
      int filled = 0;
      while (filled < length) {
        if (next == values.length) {
          advance();
        }
        int some = Math.min(length - filled, values.length - next);
        System.arraycopy(values, next, block, filled, some);
        next += some;
        filled += some;
      }
    }

    private void advance() {
      if (++part == parts.size()) {
        part = 0;
        column++;
      }
      Part rows = parts.get(part);
      if (values.length != rows.to() - rows.from()) {
        values = new float[rows.to() - rows.from()];
      }
      rows.columns().read(column, rows.from(), values);
      next = 0;
    }
  }
}

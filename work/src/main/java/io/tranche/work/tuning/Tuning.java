package io.tranche.work.tuning;

import io.tranche.analysis.report.Reports;
import io.tranche.analysis.report.SearchReport;
import io.tranche.market.DataException;
import io.tranche.run.ExecutionRun;
import io.tranche.run.PreparedData;
import io.tranche.work.JobBackend;
import io.tranche.work.JobSession;
import io.tranche.work.SentConfig;
import io.tranche.work.tuning.Halving.Task;
import io.tranche.work.tuning.TrialScheduler.Request;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A search for better settings of a training configuration.
///
/// Which trials are promoted depends on which reach a rung first, and that must not depend on the
/// speed of machines. So a search has its own time, in which an iteration takes one unit and a
/// fixed number of trials run at once. The search awaits the outcome that is next in that time and
/// then decides what to ask for, while other trials are trained wherever there is room.
public final class Tuning implements AutoCloseable {

  private final TuneConfig config;
  private final TuneDirectory directory;
  private final TrialLog log;
  private final Set<String> skipped = new LinkedHashSet<>();
  private volatile @Nullable TrialScheduler scheduler;

  private Tuning(TuneConfig config, TuneDirectory directory, TrialLog log) {
    this.config = config;
    this.directory = directory;
    this.log = log;
  }

  /// Opens a search, which may have begun before.
  ///
  /// @param file the tuning file
  /// @param folder of the search; a search that is already in it continues
  /// @param overwrites whether a search that is already in it is deleted instead
  /// @param warnings receives one line for each thing ignored in the training configuration
  /// @throws io.tranche.config.ConfigException if the file is wrong, or the folder holds something
  ///   else
  /// @throws io.tranche.market.DataException if what is in the folder is damaged
  public static Tuning open(Path file, Path folder, boolean overwrites, Consumer<String> warnings) {
    TuneConfig config = TuneFile.read(file, warnings);
    var directory = new TuneDirectory(folder);
    directory.requireOurs(config, overwrites);
    TrialLog log = TrialLog.open(directory.log());
    try {
      if (overwrites) {
        log.clear();
      }
      directory.claim(config, overwrites);
      return new Tuning(config, directory, log);
    } catch (RuntimeException e) {
      log.close();
      throw e;
    }
  }

  /// Trains everything that is not known yet, and writes the leaderboard and the report.
  ///
  /// @param backend trains the trials; changes no result
  /// @param skipsBad whether orders that cannot be executed are left out
  /// @throws io.tranche.market.DataException if data are missing, or results cannot be written
  /// @throws io.tranche.policy.weights.CheckpointException if a trial's checkpoint is missing
  public TuneOutcome run(JobBackend backend, boolean skipsBad, TuneListener listener) {
    boolean sharesData = !config.space().concerns("data");
    if (sharesData) {
      // As the other processes read the run, so that they recognise the data as theirs.
      ExecutionRun run = SentConfig.run(SentConfig.of(ExecutionRun.read(config.base(), _ -> {})));
      PreparedData.of(run, directory.shared(), listener::making);
    }
    Map<Integer, TrialRecord> records = records(config);
    log.replay(records);
    byte[] setup =
        TrialKind.setup(config.metric(), sharesData ? directory.folder() : null, skipsBad);
    int width = Math.min(backend.width(), config.schedule().parallel());
    try (JobSession session = backend.open(new TrialKind(), setup);
        var current = new TrialScheduler(config, directory, log, session, records, width)) {
      scheduler = current;
      var outcomes = new LinkedHashMap<Integer, TrialRecord>();
      var halving = new Halving(config);
      boolean isComplete = search(halving, current, outcomes, listener);
      Leaderboard board = leaderboard(halving, outcomes);
      if (isComplete) {
        TuneDirectory.write(directory.leaderboard(), board.csv());
        Reports.write(report(board), directory.folder());
      }
      return new TuneOutcome(isComplete, board, List.copyOf(skipped), directory.folder());
    }
  }

  /// Returns the trials of a search as they are now, which may go on in another process. Trials that
  /// are not over are waiting or running, which only that process knows.
  ///
  /// @throws io.tranche.config.ConfigException if the folder has no search
  /// @throws DataException if what is in it is damaged
  public static Leaderboard look(Path folder) {
    var directory = new TuneDirectory(folder);
    TuneConfig config = TuneFile.read(folder.resolve("tune.yml"), _ -> {});
    Map<Integer, TrialRecord> records = records(config);
    try {
      TrialLog.read(directory.log(), records);
    } catch (IOException e) {
      throw new DataException(
          directory.log().toString(), "a file that can be read", e.getMessage(), e);
    }
    List<Leaderboard.Row> rows =
        records.values().stream()
            .filter(record -> !record.points().isEmpty() || record.failure() != null)
            .map(record -> row(config, state(config, record), record))
            .sorted(Leaderboard.order(config.higherIsBetter()))
            .toList();
    return new Leaderboard(config.metric(), paths(config), rows);
  }

  private static TrialState state(TuneConfig config, TrialRecord record) {
    if (record.failure() != null) {
      return TrialState.FAILED;
    }
    return record.hasEnded() || record.trained() >= config.iterations()
        ? TrialState.COMPLETED
        : TrialState.WAITING;
  }

  private static Map<Integer, TrialRecord> records(TuneConfig config) {
    var records = new LinkedHashMap<Integer, TrialRecord>();
    if (config.triesBase()) {
      records.put(Trial.BASE, TrialRecord.of(new Trial(Trial.BASE, List.of())));
    }
    config.trials().forEach(trial -> records.put(trial.number(), TrialRecord.of(trial)));
    return records;
  }

  /// @param outcomes receives the latest record of each trial
  /// @return whether the search reached its end
  private boolean search(
      Halving halving,
      TrialScheduler current,
      Map<Integer, TrialRecord> outcomes,
      TuneListener listener) {
    Comparator<Leaderboard.Row> order = Leaderboard.order(config.higherIsBetter());
    var underWay = new PriorityQueue<>(Request.ORDER);
    Leaderboard.@Nullable Row best = null;
    long now = 0;
    while (true) {
      while (underWay.size() < config.schedule().parallel()) {
        Task task = halving.next();
        if (task == null) {
          break;
        }
        TrialRecord before = outcomes.get(task.trial());
        int from = before == null ? 0 : before.trained();
        underWay.add(current.ask(task, now + task.to() - from));
      }
      listener.on(
          new TuneListener.Status(config.trials().size(), halving.begun(), halving.rungs(), best));
      Request next = underWay.poll();
      if (next == null) {
        return true;
      }
      TrialRecord record = next.await();
      if (record == null) {
        return false;
      }
      now = next.end();
      outcomes.put(record.trial().number(), record);
      record.skipped().stream()
          .filter(skipped::add)
          .forEach(fault -> listener.message("skipped: " + fault));
      halving.tell(next.task(), record.points(), record.hasEnded(), record.failure() != null);
      Leaderboard.Row row = row(config, halving.state(record.trial().number()), record);
      if (row.failure() != null) {
        listener.message(
            "trial %d failed: %s: %s"
                .formatted(row.trial(), record.trial().description(), row.failure().reason()));
      } else if (best == null || order.compare(row, best) < 0) {
        best = row;
      }
    }
  }

  private Leaderboard leaderboard(Halving halving, Map<Integer, TrialRecord> outcomes) {
    List<Leaderboard.Row> rows =
        outcomes.values().stream()
            .map(record -> row(config, halving.state(record.trial().number()), record))
            .sorted(Leaderboard.order(config.higherIsBetter()))
            .toList();
    return new Leaderboard(config.metric(), paths(config), rows);
  }

  private SearchReport report(Leaderboard board) {
    var trials = new ArrayList<SearchReport.Trial>();
    for (Leaderboard.Row row : board.rows()) {
      var curve = new LinkedHashMap<Integer, Double>();
      row.points().forEach(point -> curve.put(point.iteration(), point.value()));
      boolean isBase = row.trial() == Trial.BASE;
      trials.add(
          new SearchReport.Trial(
              isBase ? "as\u00a0it\u00a0is" : "trial\u00a0" + row.trial(),
              isBase,
              row.state() == TrialState.COMPLETED,
              row.state().words(),
              row.iterations(),
              row.value(),
              row.values(),
              curve,
              row.failure() == null ? "" : row.failure().reason()));
    }
    return new SearchReport(
        "Search for better settings",
        "%d trials of one configuration, of at most %d iterations each, compared by %s on the same"
                .formatted(board.rows().size(), config.iterations(), config.metric())
            + " orders and, unless it is searched itself, with the same seed.",
        config.metric(),
        config.space().dimensions().stream()
            .map(each -> new SearchReport.Setting(each.path(), each.isLogarithmic()))
            .toList(),
        trials,
        config.resolved().toYaml());
  }

  private static List<String> paths(TuneConfig config) {
    return config.space().dimensions().stream().map(Dimension::path).toList();
  }

  private static Leaderboard.Row row(TuneConfig config, TrialState state, TrialRecord record) {
    Trial trial = record.trial();
    Failure failure = record.failure();
    var values = new ArrayList<String>();
    if (trial.number() == Trial.BASE) {
      paths(config).forEach(path -> values.add(config.baseValue(path)));
    } else {
      trial.settings().forEach(setting -> values.add(setting.value()));
    }
    return new Leaderboard.Row(
        trial.number(),
        state,
        // A trial that stopped early by itself would have gained nothing from the rest.
        record.hasEnded() ? config.iterations() : record.trained(),
        failure == null ? record.points().getLast().value() : Double.NaN,
        values,
        record.points(),
        failure);
  }

  /// Stops [#run] after the segments of trials under way. Any thread may call it.
  public void requestStop() {
    TrialScheduler current = scheduler;
    if (current != null) {
      current.requestStop();
    }
  }

  @Override
  public void close() {
    log.close();
  }
}

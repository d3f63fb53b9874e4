package io.tranche.work.backtest;

import io.tranche.backtest.run.BacktestRun;
import io.tranche.backtest.run.InstrumentRun;
import io.tranche.backtest.run.ResultRow;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.env.ParallelFor;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.order.OrderSheet;
import io.tranche.market.store.QlibStore;
import io.tranche.work.Backends;
import io.tranche.work.JobBackend;
import io.tranche.work.JobSession;
import io.tranche.work.backtest.BacktestOrders.Entry;
import io.tranche.work.backtest.GroupResult.Failure;
import io.tranche.work.backtest.WorkList.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A backtest put together from Qlib's configuration file. Qlib: `qlib.rl.contrib.backtest`.
///
/// Instruments run in parallel, and so do groups of days of one instrument where days do not depend
/// on each other. The results of each group are saved when it is finished, so a killed run
/// continues where it stopped, give or take half a second, see [Parts]. In the end they are merged
/// and deleted. The merged results depend on neither interruptions nor threads.
public final class Backtest implements AutoCloseable {

  private static final String PARTS = "instruments";

  private final BacktestPlan plan;
  private final BacktestOptions options;
  private final Path folder;
  private final BacktestOrders orders;
  private final BacktestRun run;
  private final Parts parts;
  private final ParallelFor parallel;
  private volatile boolean stops;

  /// Receives the progress of a backtest; called by several threads.
  @FunctionalInterface
  public interface Listener {
    void finished(int orders, int allOrders, String instrument);
  }

  private Backtest(
      BacktestPlan plan,
      BacktestOptions options,
      Path folder,
      BacktestOrders orders,
      BacktestRun run,
      Parts parts,
      ParallelFor parallel) {
    this.plan = plan;
    this.options = options;
    this.folder = folder;
    this.orders = orders;
    this.run = run;
    this.parts = parts;
    this.parallel = parallel;
  }

  /// As [#open(BacktestPlan, BacktestOptions, Consumer)].
  ///
  /// @param given the configuration as it is in the file
  public static Backtest open(
      ConfigNode given, BacktestOptions options, Consumer<String> warnings) {
    return open(BacktestPlan.from(given, warnings), options, warnings);
  }

  /// Reads and checks everything, but runs nothing yet.
  ///
  /// @param warnings receives one line for each thing that is ignored
  /// @throws ConfigException if a setting is wrong, or differs from what a checkpoint was trained
  ///   with
  /// @throws DataException if the data or an order is wrong
  /// @throws io.tranche.policy.weights.CheckpointException if a weight file is damaged, or belongs
  ///   to another network
  public static Backtest open(BacktestPlan plan, BacktestOptions given, Consumer<String> warnings) {
    BacktestOptions options = given.withLogs(given.logs() || plan.reports());
    QlibStore store = plan.store();
    String contradiction = plan.providers().region().warning(store.calendar());
    if (contradiction != null) {
      warnings.accept("qlib: " + contradiction);
    }
    TrainedSettings.check(plan.policies());
    var parallel = new ParallelFor(threads(plan, options.threads()));
    try {
      BacktestRun run = AssembledRun.of(plan, store, options.apart(), options.logs(), warnings);
      BacktestOrders checked = BacktestOrders.read(plan.orders(), store, options.skipsBad());
      Path folder = options.folder() == null ? plan.folder() : options.folder();
      var parts =
          new Parts(
              folder.resolve(PARTS),
              InputFingerprint.of(plan, options, checked, runs(run, checked)));
      return new Backtest(plan, options, folder, checked, run, parts, parallel);
    } catch (RuntimeException e) {
      parallel.close();
      throw e;
    }
  }

  private static int threads(BacktestPlan plan, @Nullable Integer given) {
    int count = given == null ? plan.concurrency() : given;
    if (count == 0) {
      throw new ConfigException("--n-jobs", "a number of threads, or -1 for all cores", 0);
    }
    int cores = Runtime.getRuntime().availableProcessors();
    return count > 0 ? count : Math.max(1, cores + 1 + count);
  }

  /// Returns how many orders there are to run.
  public int orders() {
    return orders.size();
  }

  /// Stops [#run] after the groups of orders under way. Any thread may call it.
  public void requestStop() {
    stops = true;
  }

  /// Runs all unfinished groups on threads of this process and writes the results.
  ///
  /// @throws ConfigException if the configuration does not match the data
  /// @throws DataException if results cannot be written
  public BacktestOutcome run(Listener listener) {
    return keeping(() -> runHere(listener));
  }

  private BacktestOutcome runHere(Listener listener) {
    var work = new WorkList(runs(run, orders), parallel.threads());
    var done = new AtomicInteger();
    var left = new AtomicInteger();
    parallel.run(
        work.size(),
        (_, worker) -> {
          Task task = work.take(worker);
          String instrument = task.run().instrument();
          if (parts.read(instrument, task.group()) == null) {
            if (stops) {
              left.incrementAndGet();
              return;
            }
            List<Entry> entries = entries(instrument);
            parts.write(
                instrument,
                task.group(),
                GroupResult.of(task.run(), task.group(), entries, options.logs()));
          }
          listener.finished(done.addAndGet(task.orders()), orders.size(), instrument);
        });
    return left.get() > 0 ? interrupted() : end();
  }

  /// As [#run(Listener)], on a backend. The results of a cluster are also written as Parquet.
  ///
  /// @throws ConfigException also if the data have other paths there
  public BacktestOutcome run(JobBackend backend, Listener listener) {
    return keeping(() -> runOn(backend, listener));
  }

  private BacktestOutcome runOn(JobBackend backend, Listener listener) {
    List<InstrumentRun> runs = runs(run, orders);
    var progress = new AtomicInteger();
    List<GroupsPiece> pieces =
        GroupsPiece.of(
            runs,
            this::entries,
            (instrument, group) -> parts.read(instrument, group) != null,
            backend.width());
    int left = pieces.stream().mapToInt(GroupsPiece::orders).sum();
    progress.set(orders.size() - left);
    try (JobSession session =
        backend.open(new BacktestKind(), BacktestSetup.of(plan, options).bytes())) {
      session.run(
          new byte[0],
          pieces.stream().map(GroupsPiece::bytes).toList(),
          (number, result) -> {
            GroupsPiece piece = pieces.get(number);
            piece
                .results(result)
                .forEach((group, part) -> parts.write(piece.instrument(), group, part));
            listener.finished(
                progress.addAndGet(piece.orders()), orders.size(), piece.instrument());
            if (stops) {
              throw new StopException();
            }
          });
    } catch (StopException _) {
      return interrupted();
    }
    BacktestOutcome outcome = end();
    if (!outcome.rows().isEmpty() && !backend.name().equals(Backends.LOCAL)) {
      ResultFiles.writeParquet(outcome.rows(), folder);
    }
    return outcome;
  }

  /// Ends a round after [#requestStop].
  private static final class StopException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /// Runs, and keeps what is finished if that ends early.
  private BacktestOutcome keeping(Supplier<BacktestOutcome> task) {
    if (options.restarts()) {
      parts.delete();
    }
    createFolder(folder);
    parts.begin();
    try {
      return task.get();
    } catch (Throwable e) {
      try {
        parts.flush();
      } catch (DataException unwritable) {
        e.addSuppressed(unwritable); // the first failure says more
      }
      throw e;
    }
  }

  private BacktestOutcome interrupted() {
    parts.flush();
    return new BacktestOutcome(
        List.of(), orders.byInstrument().size(), 0, false, folder.resolve(ResultFiles.RESULT));
  }

  private BacktestOutcome end() {
    BacktestOutcome outcome = merged();
    parts.delete();
    return outcome;
  }

  private static List<InstrumentRun> runs(BacktestRun run, BacktestOrders orders) {
    var runs = new ArrayList<InstrumentRun>();
    orders
        .byInstrument()
        .forEach(
            (instrument, entries) ->
                runs.add(run.of(instrument, entries.stream().map(Entry::order).toList())));
    return runs;
  }

  private List<Entry> entries(String instrument) {
    return orders.byInstrument().getOrDefault(instrument, List.of());
  }

  private BacktestOutcome merged() {
    var rows = new ArrayList<ResultRow>();
    var failed = new TreeMap<Integer, Map<String, Object>>();
    for (OrderSheet.Row row : orders.bad()) {
      failed.put(row.number(), failure(row.number(), row.order(), row.fault()));
    }
    var logs = new LinkedHashMap<String, CsvFile>();
    try {
      if (options.logs()) {
        LogFiles.NAMES.forEach(name -> logs.put(name, new CsvFile(folder.resolve(name))));
      }
      for (InstrumentRun each : runs(run, orders)) {
        for (int group = 0; group < each.groups().size(); group++) {
          GroupResult finished = parts.read(each.instrument(), group);
          if (finished == null) {
            throw new DataException(
                parts.folder().toString(), "the results just written", "something else");
          }
          rows.addAll(finished.rows());
          for (Failure failure : finished.failures()) {
            failed.put(failure.row(), failure(each.instrument(), failure));
          }
          finished
              .logs()
              .forEach((name, text) -> Objects.requireNonNull(logs.get(name)).append(text));
        }
      }
      try (var results = new CsvFile(folder.resolve(ResultFiles.RESULT));
          var failures = new CsvFile(folder.resolve(ResultFiles.FAILED))) {
        ResultFiles.append(rows, results);
        failures.append(List.copyOf(failed.values()));
        var files = new ArrayList<>(logs.values());
        files.addAll(List.of(results, failures));
        CsvFile.commitAll(files);
      }
    } finally {
      logs.values().forEach(CsvFile::close);
    }
    return new BacktestOutcome(
        rows,
        orders.byInstrument().size(),
        failed.size(),
        true,
        folder.resolve(ResultFiles.RESULT));
  }

  private Map<String, Object> failure(String instrument, Failure failure) {
    Order order =
        entries(instrument).stream()
            .filter(entry -> entry.row() == failure.row())
            .map(Entry::order)
            .findAny()
            .orElse(null);
    return failure(failure.row(), order, failure.reason());
  }

  private static Map<String, Object> failure(
      int row, @Nullable Order order, @Nullable String reason) {
    var record = new LinkedHashMap<String, Object>();
    record.put("row", Integer.toString(row));
    record.put("instrument", order == null ? "" : order.instrument());
    record.put("date", order == null ? "" : order.date().toString());
    record.put("side", order == null ? "" : ResultFiles.side(order.side()));
    record.put("amount", order == null ? Double.NaN : order.amount());
    record.put("reason", String.valueOf(reason));
    return record;
  }

  private static void createFolder(Path path) {
    try {
      Files.createDirectories(path);
    } catch (IOException e) {
      throw DataException.unwritable(path, e);
    }
  }

  @Override
  public void close() {
    parallel.close();
  }
}

package io.tranche.work.tuning;

import io.tranche.config.ConfigException;
import io.tranche.run.ExecutionRun;
import io.tranche.work.JobSession;
import io.tranche.work.WorkException;
import io.tranche.work.tuning.Halving.Task;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Trains trials in a job session: as many at a time as the session can run, in the order in which
/// the search awaits their outcomes. A result is on disk before the search learns of it.
final class TrialScheduler implements AutoCloseable {

  /// A task under way.
  ///
  /// @param end when it ends, in the search's own time
  record Request(Task task, long end, FutureTask<@Nullable TrialRecord> work) {

    /// The order in which outcomes are awaited.
    static final Comparator<Request> ORDER =
        Comparator.comparingLong(Request::end).thenComparingInt(request -> request.task().trial());

    /// Returns the trial's record after the task, or null if the search was stopped before.
    @Nullable TrialRecord await() {
      try {
        return work.get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new WorkException("interrupted", e);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RuntimeException cause) {
          throw cause;
        }
        throw new WorkException("a trial was lost", e);
      }
    }
  }

  /// An entry of the queue: a request that can be run.
  private record Waiting(Request request) implements Runnable {
    @Override
    public void run() {
      request.work().run();
    }
  }

  private final TuneConfig config;
  private final TuneDirectory directory;
  private final TrialLog log;
  private final JobSession session;
  private final Map<Integer, TrialRecord> records;
  private final ThreadPoolExecutor threads;
  private volatile boolean stops;

  /// @param records by the number of the trial
  /// @param width how many are trained at a time
  TrialScheduler(
      TuneConfig config,
      TuneDirectory directory,
      TrialLog log,
      JobSession session,
      Map<Integer, TrialRecord> records,
      int width) {
    this.config = config;
    this.directory = directory;
    this.log = log;
    this.session = session;
    this.records = new ConcurrentHashMap<>(records);
    this.threads =
        new ThreadPoolExecutor(
            width,
            width,
            0,
            TimeUnit.SECONDS,
            new PriorityBlockingQueue<>(
                16,
                Comparator.comparing(runnable -> ((Waiting) runnable).request(), Request.ORDER)),
            Thread.ofPlatform().daemon().name("tranche-tune-", 1).factory());
  }

  /// Returns a trial's record so far.
  TrialRecord record(int trial) {
    TrialRecord record = records.get(trial);
    if (record == null) {
      throw new IllegalArgumentException("trial must be one of the search, was " + trial);
    }
    return record;
  }

  /// Asks for a task. A trial has at most one at a time.
  Request ask(Task task, long end) {
    var request = new Request(task, end, new FutureTask<>(() -> advance(task)));
    if (record(task.trial()).knows(task.to())) {
      request.work().run(); // nothing to train: the log has it
    } else {
      threads.execute(new Waiting(request));
    }
    return request;
  }

  private @Nullable TrialRecord advance(Task task) {
    TrialRecord record = record(task.trial());
    while (!record.knows(task.to())) {
      if (stops) {
        return null;
      }
      record = train(record, Math.min(task.to(), record.trained() + config.schedule().saveEvery()));
    }
    return record.after(task.to(), config.metric());
  }

  private TrialRecord train(TrialRecord before, int to) {
    ExecutionRun run;
    try {
      run = config.runOf(before.trial());
    } catch (ConfigException e) {
      var why = new Failure(Failure.Kind.CONFIG, String.valueOf(e.getMessage()));
      return logged(before, TrialSegment.failed(why));
    }
    int number = before.trial().number();
    byte[] checkpoint =
        before.trained() == 0 ? new byte[0] : directory.readCheckpoint(number, before.trained());
    var results = new ArrayList<byte[]>();
    session.run(
        new byte[0],
        List.of(TrialKind.piece(run, to, checkpoint)),
        (_, result) -> results.add(result));
    TrialMessage message = TrialMessage.read("a trial's result", results.getFirst());
    TrialSegment segment = message.segment();
    if (segment.failure() == null) {
      require(before, segment, to);
      if (before.trained() == 0) {
        directory.writeConfig(number, run.toConfig().toYaml());
      }
      directory.writeCheckpoint(number, segment.iterations(), message.checkpoint());
    }
    return logged(before, segment);
  }

  /// Writes the line in the log. The checkpoint that it names is on disk already, and the previous
  /// one is deleted afterwards. So a search that is killed in between finds the checkpoint that its
  /// log names.
  private TrialRecord logged(TrialRecord before, TrialSegment segment) {
    log.append(before, segment);
    TrialRecord after = before.plus(segment);
    int number = before.trial().number();
    records.put(number, after);
    if (before.trained() > 0 && after.trained() > before.trained()) {
      directory.deleteCheckpoint(number, before.trained());
    }
    return after;
  }

  /// The result may come from another process, so it is checked.
  private static void require(TrialRecord before, TrialSegment segment, int to) {
    boolean isDone = segment.iterations() == to || segment.hasEnded();
    if (!isDone || segment.iterations() > to || segment.iterations() < before.trained()) {
      throw new WorkException(
          "trial %d must have %d iterations behind it, was %d"
              .formatted(before.trial().number(), to, segment.iterations()));
    }
  }

  /// Stops after the segments under way. Any thread may call it.
  void requestStop() {
    stops = true;
  }

  /// Waits until all work has ended.
  @Override
  public void close() {
    requestStop();
    threads.close();
  }
}

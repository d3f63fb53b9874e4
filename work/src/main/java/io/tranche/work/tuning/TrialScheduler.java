package io.tranche.work.tuning;

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

/// Gets trials trained, wherever the team is: as many at a time as the team is wide, those first
/// whose outcome is awaited first. Whatever is done is on disk before it is known.
final class TrialScheduler implements AutoCloseable {

  /// A task under way.
  ///
  /// @param end when it is over, in the search's own time
  record Request(Task task, long end, FutureTask<@Nullable TrialRecord> work) {

    /// In the order in which outcomes are awaited.
    static final Comparator<Request> ORDER =
        Comparator.comparingLong(Request::end).thenComparingInt(request -> request.task().trial());

    /// Returns what is known of the trial after the task, or null if the search was stopped before.
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

  /// What stands in the queue: a request that can be run.
  private record Waiting(Request request) implements Runnable {
    @Override
    public void run() {
      request.work().run();
    }
  }

  private final TuneConfig config;
  private final TuneDirectory directory;
  private final TrialLog log;
  private final JobSession team;
  private final Map<Integer, TrialRecord> records;
  private final ThreadPoolExecutor threads;
  private volatile boolean stops;

  /// @param records what is known of each trial by its number
  /// @param width how many are trained at a time
  TrialScheduler(
      TuneConfig config,
      TuneDirectory directory,
      TrialLog log,
      JobSession team,
      Map<Integer, TrialRecord> records,
      int width) {
    this.config = config;
    this.directory = directory;
    this.log = log;
    this.team = team;
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

  /// Returns what is known of a trial so far.
  TrialRecord record(int trial) {
    TrialRecord record = records.get(trial);
    if (record == null) {
      throw new IllegalArgumentException("trial must be one of the search, was " + trial);
    }
    return record;
  }

  /// Asks for a task; a trial has one at a time.
  Request ask(Task task, long end) {
    var request = new Request(task, end, new FutureTask<>(() -> advance(task)));
    if (record(task.trial()).knows(task.to())) {
      request.work().run(); // nothing to do: it is known from before
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
      record = train(record, Math.min(task.to(), record.trained() + config.saveEvery()));
    }
    return record.after(task.to(), config.metric());
  }

  /// First the checkpoint, then the line that says so, then the checkpoint before is deleted: a
  /// search that is killed in between finds the one that its log speaks of.
  private TrialRecord train(TrialRecord before, int to) {
    Trial trial = before.trial();
    int number = trial.number();
    byte[] checkpoint =
        before.trained() == 0 ? new byte[0] : directory.readCheckpoint(number, before.trained());
    var answers = new ArrayList<byte[]>();
    team.run(
        new byte[0],
        List.of(TrialKind.piece(trial, to, checkpoint)),
        (_, answer) -> answers.add(answer));
    TrialMessage parcel = TrialMessage.open("a trial's answer", answers.getFirst());
    TrialSegment stretch = TrialSegment.of(parcel.words());
    if (stretch.failure() == null) {
      require(before, stretch, to);
      if (before.trained() == 0) {
        directory.writeConfig(number, config.runOf(trial).toConfig().toYaml());
      }
      directory.writeCheckpoint(number, stretch.iterations(), parcel.checkpoint());
    }
    log.append(before, stretch);
    TrialRecord after = before.plus(stretch);
    records.put(number, after);
    if (before.trained() > 0 && after.trained() > before.trained()) {
      directory.deleteCheckpoint(number, before.trained());
    }
    return after;
  }

  /// Whoever answers may be another process, with other ideas of what was asked.
  private static void require(TrialRecord before, TrialSegment stretch, int to) {
    boolean isDone = stretch.iterations() == to || stretch.hasEnded();
    if (!isDone || stretch.iterations() > to || stretch.iterations() < before.trained()) {
      throw new WorkException(
          "trial %d must have %d iterations behind it, was %d"
              .formatted(before.trial().number(), to, stretch.iterations()));
    }
  }

  /// Ends after the stretches under way. Any thread may ask.
  void requestStop() {
    stops = true;
  }

  /// Waits until nobody works any more.
  @Override
  public void close() {
    requestStop();
    threads.close();
  }
}

package io.tranche.cluster;

import io.tranche.cluster.ExecutorJobs.JobKey;
import io.tranche.work.JobSession;
import io.tranche.work.PieceResult;
import io.tranche.work.WorkException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SimpleFutureAction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;
import scala.concurrent.ExecutionContext$;
import scala.runtime.BoxedUnit;
import scala.util.Failure;

/// Runs the pieces of one job on executors. Each gets the setup once, and what a round shares once
/// per round; pieces go in a few batches per core, each of which is a task.
///
/// Spark does the tasks of a lost executor again, may do slow ones twice, and reports each once.
final class SparkJobSession implements JobSession {

  /// Enough that no core waits long for the last one, few enough that sending them costs nothing.
  private static final int BATCHES_PER_CORE = 4;

  /// How long a round waits without any executor before it is given up.
  private static final int LONELY_SECONDS = 60;

  private static final int CLOSING_SECONDS = 2;

  private final JavaSparkContext spark;
  private final PresentExecutors executors;
  private final JobKey key;
  private final Broadcast<byte[]> setup;

  SparkJobSession(JavaSparkContext spark, PresentExecutors executors, String kind, byte[] setup) {
    this.spark = spark;
    this.executors = executors;
    this.key = JobKey.of(kind, setup);
    this.setup = spark.broadcast(setup);
  }

  /// Something that happened in a round: a batch is done, or with null the round is over.
  private record Event(@Nullable TaskBatch answers, @Nullable Throwable failure) {}

  @Override
  public void run(byte[] shared, List<byte[]> pieces, Results results) {
    if (pieces.isEmpty()) {
      return;
    }
    Broadcast<byte[]> sharedByAll = spark.broadcast(shared);
    try {
      List<byte[]> batches = TaskBatch.split(pieces, BATCHES_PER_CORE * spark.defaultParallelism());
      JavaRDD<byte[]> tasks = spark.parallelize(batches, batches.size());
      BlockingQueue<Event> events = new LinkedBlockingQueue<>();
      SimpleFutureAction<BoxedUnit> action =
          spark
              .sc()
              .submitJob(
                  tasks.rdd(),
                  new TaskBatchWork(key, setup, sharedByAll),
                  scala.collection.immutable.Range$.MODULE$.apply(0, batches.size()),
                  (_, done) -> {
                    events.add(new Event(TaskBatch.read(done), null));
                    return BoxedUnit.UNIT;
                  },
                  () -> BoxedUnit.UNIT);
      action.onComplete(
          end -> events.add(new Event(null, end instanceof Failure<?> f ? f.exception() : null)),
          ExecutionContext$.MODULE$.fromExecutor(Runnable::run));
      boolean isOver = false;
      try {
        takeAll(events, pieces.size(), results);
        isOver = true;
      } finally {
        if (!isOver) {
          action.cancel();
        }
      }
    } finally {
      sharedByAll.destroy();
    }
  }

  private void takeAll(BlockingQueue<Event> events, int pieces, Results results) {
    int taken = 0;
    while (true) {
      Event event = next(events);
      TaskBatch batch = event.answers();
      if (batch == null) {
        if (event.failure() != null) {
          throw SparkFailures.of(event.failure());
        }
        if (taken != pieces) {
          throw new WorkException("%d pieces must be done, was %d".formatted(pieces, taken));
        }
        return;
      }
      for (int i = 0; i < batch.size(); i++) {
        results.take(batch.number(i), PieceResult.read(batch.content(i)).result());
        taken++;
      }
    }
  }

  private Event next(BlockingQueue<Event> events) {
    try {
      for (int lonely = 0; lonely < LONELY_SECONDS; lonely++) {
        Event event = events.poll(1, TimeUnit.SECONDS);
        if (event != null) {
          return event;
        }
        if (executors.count() > 0) {
          lonely = 0;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WorkException("the work was interrupted", e);
    }
    throw new WorkException(
        "all executors were lost, and none has come for %d s".formatted(LONELY_SECONDS));
  }

  /// Makes executors forget the job, if they are there and answer at once.
  @Override
  public void close() {
    if (spark.sc().isStopped()) {
      return;
    }
    int tasks = 2 * spark.defaultParallelism();
    try {
      spark
          .parallelize(Collections.nCopies(tasks, 0), tasks)
          .foreachPartitionAsync(new ExecutorJobs.JobClosing(key))
          .get(CLOSING_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException _) {
      // They end with the application.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    setup.destroy();
  }
}

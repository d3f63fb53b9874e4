package io.tranche.cluster;

import io.tranche.work.WorkException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/// How long the tasks of our rounds took, and how much of that was not their work.
public final class TaskTimes {

  private final SparkContext spark;
  private final Sums sums = new Sums();

  private TaskTimes(SparkContext spark) {
    this.spark = spark;
  }

  static TaskTimes of(SparkContext spark) {
    var times = new TaskTimes(spark);
    spark.addSparkListener(times.sums);
    return times;
  }

  /// Forgets the tasks so far.
  public void clear() {
    settled().clear();
  }

  /// Returns how many tasks ended well.
  public int count() {
    return settled().count();
  }

  /// Returns the seconds of work of all executors together.
  public double workSeconds() {
    return settled().work();
  }

  /// Returns the seconds that tasks were sent, waited or were unpacked, all together.
  public double waitSeconds() {
    return settled().waiting();
  }

  /// Spark tells of ends of tasks some time after them.
  private Sums settled() {
    try {
      spark.listenerBus().waitUntilEmpty();
    } catch (TimeoutException e) {
      throw new WorkException("Spark's listeners are stuck", e);
    }
    return sums;
  }

  private static final class Sums extends SparkListener {

    /// Spark's name for the stages of our rounds.
    private static final String ROUND = "submitJob";

    private final Set<Integer> rounds = new HashSet<>();
    private int count;
    private double work;
    private double waiting;

    @Override
    public synchronized void onStageSubmitted(SparkListenerStageSubmitted submitted) {
      if (submitted.stageInfo().name().startsWith(ROUND)) {
        rounds.add(submitted.stageInfo().stageId());
      }
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
      TaskMetrics metrics = end.taskMetrics();
      if (rounds.contains(end.stageId()) && metrics != null && end.taskInfo().successful()) {
        count++;
        work += metrics.executorRunTime() / 1e3;
        waiting += (end.taskInfo().duration() - metrics.executorRunTime()) / 1e3;
      }
    }

    synchronized void clear() {
      count = 0;
      work = 0;
      waiting = 0;
    }

    synchronized int count() {
      return count;
    }

    synchronized double work() {
      return work;
    }

    synchronized double waiting() {
      return waiting;
    }
  }
}

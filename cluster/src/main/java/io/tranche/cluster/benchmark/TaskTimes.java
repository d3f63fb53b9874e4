package io.tranche.cluster.benchmark;

import java.util.HashSet;
import java.util.Set;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/// How long tasks took, and how much of that was not their work.
final class TaskTimes extends SparkListener {

  /// Spark's name for the stages of our rounds.
  private static final String ROUND = "submitJob";

  private final Set<Integer> rounds = new HashSet<>();
  private int count;
  private double work;
  private double wait;

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
      wait += (end.taskInfo().duration() - metrics.executorRunTime()) / 1e3;
    }
  }

  synchronized void clear() {
    count = 0;
    work = 0;
    wait = 0;
  }

  synchronized int count() {
    return count;
  }

  /// Returns the seconds of work of all executors together.
  synchronized double workSeconds() {
    return work;
  }

  /// Returns the seconds that tasks were sent, waited or were unpacked, all together.
  synchronized double waitSeconds() {
    return wait;
  }
}

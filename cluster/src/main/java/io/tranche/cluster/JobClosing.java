package io.tranche.cluster;

import java.util.Iterator;
import org.apache.spark.api.java.function.VoidFunction;

/// What a task does that closes a job in its executor.
record JobClosing(JobKey key) implements VoidFunction<Iterator<Integer>> {

  @Override
  public void call(Iterator<Integer> nothing) {
    ExecutorJobs.close(key);
  }
}

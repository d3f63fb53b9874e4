package io.tranche.cluster;

import io.tranche.files.Sha256;
import io.tranche.work.Backends;
import io.tranche.work.Job;
import java.io.Serializable;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.api.java.function.VoidFunction;

/// The jobs that are open in an executor, whichever task asked first.
final class ExecutorJobs {

  private static final Map<JobKey, Job> OPEN = new ConcurrentHashMap<>();

  private ExecutorJobs() {}

  /// Which job something is of, in any process.
  ///
  /// @param kind the name of its kind
  /// @param setup the hash of its setup
  record JobKey(String kind, String setup) implements Serializable {

    static JobKey of(String kind, byte[] setup) {
      return new JobKey(kind, Sha256.of(setup));
    }
  }

  /// Opens a job, or returns the one that is open. A job that fails to open is tried again.
  static Job open(JobKey key, byte[] setup) {
    return OPEN.computeIfAbsent(key, _ -> Backends.kind(key.kind()).open(setup));
  }

  /// What a task does that closes a job in its executor.
  record JobClosing(JobKey key) implements VoidFunction<Iterator<Integer>> {

    @Override
    public void call(Iterator<Integer> nothing) {
      Job job = OPEN.remove(key);
      if (job != null) {
        job.close();
      }
    }
  }
}

package io.tranche.cluster;

import io.tranche.work.Backends;
import io.tranche.work.Job;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The jobs that are open in an executor, whichever task asked first.
final class ExecutorJobs {

  private static final Map<JobKey, Job> OPEN = new ConcurrentHashMap<>();

  private ExecutorJobs() {}

  /// Opens a job, or returns the one that is open. A job that fails to open is tried again.
  static Job open(JobKey key, byte[] setup) {
    return OPEN.computeIfAbsent(key, _ -> Backends.kind(key.kind()).open(setup));
  }

  static void close(JobKey key) {
    Job job = OPEN.remove(key);
    if (job != null) {
      job.close();
    }
  }
}

package io.tranche.dashboard.runs;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/// The logs that were looked at last. Older ones are forgotten and read again when somebody asks.
public final class MetricLogs {

  /// About 32 MB.
  private static final long MOST_POINTS = 2_000_000;

  private static final int MOST_LOGS = 256;

  private final Map<Path, MetricLog> logs = new LinkedHashMap<>(16, 0.75f, true);

  /// Returns a log, with everything that could be read of it within a moment.
  ///
  /// @param nanos how long to read
  public MetricLog of(Path file, long nanos) {
    MetricLog log;
    synchronized (this) {
      log = logs.computeIfAbsent(file, MetricLog::new);
    }
    log.refresh(nanos);
    trim(log);
    return log;
  }

  private synchronized void trim(MetricLog kept) {
    long points = logs.values().stream().mapToLong(MetricLog::points).sum();
    Iterator<MetricLog> oldest = logs.values().iterator();
    while (oldest.hasNext() && (points > MOST_POINTS || logs.size() > MOST_LOGS)) {
      MetricLog each = oldest.next();
      if (!each.equals(kept)) {
        points -= each.points();
        oldest.remove();
      }
    }
  }
}

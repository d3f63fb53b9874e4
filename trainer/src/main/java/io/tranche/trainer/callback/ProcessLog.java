package io.tranche.trainer.callback;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.market.DataException;
import io.tranche.policy.state.PlainJson;
import io.tranche.trainer.Callback;
import io.tranche.trainer.Hook;
import io.tranche.trainer.Trainer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Appends one line of JSON per iteration with the memory, collections, processor time and threads
/// of the process. It has a file of its own, because no two runs have the same.
public final class ProcessLog implements Callback {

  private final Path file;
  private final InstantSource clock;

  /// @param file created if it does not exist; a resumed run appends to it
  public ProcessLog(Path file, InstantSource clock) {
    this.file = file;
    this.clock = clock;
  }

  @Override
  public void on(Hook hook, Trainer trainer) {
    try {
      if (hook == Hook.FIT_START && trainer.iterations() == 0) {
        Files.deleteIfExists(file);
      } else if (hook == Hook.ITERATION_END) {
        byte[] json = PlainJson.write(line(trainer.iterations()));
        Files.writeString(
            file,
            new String(json, UTF_8) + "\n",
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      }
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  private Map<String, @Nullable Object> line(long iteration) {
    var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    long collecting =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(each -> Math.max(each.getCollectionTime(), 0))
            .sum();
    var line = new LinkedHashMap<String, @Nullable Object>();
    line.put("iteration", iteration);
    line.put("time", clock.instant().getEpochSecond());
    line.put("uptime_seconds", ManagementFactory.getRuntimeMXBean().getUptime() / 1e3);
    line.put("heap_bytes", heap.getUsed());
    line.put("heap_max_bytes", heap.getMax());
    line.put("gc_seconds", collecting / 1e3);
    line.put("cpu_seconds", cpuSeconds());
    line.put("threads", (long) ManagementFactory.getThreadMXBean().getThreadCount());
    line.put("cores", (long) Runtime.getRuntime().availableProcessors());
    return line;
  }

  private static double cpuSeconds() {
    return ProcessHandle.current()
        .info()
        .totalCpuDuration()
        .map(duration -> duration.toMillis() / 1e3)
        .orElse(0.0);
  }
}

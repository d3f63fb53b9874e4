package io.tranche.serving.app;

import io.tranche.serving.http.PrometheusText;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Objects;

/// Metrics of the process: memory, collections, threads and build.
final class ProcessMetrics {

  private ProcessMetrics() {}

  static void write(PrometheusText text) {
    String version =
        Objects.requireNonNullElse(
            ProcessMetrics.class.getPackage().getImplementationVersion(), "unknown");
    text.family("tranche_build_info", "gauge", "The version that runs; always 1.");
    text.sample(
        "tranche_build_info",
        1,
        "version",
        version,
        "java",
        System.getProperty("java.runtime.version", "unknown"));
    text.gauge(
        "tranche_jvm_threads",
        "Live threads.",
        ManagementFactory.getThreadMXBean().getThreadCount());
    var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    text.gauge("tranche_jvm_heap_bytes", "Heap in use.", (double) heap.getUsed());
    text.gauge("tranche_jvm_heap_max_bytes", "Largest heap.", (double) heap.getMax());
    text.family("tranche_jvm_gc_seconds_total", "counter", "Time of collections, by collector.");
    for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
      text.sample(
          "tranche_jvm_gc_seconds_total",
          Math.max(each.getCollectionTime(), 0) / 1e3,
          "collector",
          each.getName());
    }
    text.family("tranche_process_cpu_seconds_total", "counter", "Processor time of the process.");
    text.sample("tranche_process_cpu_seconds_total", cpuSeconds());
    text.gauge(
        "tranche_jvm_processors",
        "Processors that the process may use.",
        Runtime.getRuntime().availableProcessors());
    text.gauge(
        "tranche_uptime_seconds",
        "Since the process began.",
        ManagementFactory.getRuntimeMXBean().getUptime() / 1e3);
  }

  private static double cpuSeconds() {
    return ProcessHandle.current()
        .info()
        .totalCpuDuration()
        .map(duration -> duration.toMillis() / 1e3)
        .orElse(0.0);
  }
}

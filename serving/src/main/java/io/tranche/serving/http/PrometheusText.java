package io.tranche.serving.http;

import io.tranche.serving.Latency;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/// Metrics in Prometheus' text format, version 0.0.4.
public final class PrometheusText {

  static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /// Upper bounds of the buckets of latencies, in nanoseconds.
  private static final long[] BOUNDS = {
    10_000, 25_000, 50_000, 100_000, 250_000,
    500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000,
    25_000_000, 50_000_000, 100_000_000, 250_000_000, 1_000_000_000
  };

  private final StringBuilder text = new StringBuilder();

  /// Begins a family of samples.
  ///
  /// @param type counter, gauge, histogram or summary
  public void family(String name, String type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  /// @param labels alternating names and values
  public void sample(String name, double value, String... labels) {
    text.append(name);
    for (int i = 0; i < labels.length; i += 2) {
      String escaped =
          labels[i + 1].replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
      text.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"").append(escaped).append('"');
    }
    text.append(labels.length > 0 ? "} " : " ");
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      text.append((long) value);
    } else {
      text.append(value);
    }
    text.append('\n');
  }

  /// One histogram of a family of latencies.
  ///
  /// @param labels alternating names and values
  void latencies(String name, Latency latency, String... labels) {
    String[] more = Arrays.copyOf(labels, labels.length + 2);
    more[labels.length] = "le";
    for (long bound : BOUNDS) {
      more[labels.length + 1] = String.valueOf(bound / 1e9);
      sample(name + "_bucket", (double) latency.countUpTo(bound), more);
    }
    long count = latency.count(); // read last, so that no bucket is larger
    more[labels.length + 1] = "+Inf";
    sample(name + "_bucket", (double) count, more);
    sample(name + "_sum", latency.sum() / 1e9, labels);
    sample(name + "_count", (double) count, labels);
  }

  /// A family of one sample that only grows.
  public void counter(String name, String help, LongAdder count) {
    family(name, "counter", help);
    sample(name, count.doubleValue());
  }

  /// A family of one sample.
  public void gauge(String name, String help, double value) {
    family(name, "gauge", help);
    sample(name, value);
  }

  /// A family of one histogram of latencies.
  public void histogram(String name, String help, Latency latency) {
    family(name, "histogram", help);
    latencies(name, latency);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}

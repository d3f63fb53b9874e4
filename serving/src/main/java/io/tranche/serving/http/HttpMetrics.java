package io.tranche.serving.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// What the HTTP end counts, a row an endpoint. Any thread.
final class HttpMetrics {

  /// Upper bounds of latencies, in nanoseconds.
  private static final long[] BOUNDS = {
    25_000,
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    25_000_000,
    50_000_000,
    100_000_000,
    250_000_000,
    1_000_000_000
  };

  private static final class Row {
    final LongAdder[] buckets = new LongAdder[BOUNDS.length + 1];
    final LongAdder nanos = new LongAdder();
    final Map<Integer, LongAdder> statuses = new ConcurrentHashMap<>();

    Row() {
      for (int i = 0; i < buckets.length; i++) {
        buckets[i] = new LongAdder();
      }
    }

    void add(int status, long took) {
      int bucket = 0;
      while (bucket < BOUNDS.length && took > BOUNDS[bucket]) {
        bucket++;
      }
      buckets[bucket].increment();
      nanos.add(took);
      statuses.computeIfAbsent(status, _ -> new LongAdder()).increment();
    }
  }

  private final Map<String, Row> rows = new LinkedHashMap<>();
  private final Row others = new Row();

  HttpMetrics(List<Endpoint> endpoints) {
    endpoints.forEach(each -> rows.put(name(each), new Row()));
  }

  private static String name(Endpoint endpoint) {
    return endpoint.method() + " " + endpoint.path();
  }

  void answered(Exchange exchange, int status, long nanos) {
    Endpoint endpoint = exchange.endpoint();
    Row row = endpoint == null ? null : rows.get(name(endpoint));
    (row == null ? others : row).add(status, nanos);
  }

  void writeTo(PrometheusText text, Traffic traffic) {
    text.gauge("tranche_http_connections", "Open connections.", traffic.connections());
    text.gauge("tranche_http_in_flight", "Requests being worked on.", traffic.inFlight());
    text.gauge("tranche_http_buffered_bytes", "Bytes of bodies held.", (double) traffic.buffered());
    text.family("tranche_http_requests_total", "counter", "Requests by endpoint and status.");
    rows.forEach((name, row) -> statuses(text, name, row));
    statuses(text, "other", others);
    text.family("tranche_http_request_seconds", "histogram", "From the first byte to the answer.");
    rows.forEach((name, row) -> latencies(text, name, row));
  }

  private static void statuses(PrometheusText text, String name, Row row) {
    new TreeMap<>(row.statuses)
        .forEach(
            (status, count) ->
                text.sample(
                    "tranche_http_requests_total",
                    (double) count.sum(),
                    "endpoint",
                    name,
                    "status",
                    status.toString()));
  }

  private static void latencies(PrometheusText text, String name, Row row) {
    long sum = 0;
    for (int i = 0; i < row.buckets.length; i++) {
      sum += row.buckets[i].sum();
      text.sample(
          "tranche_http_request_seconds_bucket",
          (double) sum,
          "endpoint",
          name,
          "le",
          i < BOUNDS.length ? String.valueOf(BOUNDS[i] / 1e9) : "+Inf");
    }
    text.sample("tranche_http_request_seconds_sum", row.nanos.sum() / 1e9, "endpoint", name);
    text.sample("tranche_http_request_seconds_count", (double) sum, "endpoint", name);
  }
}

package io.tranche.serving.http;

import io.tranche.serving.Latency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// HTTP metrics, one row per endpoint. Any thread may call it.
final class HttpMetrics {

  private static final class Row {
    final Latency latency = new Latency();
    final Map<Integer, LongAdder> statuses = new ConcurrentHashMap<>();
  }

  private final Map<String, Row> rows = new LinkedHashMap<>();
  private final Row others = new Row();

  HttpMetrics(List<Endpoint> endpoints) {
    endpoints.forEach(each -> rows.put(each.name(), new Row()));
  }

  void answered(HttpExchange exchange, int status, long nanos) {
    Endpoint endpoint = exchange.endpoint;
    Row row = endpoint == null ? others : rows.getOrDefault(endpoint.name(), others);
    row.latency.record(nanos);
    row.statuses.computeIfAbsent(status, _ -> new LongAdder()).increment();
  }

  void writeTo(PrometheusText text, Traffic traffic) {
    text.gauge("tranche_http_connections", "Open connections.", (double) traffic.connections());
    text.gauge("tranche_http_in_flight", "Requests under way.", (double) traffic.inFlight());
    text.gauge(
        "tranche_http_buffered_bytes",
        "Bytes of request bodies in memory.",
        (double) traffic.buffered());
    text.counter("tranche_http_sent_bytes_total", "Bytes of answers.", traffic.sent());
    text.gauge("tranche_http_streams", "Readers of events.", (double) traffic.streams());
    text.counter(
        "tranche_http_streams_dropped_total",
        "Readers of events that were too slow.",
        traffic.droppedStreams());
    text.family("tranche_http_requests_total", "counter", "Requests by endpoint and status.");
    rows.forEach((name, row) -> statuses(text, name, row));
    statuses(text, "other", others);
    text.family("tranche_http_request_seconds", "histogram", "From the first byte to the answer.");
    rows.forEach(
        (name, row) ->
            text.latencies("tranche_http_request_seconds", row.latency, "endpoint", name));
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
}

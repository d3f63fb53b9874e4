package io.tranche.dashboard.service;

import io.tranche.analysis.doctor.Doctor;
import io.tranche.analysis.doctor.ServiceFacts;
import io.tranche.dashboard.http.WebException;
import io.tranche.run.play.Difference;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What the page shows of a service. Asks only a few fixed questions, and changes nothing.
public final class ServicePages implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int MOST_BYTES = 16 << 20;
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  private final URI base;
  private final @Nullable String token;
  private final HttpClient client;

  /// @param token that may read; null for none
  public ServicePages(URI base, @Nullable String token) {
    this.base = base;
    this.token = token;
    this.client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  }

  /// Returns everything about the service as it is now.
  ///
  /// @throws WebException if it does not answer, or not as expected
  public Map<String, @Nullable Object> overview() {
    String metrics = ask("/metrics");
    ServiceFacts facts = ServiceFacts.parse(metrics);
    JsonNode orders = json("/v1/orders");
    var page = new LinkedHashMap<String, @Nullable Object>();
    page.put("url", base.toString());
    page.put("uptime", facts.sum("tranche_uptime_seconds"));
    page.put("decisions", byLabel(facts, "tranche_decisions_total"));
    page.put("fallbacks", byLabel(facts, "tranche_fallbacks_total"));
    page.put("refusals", byLabel(facts, "tranche_refusals_total"));
    page.put("limited", facts.sum("tranche_limited_total"));
    page.put("lateAnswers", facts.sum("tranche_late_answers_total"));
    page.put("ordersHeld", facts.sum("tranche_orders_held"));
    page.put("ordersOut", facts.sum("tranche_orders_out"));
    page.put("barAge", facts.sum("tranche_bar_age_seconds"));
    page.put(
        "latency",
        List.of(
            latency(facts, "decision", "tranche_decision_seconds"),
            latency(facts, "model", "tranche_model_seconds"),
            latency(facts, "journal", "tranche_journal_force_seconds")));
    page.put("drift", drift(facts));
    page.put("driftAlarms", facts.sum("tranche_drift_alarms_total"));
    page.put("orders", orders.path("orders"));
    page.put("whole", orders.path("whole").asBoolean(true));
    page.put("switches", json("/v1/switches"));
    page.put("limits", json("/v1/limits").path("limits"));
    page.put("models", json("/v1/models").path("models"));
    page.put("comparison", comparison(orders.path("orders")));
    page.put("diagnoses", Doctor.ofService(metrics));
    return page;
  }

  /// Returns an order with its child orders and fills.
  ///
  /// @throws WebException as above
  public JsonNode children(String order) {
    String name = URLEncoder.encode(order, StandardCharsets.UTF_8).replace("+", "%20");
    return json("/v1/orders/%s/children".formatted(name));
  }

  private static List<Map<String, Object>> byLabel(ServiceFacts facts, String name) {
    var rows = new ArrayList<Map<String, Object>>();
    for (ServiceFacts.Sample each : facts.samples()) {
      if (each.name().equals(name)) {
        Matcher label = LABEL.matcher(each.labels());
        rows.add(Map.of("name", label.find() ? label.group(2) : "", "count", each.value()));
      }
    }
    return rows;
  }

  private static Map<String, Object> latency(ServiceFacts facts, String name, String metric) {
    return Map.of(
        "name", name,
        "count", facts.sum(metric + "_count"),
        "median", facts.quantile(metric, 0.5),
        "p99", facts.quantile(metric, 0.99));
  }

  private static List<Map<String, Object>> drift(ServiceFacts facts) {
    var models = new TreeMap<String, Map<String, Object>>();
    for (ServiceFacts.Sample each : facts.samples()) {
      if (each.name().startsWith("tranche_drift_") && !each.name().endsWith("_total")) {
        Matcher label = LABEL.matcher(each.labels());
        if (label.find()) {
          models
              .computeIfAbsent(label.group(2), model -> new LinkedHashMap<>(Map.of("model", model)))
              .put(each.name().substring("tranche_drift_".length()), each.value());
        }
      }
    }
    return List.copyOf(models.values());
  }

  /// What the orders of one model have in common.
  private record Worked(double value, double filled) {

    Worked plus(double price, double amount) {
      return new Worked(value + price * amount, filled + amount);
    }
  }

  /// Compares each model with the one that has most orders, where both traded the same instrument
  /// on the same day and side: by how many basis points its mean price was better.
  private static List<Map<String, @Nullable Object>> comparison(JsonNode orders) {
    var counts = new TreeMap<String, Integer>();
    var groups = new TreeMap<String, Map<String, Worked>>();
    for (JsonNode order : orders) {
      String model = order.path("model").asString("");
      counts.merge(model, 1, Integer::sum);
      double filled = order.path("filled").asDouble(0);
      double price = order.path("average_price").asDouble(Double.NaN);
      if (filled > 0 && price > 0) {
        String group =
            "%s\n%s\n%s"
                .formatted(
                    order.path("date").asString(""),
                    order.path("side").asString(""),
                    order.path("instrument").asString(""));
        groups
            .computeIfAbsent(group, _ -> new TreeMap<>())
            .merge(
                model,
                new Worked(price * filled, filled),
                (one, other) -> one.plus(other.value() / other.filled(), other.filled()));
      }
    }
    String most =
        counts.entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .orElse("");
    var rows = new ArrayList<Map<String, @Nullable Object>>();
    counts.forEach(
        (model, count) -> {
          var row = new LinkedHashMap<String, @Nullable Object>();
          row.put("model", model);
          row.put("orders", count);
          row.put("reference", model.equals(most) ? null : most);
          row.put("difference", model.equals(most) ? null : difference(groups, model, most));
          rows.add(row);
        });
    return rows;
  }

  private static @Nullable Difference difference(
      Map<String, Map<String, Worked>> groups, String model, String reference) {
    var pairs = new Difference.Builder();
    boolean isEmpty = true;
    for (var group : groups.entrySet()) {
      Worked one = group.getValue().get(model);
      Worked other = group.getValue().get(reference);
      LocalDate date = date(group.getKey().split("\n", 2)[0]);
      if (one != null && other != null && date != null) {
        double bps = 10_000 * (one.value() / one.filled() / (other.value() / other.filled()) - 1);
        boolean isBuy = group.getKey().split("\n", 3)[1].equalsIgnoreCase("buy");
        pairs.add(date, isBuy ? -bps : bps);
        isEmpty = false;
      }
    }
    return isEmpty ? null : pairs.build();
  }

  private static @Nullable LocalDate date(String text) {
    try {
      return LocalDate.parse(text);
    } catch (DateTimeParseException _) {
      return null;
    }
  }

  private JsonNode json(String path) {
    try {
      return JsonMapper.shared().readTree(ask(path));
    } catch (JacksonException e) {
      throw WebException.beyond("%s%s: expected JSON, was something else".formatted(base, path));
    }
  }

  private String ask(String path) {
    var request = HttpRequest.newBuilder(base.resolve(path)).timeout(PATIENCE).GET();
    if (token != null) {
      request.header("authorization", "Bearer " + token);
    }
    try {
      HttpResponse<InputStream> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      try (var body = answer.body()) {
        String text = new String(body.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        if (answer.statusCode() == 401 || answer.statusCode() == 403) {
          throw WebException.beyond(
              "%s: expected a token that may read (--service-token-file), was refused"
                  .formatted(base));
        }
        if (answer.statusCode() != 200) {
          throw WebException.beyond(
              "%s%s: expected status 200, was %d".formatted(base, path, answer.statusCode()));
        }
        return text;
      }
    } catch (IOException e) {
      throw WebException.beyond(
          "%s: expected a service that answers, was %s"
              .formatted(base, e.getClass().getSimpleName()));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw WebException.beyond("%s: expected an answer, was interrupted".formatted(base));
    }
  }

  @Override
  public void close() {
    client.close();
  }
}

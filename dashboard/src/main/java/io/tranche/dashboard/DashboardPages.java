package io.tranche.dashboard;

import io.tranche.dashboard.http.WebAnswer;
import io.tranche.dashboard.http.WebException;
import io.tranche.dashboard.http.WebPages;
import io.tranche.dashboard.http.WebRequest;
import io.tranche.dashboard.orders.OrderPages;
import io.tranche.dashboard.runs.CurvePage;
import io.tranche.dashboard.runs.FlatConfig;
import io.tranche.dashboard.runs.MetricLogs;
import io.tranche.dashboard.runs.RunEntry;
import io.tranche.dashboard.runs.RunHealth;
import io.tranche.dashboard.runs.RunList;
import io.tranche.dashboard.runs.RunPage;
import io.tranche.dashboard.runs.SearchPages;
import io.tranche.dashboard.runs.Tags;
import io.tranche.dashboard.service.ServicePages;
import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import io.tranche.run.RunFolder;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The table of everything that the page asks for.
final class DashboardPages implements WebPages, AutoCloseable {

  private static final int MOST_RUNS = 32;
  private static final int MOST_METRICS = 32;

  private final DashboardConfig config;
  private final RunList runs;
  private final CurvePage curves;
  private final RunPage page;
  private final RunHealth health = new RunHealth(InstantSource.system());
  private final OrderPages orders = new OrderPages();
  private final @Nullable ServicePages service;

  DashboardPages(DashboardConfig config, RunList runs) {
    this.config = config;
    this.runs = runs;
    this.curves = new CurvePage(new MetricLogs());
    this.page = new RunPage(curves);
    URI url = config.service();
    this.service = url == null ? null : new ServicePages(url, config.serviceToken());
  }

  @Override
  public WebAnswer answer(WebRequest request) {
    return switch (request.method() + " " + request.path()) {
      case "GET /api/runs" -> WebAnswer.json(list(request));
      case "GET /api/run" -> WebAnswer.json(page.of(run(request.required("id"))));
      case "GET /api/series" -> WebAnswer.json(series(request));
      case "GET /api/compare" -> WebAnswer.json(compare(request));
      case "GET /api/orders" ->
          WebAnswer.json(orders.list(run(request.required("run")).folder(), request));
      case "GET /api/order" ->
          WebAnswer.json(
              orders.order(
                  run(request.required("run")).folder(),
                  request.number("index", 0, 0, Integer.MAX_VALUE)));
      case "GET /api/health" -> WebAnswer.json(health.of(run(request.required("run"))));
      case "GET /api/search" ->
          WebAnswer.json(SearchPages.search(run(request.required("run")).folder()));
      case "GET /api/roll" ->
          WebAnswer.json(SearchPages.roll(run(request.required("run")).folder()));
      case "GET /api/service" ->
          WebAnswer.json(service == null ? Map.of("missing", true) : service.overview());
      case "GET /api/service/order" -> WebAnswer.json(children(request.required("id")));
      case "POST /api/tags" -> tag(trusted(request));
      case "POST /api/stop" -> stop(trusted(request));
      case "POST /api/resume" -> resume(trusted(request));
      default -> throw WebException.missing("there is no such page");
    };
  }

  private JsonNode children(String order) {
    if (service == null) {
      throw WebException.missing("--service: expected the URL of a service, was none");
    }
    return service.children(order);
  }

  private Map<String, Object> list(WebRequest request) {
    var list = new LinkedHashMap<String, Object>();
    list.put("folder", runs.root().toString());
    list.put("service", config.service() != null);
    list.put("changes", config.http().token() != null);
    list.put("trusted", request.isTrusted());
    list.put("runs", runs.look().values().stream().map(RunPage::summary).toList());
    return list;
  }

  private RunEntry run(String id) {
    RunEntry found = runs.find(id);
    if (found == null) {
      throw WebException.missing("%s: expected a run, was nothing".formatted(id));
    }
    return found;
  }

  private List<RunEntry> all(WebRequest request) {
    List<String> ids = request.all("run");
    if (ids.isEmpty() || ids.size() > MOST_RUNS) {
      throw WebException.malformed(
          "run: expected 1 to %d runs, was %d".formatted(MOST_RUNS, ids.size()));
    }
    return ids.stream().map(this::run).toList();
  }

  private Map<String, Object> series(WebRequest request) {
    List<String> metrics = request.all("metric");
    if (metrics.isEmpty() || metrics.size() > MOST_METRICS) {
      throw WebException.malformed(
          "metric: expected 1 to %d metrics, was %d".formatted(MOST_METRICS, metrics.size()));
    }
    return curves.of(
        all(request),
        new CurvePage.Wish(
            metrics,
            request.number("points", 600, 16, 10_000),
            request.decimal("smoothing", 0, 0, 0.999),
            (long) request.decimal("from", 0, 0, 1e15),
            (long) request.decimal("to", 1e15, 0, 1e15),
            "1".equals(request.optional("bands"))));
  }

  private Map<String, Object> compare(WebRequest request) {
    List<RunEntry> chosen = all(request);
    var configs = new ArrayList<FlatConfig>();
    for (RunEntry each : chosen) {
      configs.add(FlatConfig.read(new RunFolder(each.folder()).config()));
    }
    return Map.of(
        "runs", chosen.stream().map(RunPage::summary).toList(),
        "settings", FlatConfig.differences(configs));
  }

  private WebRequest trusted(WebRequest request) {
    if (request.isTrusted()) {
      return request;
    }
    throw WebException.forbidden(
        config.http().token() == null
            ? "the dashboard was started without --token-file, so it changes nothing"
            : "the token is missing or wrong");
  }

  private RunEntry named(JsonNode body) {
    return run(body.path("run").asString(""));
  }

  private WebAnswer tag(WebRequest request) {
    JsonNode body = request.json();
    RunEntry entry = named(body);
    Tags.write(new RunFolder(entry.folder()).tags(), Tags.of("tags", body.path("tags")));
    return WebAnswer.json(RunPage.summary(run(entry.id())));
  }

  private WebAnswer stop(WebRequest request) {
    RunEntry entry = named(request.json());
    if (entry.state() != RunEntry.State.RUNNING) {
      throw WebException.conflict("%s: expected a run that is going on".formatted(entry.id()));
    }
    var folder = new RunFolder(entry.folder());
    try {
      PendingFile.write(folder.stopRequest(), "asked for in the dashboard\n");
    } catch (IOException e) {
      throw DataException.unwritable(folder.stopRequest(), e);
    }
    return WebAnswer.json(Map.of("asked", true));
  }

  private WebAnswer resume(WebRequest request) {
    RunEntry entry = named(request.json());
    @Nullable String refusal =
        entry.state() == RunEntry.State.RUNNING
            ? "it is going on"
            : new RunFolder(entry.folder()).earlierCheckpoints().isEmpty()
                ? "it has no checkpoint"
                : null;
    if (refusal != null) {
      throw WebException.conflict(
          "%s: expected a run that can go on, was one that cannot: %s"
              .formatted(entry.id(), refusal));
    }
    config.resume().accept(entry.folder());
    return WebAnswer.json(Map.of("asked", true));
  }

  @Override
  public void close() {
    orders.close();
    if (service != null) {
      service.close();
    }
  }
}

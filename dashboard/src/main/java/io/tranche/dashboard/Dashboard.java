package io.tranche.dashboard;

import io.tranche.analysis.report.PageParts;
import io.tranche.dashboard.http.LiveMessages;
import io.tranche.dashboard.http.PageFiles;
import io.tranche.dashboard.http.WebServer;
import io.tranche.dashboard.runs.RunList;

/// A dashboard, from [#start] to [#close].
public final class Dashboard implements AutoCloseable {

  private final WebServer server;
  private final LiveWatch watch;
  private final DashboardPages pages;

  private Dashboard(WebServer server, LiveWatch watch, DashboardPages pages) {
    this.server = server;
    this.watch = watch;
    this.pages = pages;
  }

  /// Starts to listen.
  ///
  /// @throws io.tranche.config.ConfigException if the address is in use or not of this machine
  /// @throws io.tranche.market.DataException if there is no folder of runs
  public static Dashboard start(DashboardConfig config) {
    var runs = new RunList(config.runs());
    runs.look();
    var live = new LiveMessages();
    var watch = new LiveWatch(runs, live);
    var pages = new DashboardPages(config, runs);
    var server = WebServer.start(config.http(), files(), pages, live, config.defects());
    return new Dashboard(server, watch.start(), pages);
  }

  private static PageFiles files() {
    var files = new PageFiles();
    files
        .add("/", Dashboard.class, "web/index.html")
        .add("/icon.svg", Dashboard.class, "web/icon.svg")
        .add("/style.css", PageParts.STYLE)
        .add("/parts.js", PageParts.SCRIPT)
        .add("/dashboard.css", Dashboard.class, "web/dashboard.css");
    for (String script :
        new String[] {
          "main", "words", "api", "dom", "draw", "curves", "runs", "run", "compare", "search", "orders",
          "service"
        }) {
      files.add("/%s.js".formatted(script), Dashboard.class, "web/%s.js".formatted(script));
    }
    return files;
  }

  /// Returns the address of the page.
  public String url() {
    return server.url();
  }

  @Override
  public void close() {
    watch.close();
    server.close();
    pages.close();
  }
}

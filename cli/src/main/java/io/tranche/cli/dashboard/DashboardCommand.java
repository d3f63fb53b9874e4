package io.tranche.cli.dashboard;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.StopSignal;
import io.tranche.config.ConfigException;
import io.tranche.dashboard.Dashboard;
import io.tranche.dashboard.DashboardConfig;
import io.tranche.dashboard.http.WebServer;
import io.tranche.serving.http.Token;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "dashboard",
    description = {
      "Show runs, judged orders and a service in a browser (docs/dashboard.md).",
      "A local web page, live while runs go. It changes nothing without --token-file. Ctrl-C stops it."
    })
public final class DashboardCommand implements Callable<Integer> {

  @Option(
      names = "--runs",
      paramLabel = "DIR",
      description = "Folder of runs, searches and rolls, or one of them (default: runs).")
  private Path runs = Path.of("runs");

  @Option(
      names = "--service",
      paramLabel = "URL",
      description = "A decision service to show, such as http://127.0.0.1:8700.")
  private @Nullable URI service;

  @Option(
      names = "--service-token-file",
      paramLabel = "FILE",
      description = "File with a token that may read from the service.")
  private @Nullable Path serviceToken;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description = "Address to listen on (default: 127.0.0.1); any but loopback needs a token.")
  private String bind = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Port to listen on (default: 8800); 0 takes a free one.")
  private int port = 8800;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "File with the token for tags, stopping and resuming; without it they are refused.")
  private @Nullable Path token;

  @Mixin private Console console = new Console();

  @Override
  public Integer call() throws InterruptedException {
    if (service != null
        && (service.getHost() == null || !String.valueOf(service.getScheme()).matches("https?"))) {
      throw new ConfigException("--service", "a URL such as http://127.0.0.1:8700", service);
    }
    var config =
        new DashboardConfig(
            runs,
            new WebServer.Settings(bind, port, token == null ? null : Token.read(token)),
            service,
            serviceToken == null ? null : text(serviceToken),
            ResumedRun::start,
            console.err()::println);
    var stopped = new CountDownLatch(1);
    try (var dashboard = Dashboard.start(config);
        var _ = new StopSignal(stopped::countDown)) {
      console.out().println("dashboard: " + dashboard.url());
      console.out().flush();
      stopped.await();
    }
    return ExitCode.OK;
  }

  private static String text(Path file) {
    Token.read(file); // checks it
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new ConfigException(file.toString(), "a file that can be read", e.getMessage());
    }
  }
}

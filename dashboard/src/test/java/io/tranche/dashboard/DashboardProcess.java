package io.tranche.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.dashboard.http.WebServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/// A dashboard in a process of its own, to measure.
final class DashboardProcess {

  private DashboardProcess() {}

  static Process start(Path folder) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx144m",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            DashboardProcess.class.getName(),
            folder.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  static String url(Process server) throws IOException {
    return new BufferedReader(new InputStreamReader(server.getInputStream(), UTF_8)).readLine();
  }

  @SuppressWarnings("SystemOut") // the other process reads it
  public static void main(String[] arguments) throws InterruptedException {
    try (var dashboard =
        Dashboard.start(
            new DashboardConfig(
                Path.of(arguments[0]),
                new WebServer.Settings("127.0.0.1", 0, null),
                null,
                null,
                _ -> {},
                System.err::println))) {
      System.out.println(dashboard.url());
      new CountDownLatch(1).await();
    }
  }
}

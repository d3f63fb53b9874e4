package io.tranche.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.dashboard.http.WebServer;
import io.tranche.testkit.Shared;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A dashboard in a process of its own, to measure.
final class DashboardProcess {

  private static final Pattern FLAGS = Pattern.compile("\"cli dashboard\"\\) flags\\+=\\((.*?)\\)");

  private DashboardProcess() {}

  static Process start(Path folder) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags());
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            DashboardProcess.class.getName(),
            folder.toString()));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /// Returns the flags that `./tranche dashboard` starts the JVM with.
  private static List<String> flags() throws IOException {
    Matcher line = FLAGS.matcher(Files.readString(Shared.root().resolve("tranche")));
    assertThat(line.find()).as("flags of the dashboard in the launcher").isTrue();
    return List.of(line.group(1).split(" "));
  }

  static String url(Process server) throws IOException {
    return new BufferedReader(new InputStreamReader(server.getInputStream(), UTF_8)).readLine();
  }

  @SuppressWarnings("SystemOut") // the other process reads it
  public static void main(String[] arguments) throws InterruptedException {
    var config =
        new DashboardConfig(
            Path.of(arguments[0]),
            new WebServer.Settings("127.0.0.1", 0, null),
            null,
            null,
            _ -> {},
            System.err::println);
    try (var dashboard = Dashboard.start(config)) {
      System.out.println(dashboard.url());
      new CountDownLatch(1).await();
    }
  }
}

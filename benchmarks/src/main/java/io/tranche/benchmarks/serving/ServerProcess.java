package io.tranche.benchmarks.serving;

import io.tranche.benchmarks.measure.Options;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A server in a process of its own, which prints its address.
final class ServerProcess implements AutoCloseable {

  private static final Pattern LISTENING = Pattern.compile("listening on (?:.*:)?(\\d+)");

  /// Its real need of memory shows only under a limit.
  private static final String LARGEST_HEAP = "-Xmx512m";

  /// As the launcher does.
  private static final List<String> SHORT_PAUSES =
      List.of(
          "-XX:MaxGCPauseMillis=4",
          "-XX:MaxTenuringThreshold=0",
          "-Xms256m",
          "-XX:+AlwaysPreTouch");

  private final Process process;
  private final InetSocketAddress address;

  private ServerProcess(Process process, InetSocketAddress address) {
    this.process = process;
    this.address = address;
  }

  /// Starts `tranche serve` as it is by default, with an empty journal and no limits.
  ///
  /// @param more settings of its configuration
  static ServerProcess ours(Options options, ServedBundle model, String... more)
      throws IOException {
    Path journal = Files.createTempDirectory(options.work(), "journal");
    var settings = new ArrayList<>(List.of("engine.limits=none"));
    settings.addAll(List.of(more));
    return start(options, command(options, model, journal, settings));
  }

  /// Returns the command of `tranche serve`.
  ///
  /// @param settings of its configuration
  static List<String> command(
      Options options, ServedBundle model, Path journal, List<String> settings) {
    List<String> command = Options.java(options.quick(), LARGEST_HEAP);
    command.addAll(SHORT_PAUSES);
    command.addAll(List.of(io.tranche.cli.Main.class.getName(), "serve"));
    command.addAll(List.of(model.bundle.toString(), "--port", "0"));
    command.addAll(List.of("--journal", journal.toString(), "--set", "log=warn"));
    command.addAll(List.of("--set", "engine.await_cancels=false"));
    command.addAll(List.of("--set", "engine.needs_earlier_days=false"));
    settings.forEach(each -> command.addAll(List.of("--set", each)));
    return command;
  }

  /// Starts a server and waits until it listens.
  ///
  /// @throws IOException if it ends instead; its output is in the log
  static ServerProcess start(Options options, List<String> command) throws IOException {
    Path errors = Files.createTempFile(options.work(), "server", ".log");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    // A benchmark that is interrupted leaves no server behind.
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    BufferedReader lines = process.inputReader();
    String line;
    while ((line = lines.readLine()) != null) {
      Matcher matcher = LISTENING.matcher(line);
      if (matcher.matches()) {
        int port = Integer.parseInt(matcher.group(1));
        return new ServerProcess(
            process, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      }
    }
    process.destroyForcibly();
    options.log().println(Files.readString(errors));
    throw new IOException("a server must listen, ended instead: " + command.getFirst());
  }

  InetSocketAddress address() {
    return address;
  }

  long pid() {
    return process.pid();
  }

  double cpuSeconds() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
  }

  /// Returns a number that the server counts.
  double metric(String name) throws IOException {
    var url = URI.create("http://127.0.0.1:%d/metrics".formatted(address.getPort()));
    try (var http = HttpClient.newHttpClient()) {
      String text = http.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString()).body();
      for (String line : text.lines().toList()) {
        if (line.startsWith(name + " ")) {
          return Double.parseDouble(line.substring(name.length() + 1));
        }
      }
      throw new IOException("the server must count %s, but does not".formatted(name));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a server was asked", e);
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Options.exitCode(process);
  }
}

package io.tranche.benchmarks.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A script of the peers folder that stays open and does its work once for each request, so that it
/// takes turns with our side (`take_turns` of `measure.py`).
public final class PeerTurns implements AutoCloseable {

  private static final JsonMapper JSON = new JsonMapper();

  private final String script;
  private final Process process;
  private final Path errors;
  private final Options options;

  private PeerTurns(Options options, String script, List<String> command) throws IOException {
    this.script = script;
    this.options = options;
    errors = Files.createTempFile(options.work(), "peer", ".log");
    process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
  }

  /// Starts a script, or returns null where peers are not wanted or cannot be installed.
  ///
  /// @param environment the Python packages, see [Peer#prepare]
  public static @Nullable PeerTurns start(
      Options options, String environment, String script, Object... arguments) throws IOException {
    Peer peer = Peer.prepare(options, environment);
    return peer == null ? null : new PeerTurns(options, script, peer.command(script, arguments));
  }

  /// Lets the script do the work that it knows by this name once.
  public Turn take(String work) throws IOException {
    return take(work, 1);
  }

  /// Lets the script do it so many times; the turn's time is that of one.
  Turn take(String work, int times) throws IOException {
    try {
      // The streams live as long as the process: closing one would end it.
      var requests = process.outputWriter(StandardCharsets.UTF_8);
      requests.write("%s %d\n".formatted(work, times));
      requests.flush();
      return read(process.inputReader(StandardCharsets.UTF_8).readLine());
    } catch (IOException e) {
      options.log().println(Files.readString(errors));
      throw new IOException("%s must answer to %s, was an end".formatted(script, work), e);
    }
  }

  private static Turn read(@Nullable String line) throws IOException {
    if (line == null) {
      throw new IOException("the peer has ended");
    }
    JsonNode node = JSON.readTree(line);
    var timing =
        new Timing(node.required("wall_s").doubleValue(), node.required("cpu_s").doubleValue());
    return new Turn(
        timing, node.required("values").valueStream().map(JsonNode::doubleValue).toList());
  }

  @Override
  public void close() throws IOException {
    try {
      process.outputWriter(StandardCharsets.UTF_8).close(); // the script ends with its input
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}

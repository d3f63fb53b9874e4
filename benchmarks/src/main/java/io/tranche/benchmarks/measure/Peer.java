package io.tranche.benchmarks.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A Python environment with the packages of one requirements file, made once under `target`.
public final class Peer {

  private static final JsonMapper JSON = new JsonMapper();

  private final Options options;
  private final Path python;

  private Peer(Options options, Path python) {
    this.options = options;
    this.python = python;
  }

  /// Whether all environments are there already.
  public static boolean areInstalled(Path home) throws IOException {
    for (String name : environments(home)) {
      Path done = home.resolve("benchmarks/target/peers").resolve(name).resolve("installed.txt");
      Path file = home.resolve("benchmarks/peers/requirements-" + name + ".txt");
      if (!Files.exists(done) || Files.mismatch(done, file) != -1) {
        return false;
      }
    }
    return true;
  }

  /// Returns the names of all environments.
  public static List<String> environments(Path home) throws IOException {
    try (Stream<Path> files = Files.list(home.resolve("benchmarks/peers"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".txt"))
          .map(name -> name.replaceAll("requirements-|\\.txt", ""))
          .sorted()
          .toList();
    }
  }

  /// Returns the environment of `peers/requirements-NAME.txt`, and makes it if necessary; null,
  /// with a message in the log, if peers are not wanted or Python or a package is missing.
  public static @Nullable Peer prepare(Options options, String name) throws IOException {
    if (!options.peers()) {
      return null;
    }
    Path requirements = scripts(options).resolve("requirements-" + name + ".txt");
    Path environment = options.home().resolve("benchmarks/target/peers").resolve(name);
    Path python = environment.resolve("bin/python");
    Path done = environment.resolve("installed.txt"); // a copy of what was installed
    if (Files.exists(done) && Files.mismatch(done, requirements) == -1) {
      return new Peer(options, python);
    }
    options.printf("making a Python environment of %s in %s%n", requirements, environment);
    var install = new ArrayList<>(List.of(python.toString(), "-m", "pip", "install", "--quiet"));
    install.addAll(
        List.of("--disable-pip-version-check", "--requirement", requirements.toString()));
    List<String> make = List.of("python3", "-m", "venv", "--clear", environment.toString());
    if (!succeeds(options, make) || !succeeds(options, install)) {
      options.printf(
          "peer skipped: Python 3 with venv, or the packages of %s, missing%n", requirements);
      return null;
    }
    Files.copy(requirements, done);
    return new Peer(options, python);
  }

  /// The output of a script: numbers by name.
  public record Answer(Map<String, Double> values) {

    public double value(String name) {
      Double found = values.get(name);
      if (found == null) {
        throw new IllegalStateException("the peer must report %s, was %s".formatted(name, values));
      }
      return found;
    }
  }

  /// Runs a script of the peers folder.
  ///
  /// @throws IOException if it fails; the log has its output
  public Answer answer(String script, Object... arguments) throws IOException {
    List<String> command = command(script, arguments);
    Path errors = Files.createTempFile(options.work(), "peer", ".log");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    List<String> lines = process.inputReader(StandardCharsets.UTF_8).readAllLines();
    int code = Options.exitCode(process);
    if (code != 0 || lines.isEmpty()) {
      options.log().println(Files.readString(errors));
      throw new IOException("%s must exit with 0, was %d".formatted(script, code));
    }
    return parse(lines);
  }

  /// Returns the command that runs a script of the peers folder.
  public List<String> command(String script, Object... arguments) {
    // -B leaves no compiled files beside the scripts.
    return Stream.concat(
            Stream.of(python, "-B", scripts(options).resolve(script)), Stream.of(arguments))
        .map(Object::toString)
        .toList();
  }

  private static Answer parse(List<String> lines) {
    var values = new LinkedHashMap<String, Double>();
    for (String line : lines) {
      JsonNode node = JSON.readTree(line);
      values.put(node.required("name").stringValue(), node.required("value").doubleValue());
    }
    return new Answer(values);
  }

  private static Path scripts(Options options) {
    return options.home().resolve("benchmarks/peers");
  }

  private static boolean succeeds(Options options, List<String> command) throws IOException {
    Path log = Files.createTempFile(options.work(), "peer", ".log");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (Options.exitCode(process) == 0) {
        return true;
      }
      options.log().println(Files.readString(log));
      return false;
    } catch (IOException e) {
      options.printf("%s: %s%n", command.getFirst(), e.getMessage());
      return false;
    }
  }
}

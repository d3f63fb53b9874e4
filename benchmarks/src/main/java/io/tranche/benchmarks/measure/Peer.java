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

  /// A measurement that a script reported under one name.
  ///
  /// @param size the size of its result, to be compared with ours
  public record Run(Timing median, int repetitions, long size) {

    /// Returns both [#figures] and [#ratios].
    public List<Figure> compare(Options options, String prefix, Timing ours, long ourSize) {
      return Stream.concat(
              figures(prefix).stream(), ratios(options, prefix, ours, ourSize).stream())
          .toList();
    }

    /// Returns the peer's own times, as `PREFIX.peer.*`.
    public List<Figure> figures(String prefix) {
      return List.of(
          new Figure(prefix + ".peer.wall", median.wallSeconds(), "s"),
          new Figure(prefix + ".peer.cpu", median.cpuSeconds(), "s"));
    }

    /// Returns how many times longer than ours the peer took, as `PREFIX.ratio.*`, and prints both
    /// sides to the log.
    ///
    /// @param ourSize the size of our result
    /// @throws IllegalStateException if the peer's result has another size, so that times cannot be
    ///   compared
    public List<Figure> ratios(Options options, String prefix, Timing ours, long ourSize) {
      if (ourSize != size) {
        throw new IllegalStateException(
            "%s: the peer must produce %d rows as we do, was %d".formatted(prefix, ourSize, size));
      }
      options.printf("%s: ours %s, peer %s (%d runs)%n", prefix, ours, median, repetitions);
      return List.of(
          new Figure(prefix + ".ratio.wall", median.wallSeconds() / ours.wallSeconds(), "x"),
          new Figure(prefix + ".ratio.cpu", median.cpuSeconds() / ours.cpuSeconds(), "x"));
    }
  }

  private final Options options;
  private final Path python;

  private Peer(Options options, Path python) {
    this.options = options;
    this.python = python;
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

  /// The output of a script.
  ///
  /// @param runs what it measured, by name of run
  /// @param values single numbers, by name
  public record Answer(Map<String, Run> runs, Map<String, Double> values) {

    public Run run(String name) {
      return required(runs, name);
    }

    public double value(String name) {
      return required(values, name);
    }

    private static <T> T required(Map<String, T> all, String name) {
      T found = all.get(name);
      if (found == null) {
        throw new IllegalStateException("the peer must report %s, was %s".formatted(name, all));
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
    var timings = new LinkedHashMap<String, List<Timing>>();
    var sizes = new LinkedHashMap<String, Long>();
    for (String line : lines) {
      JsonNode node = JSON.readTree(line);
      if (node.has("value")) {
        values.put(node.required("name").stringValue(), node.required("value").doubleValue());
        continue;
      }
      String name = node.required("run").stringValue();
      double wall = node.required("wall_s").doubleValue();
      double cpu = node.required("cpu_s").doubleValue();
      timings.computeIfAbsent(name, _ -> new ArrayList<>()).add(new Timing(wall, cpu));
      sizes.put(name, node.required("size").longValue());
    }
    var runs = new LinkedHashMap<String, Run>();
    timings.forEach(
        (name, all) ->
            runs.put(name, new Run(Timing.median(all), all.size(), sizes.getOrDefault(name, 0L))));
    return new Answer(runs, values);
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

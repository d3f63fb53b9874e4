package io.tranche.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// The figures of one commit, as `bench.json` keeps them. The published tables are made from it.
///
/// @param peers whether the peers were run too
public record Results(
    String machine, String commit, String date, boolean peers, List<Measured> benchmarks) {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          // Files of before have neither seconds nor load.
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  /// What one benchmark found.
  ///
  /// @param seconds it took, peers included
  /// @param load the system's load average at its start: near zero on a quiet machine
  public record Measured(
      String name, double seconds, double load, List<Row> rows, List<Figure> figures) {

    public Measured {
      rows = List.copyOf(rows);
      figures = List.copyOf(figures);
    }
  }

  public Results {
    benchmarks = List.copyOf(benchmarks);
  }

  /// Reads a file.
  ///
  /// @throws IOException if it cannot be read or is no such file
  public static Results read(Path file) throws IOException {
    try {
      return JSON.readValue(Files.readString(file), Results.class);
    } catch (JacksonException e) {
      throw new IOException(
          "%s: expected results of ./tranche bench --record, was %s"
              .formatted(file, e.getOriginalMessage()),
          e);
    }
  }

  /// Returns what the file has of these results' commit, so that an interrupted run goes on; these
  /// results if it has another commit's.
  public Results resumed(Path file) throws IOException {
    if (!Files.exists(file)) {
      return this;
    }
    Results before = read(file);
    return before.commit.equals(commit) && before.peers == peers ? before : this;
  }

  /// Returns these results with what one more benchmark found, or a part of one, named
  /// `BENCHMARK/PART`. The whole replaces its parts.
  public Results with(Measured measured) {
    var all = new ArrayList<>(benchmarks);
    all.removeIf(each -> each.name().startsWith(measured.name() + "/"));
    all.add(measured);
    return new Results(machine, commit, date, peers, all);
  }

  public boolean has(String benchmark) {
    return measured(benchmark).isPresent();
  }

  /// Returns what a benchmark, or a part of one, has found.
  public Optional<Measured> measured(String benchmark) {
    return benchmarks.stream().filter(measured -> measured.name().equals(benchmark)).findFirst();
  }

  /// Returns the figures of a benchmark, or of a part of one.
  public Optional<List<Figure>> figures(String benchmark) {
    return measured(benchmark).map(Measured::figures);
  }

  /// Returns the row of this name.
  public Optional<Row> row(String name) {
    return benchmarks.stream()
        .flatMap(measured -> measured.rows().stream())
        .filter(row -> row.name().equals(name))
        .findFirst();
  }

  /// Whether there is a row or a figure of this name.
  boolean knows(String name) {
    return row(name).isPresent() || figure(name).isPresent();
  }

  /// Returns the figure of this name.
  public Optional<Figure> figure(String name) {
    return Stream.concat(
            benchmarks.stream().flatMap(measured -> measured.figures().stream()),
            ofTheRun().stream())
        .filter(figure -> figure.name().equals(name))
        .findFirst();
  }

  /// Returns the figures of the run itself.
  private List<Figure> ofTheRun() {
    double seconds = benchmarks.stream().mapToDouble(Measured::seconds).sum();
    double load = benchmarks.stream().mapToDouble(Measured::load).max().orElse(0);
    return seconds == 0
        ? List.of()
        : List.of(
            new Figure("run.minutes", seconds / 60, "min"),
            new Figure("run.load", load, "processes"));
  }

  /// Replaces the file at once: whoever reads it finds the old results or the new ones.
  public void write(Path file) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".part");
    Files.writeString(next, JSON.writeValueAsString(this) + "\n");
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}

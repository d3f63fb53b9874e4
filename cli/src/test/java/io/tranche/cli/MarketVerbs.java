package io.tranche.cli;

import static java.lang.Double.NaN;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.cli.console.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The verbs that execute orders, and the figures that each of them gives for every order.
final class MarketVerbs {

  /// What files of results say of an order, under these names.
  private static final List<String> FIGURES =
      List.of(
          "filled", "average_price", "benchmark_price", "completion", "advantage_bps", "cost_bps");

  private MarketVerbs() {}

  /// Runs a command line that succeeds and returns what it prints.
  static String done(Object... words) {
    return done(List.of(ExitCode.OK), words);
  }

  /// Runs a command line that may leave out orders that cannot be executed.
  static String doneOrSkipping(Object... words) {
    return done(List.of(ExitCode.OK, ExitCode.FAILED_ORDERS), words);
  }

  private static String done(List<Integer> statuses, Object... words) {
    var arguments = new ArrayList<String>();
    for (Object word : words) {
      arguments.add(word.toString());
    }
    Run run = Run.of(arguments.toArray(String[]::new));
    assertThat(run.status()).as("%s: %s%s", arguments, run.out(), run.err()).isIn(statuses);
    return run.out();
  }

  /// Returns the figures of each order in a `result.csv`, as they are written.
  static List<List<Double>> results(Path file) throws IOException {
    return figures(Files.readAllLines(file));
  }

  /// Returns the same of a table that `replay` wrote as orders ended.
  static List<List<Double>> replayed(Path file) throws IOException {
    var lines = new ArrayList<>(Files.readAllLines(file));
    lines
        .subList(1, lines.size())
        .sort(Comparator.comparing(line -> Integer.valueOf(line.split(",", -1)[0])));
    return figures(lines);
  }

  private static List<List<Double>> figures(List<String> lines) {
    List<String> names = List.of(lines.getFirst().split(",", -1));
    var rows = new ArrayList<List<Double>>();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      rows.add(
          FIGURES.stream()
              .map(name -> cells[names.indexOf(name)])
              .map(cell -> cell.isEmpty() ? NaN : Double.valueOf(cell))
              .toList());
    }
    return rows;
  }

  /// Returns what a report says of each order: completion, advantage and costs.
  static List<List<Double>> reported(Path folder) {
    return StreamSupport.stream(report(folder).get("orders").spliterator(), false)
        .map(
            order ->
                Stream.of("fill_rate", "advantage_bps", "cost_bps")
                    .map(name -> order.get(name).doubleValue())
                    .toList())
        .toList();
  }

  /// Returns the part of the figures that reports have.
  static List<List<Double>> reportedPart(List<List<Double>> figures) {
    return figures.stream().map(row -> row.subList(3, FIGURES.size())).toList();
  }

  static JsonNode report(Path folder) {
    return new JsonMapper().readTree(folder.resolve("report.json").toFile());
  }

  /// Writes the orders of a `result.csv` as an order file, in the same order.
  static Path asOrders(Path results, Path file) throws IOException {
    var text = new StringBuilder("instrument,side,start,end,amount\n");
    for (String row : Files.readAllLines(results).stream().skip(1).toList()) {
      text.append(String.join(",", List.of(row.split(",", -1)).subList(0, 5))).append('\n');
    }
    return Files.writeString(file, text);
  }

  /// Replays orders against `tranche serve BUNDLE` and returns the figures of each.
  ///
  /// @param decisions the file of its child orders
  /// @param options more words for the service
  static List<List<Double>> served(
      Path folder, Path bundle, Path bars, Path orders, Path decisions, Object... options)
      throws IOException {
    return served(60_000_000, folder, bundle, bars, orders, decisions, options);
  }

  /// As above, with so many microseconds for each decision.
  static List<List<Double>> served(
      int deadlineMicros,
      Path folder,
      Path bundle,
      Path bars,
      Path orders,
      Path decisions,
      Object... options)
      throws IOException {
    var words =
        new ArrayList<>(
            List.of(
                "serve",
                bundle.toString(),
                "--port",
                "0",
                "--set",
                "engine.limits=none",
                "--set", // the first days of the bars have none before them
                "engine.needs_earlier_days=false",
                "--journal",
                folder.resolve("journal").toString()));
    Stream.of(options).map(Object::toString).forEach(words::add);
    Path table = folder.resolve("served-table.csv");
    var errors = new StringWriter();
    try (var out = new PipedReader();
        var in = new PrintWriter(new PipedWriter(out))) {
      Thread service =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (in) { // the reader below ends with the service
                      Main.run(in, new PrintWriter(errors), words.toArray(String[]::new));
                    }
                  });
      try {
        String line = new BufferedReader(out).readLine();
        assertThat(line).as(errors.toString()).startsWith("listening on http");
        done(
            "replay",
            line.substring("listening on ".length()),
            "--bars",
            bars,
            "--orders",
            orders,
            "--deadline-micros",
            deadlineMicros,
            "--out",
            table,
            "--decisions",
            decisions,
            "--quiet");
      } finally {
        service.interrupt();
        join(service);
      }
    }
    return replayed(table);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}

package io.tranche.benchmarks;

import io.tranche.benchmarks.backtest.BacktestBenchmark;
import io.tranche.benchmarks.data.BinBenchmark;
import io.tranche.benchmarks.data.FeaturesBenchmark;
import io.tranche.benchmarks.data.FramesBenchmark;
import io.tranche.benchmarks.data.ParquetBenchmark;
import io.tranche.benchmarks.env.EnvBenchmark;
import io.tranche.benchmarks.env.GymBenchmark;
import io.tranche.benchmarks.growth.GrowthBenchmark;
import io.tranche.benchmarks.judge.JudgeBenchmark;
import io.tranche.benchmarks.learning.GuidanceBenchmark;
import io.tranche.benchmarks.learning.LawsBenchmark;
import io.tranche.benchmarks.learning.LayersBenchmark;
import io.tranche.benchmarks.learning.LearningBenchmark;
import io.tranche.benchmarks.learning.TrainBenchmark;
import io.tranche.benchmarks.learning.UpdateBenchmark;
import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Machine;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Peer;
import io.tranche.benchmarks.measure.Results;
import io.tranche.benchmarks.measure.Row;
import io.tranche.benchmarks.measure.Tables;
import io.tranche.benchmarks.real.RealBenchmark;
import io.tranche.benchmarks.runtime.PrecisionBenchmark;
import io.tranche.benchmarks.runtime.RuntimeBenchmark;
import io.tranche.benchmarks.serving.ExplainBenchmark;
import io.tranche.benchmarks.serving.GateBenchmark;
import io.tranche.benchmarks.serving.KillBenchmark;
import io.tranche.benchmarks.serving.PeakBenchmark;
import io.tranche.benchmarks.serving.ServeBenchmark;
import io.tranche.benchmarks.serving.ServePicture;
import io.tranche.benchmarks.serving.SoakBenchmark;
import io.tranche.files.StagedFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `tranche bench`: lists the benchmarks and runs them.
@Command(
    name = "tranche bench",
    description = "Measures the time and memory of Tranche; without a NAME, lists the benchmarks.",
    sortOptions = false,
    footer = {
      "",
      "tranche bench real [FILE...] walks forward over real bars (--help for more).",
      "tranche bench cluster [CONFIG [WORKERS]] measures the overhead of Spark over threads.",
      "tranche bench all --peers measures everything at one commit, in about an hour, and writes",
      "docs/bench.json and the tables made from it; after an interruption it goes on.",
      "Figures go to standard output, everything else to standard error.",
      "Exit codes: 0 done, 1 a benchmark failed, 2 wrong usage."
    })
public final class BenchmarksMain implements Callable<Integer> {

  static final List<Benchmark> BENCHMARKS =
      List.of(
          BacktestBenchmark.BENCHMARK,
          BinBenchmark.BENCHMARK,
          EnvBenchmark.BENCHMARK,
          ExplainBenchmark.BENCHMARK,
          FeaturesBenchmark.BENCHMARK,
          FramesBenchmark.BENCHMARK,
          GateBenchmark.BENCHMARK,
          GrowthBenchmark.BENCHMARK,
          GuidanceBenchmark.BENCHMARK,
          GymBenchmark.BENCHMARK,
          JudgeBenchmark.BENCHMARK,
          KillBenchmark.BENCHMARK,
          LawsBenchmark.BENCHMARK,
          LayersBenchmark.BENCHMARK,
          LearningBenchmark.BENCHMARK,
          ParquetBenchmark.BENCHMARK,
          PeakBenchmark.BENCHMARK,
          PrecisionBenchmark.BENCHMARK,
          RuntimeBenchmark.BENCHMARK,
          ServeBenchmark.BENCHMARK,
          SoakBenchmark.BENCHMARK,
          TrainBenchmark.BENCHMARK,
          UpdateBenchmark.BENCHMARK);

  /// The results that the pages show.
  static final String PUBLISHED = "docs/bench.json";

  /// The pages with tables of results.
  static final List<String> PAGES =
      List.of("README.md", "docs/zh/README.md", "docs/performance.md", "docs/training.md");

  private final PrintStream out;
  private final PrintStream log;
  private Results results = new Results("", "", "", false, List.of());

  /// What the parts of the current benchmark took that an interrupted run had measured.
  private double secondsBefore;

  @Parameters(
      paramLabel = "NAME",
      description = "benchmarks to run; all for every one that takes minutes")
  private List<String> names = new ArrayList<>();

  @Option(names = "--json", description = "print each figure as a JSON object on its own line")
  private boolean json;

  @Option(names = "--peers", description = "run the Python peers on the same data (needs Python 3)")
  private boolean peers;

  @Option(
      names = "--quick",
      description = "each side once: shows that values agree; its figures mean nothing")
  private boolean quick;

  @Option(
      names = "--record",
      paramLabel = "FILE",
      description = {
        "keep the results there; what the file has of this commit is not measured again,",
        "so an interrupted run goes on"
      })
  private @Nullable Path record;

  @Option(
      names = "--tables",
      paramLabel = "FILE",
      description = {
        "write the tables of README.md and docs from these results; with NAMEs, first measure",
        "what the file does not have and --record it there"
      })
  private @Nullable Path tables;

  @Option(names = "--date", paramLabel = "DATE", description = "date to print beside the machine")
  private @Nullable String date;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "print this and exit")
  private boolean help;

  private BenchmarksMain(PrintStream out, PrintStream log) {
    this.out = out;
    this.log = log;
  }

  public static void main(String[] arguments) {
    System.exit(run(System.out, System.err, arguments));
  }

  /// Returns the exit code.
  static int run(PrintStream out, PrintStream log, String... arguments) {
    boolean isReal = arguments.length > 0 && arguments[0].equals("real");
    return command(isReal, out, log)
        .execute(isReal ? Arrays.copyOfRange(arguments, 1, arguments.length) : arguments);
  }

  /// @param isReal whether it is the walk over real bars, which has options of its own
  static CommandLine command(boolean isReal, PrintStream out, PrintStream log) {
    return new CommandLine(isReal ? new RealBenchmark(out, log) : new BenchmarksMain(out, log))
        .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(log, true, StandardCharsets.UTF_8));
  }

  @Override
  public Integer call() throws IOException {
    if (quick && (record != null || tables != null)) {
      log.println(
          "--quick: expected neither --record nor --tables, because its figures mean nothing");
      return ExitCode.USAGE;
    }
    if (tables != null && names.isEmpty()) {
      return writeTables(tables);
    }
    if (names.isEmpty()) {
      list(out);
      return ExitCode.OK;
    }
    var chosen = new ArrayList<Benchmark>();
    for (String name : names) {
      List<Benchmark> found =
          BENCHMARKS.stream()
              .filter(b -> name.equals("all") ? !b.isLong() : name.equals(b.name()))
              .toList();
      if (found.isEmpty()) {
        log.printf("NAME must be all or one of these, was '%s'%n", name);
        list(log);
        return ExitCode.USAGE;
      }
      chosen.addAll(found);
    }
    Path home = home();
    if (quick && names.contains("all") && !peers) {
      peers = Peer.areInstalled(home);
      log.println(peers ? "with peers" : "without peers, which --peers installs");
    }
    Machine machine = Machine.here(home);
    log.println(machine + (date == null ? "" : ", " + date));
    String day = date == null ? LocalDate.now(ZoneOffset.UTC).toString() : date;
    results = new Results(machine.name(), machine.commit(), day, peers, List.of());
    boolean isPublished = names.contains("all") && peers && !quick && record == null;
    String obstacle = isPublished ? obstacle(machine, home) : "";
    if (!obstacle.isEmpty()) {
      log.println(obstacle);
      return ExitCode.USAGE;
    }
    if (record == null) {
      record = tables;
    }
    if (record == null && isPublished) {
      // Beside the results of a build, so that the commit does not become a changed one.
      record = Files.createDirectories(home.resolve("benchmarks/target")).resolve("bench.json");
    }
    if (record != null) {
      results = results.resumed(record);
    }
    int code = ExitCode.OK;
    for (Benchmark benchmark : chosen) {
      if (results.has(benchmark.name())) {
        log.printf("%s: measured already, see %s%n", benchmark.name(), record);
        continue;
      }
      Results.@Nullable Measured measured = measure(benchmark, home);
      if (measured == null) {
        code = ExitCode.SOFTWARE;
      } else {
        record(measured);
      }
    }
    Path written = isPublished ? record : tables;
    return code == ExitCode.OK && written != null ? writeTables(written) : code;
  }

  /// Returns why a run cannot be published, which is better known before it than after an hour;
  /// empty if it can.
  private String obstacle(Machine machine, Path home) throws IOException {
    if (!machine.isAtCommit()) {
      return "all --peers: expected a commit without changes, because its figures are published under"
          + " its name, was %s; --record FILE only keeps them".formatted(machine.commit());
    }
    Path work = Files.createTempDirectory("tranche-bench");
    try {
      var options = new Options(false, true, home, work, log, _ -> {});
      for (String name : Peer.environments(home)) {
        if (Peer.prepare(options, name) == null) {
          return "all --peers: expected all peers, because figures without them are not published,"
              + " was no %s; --record FILE keeps what there is".formatted(name);
        }
      }
      return "";
    } finally {
      StagedFolder.delete(work);
    }
  }

  private void record(Results.Measured measured) throws IOException {
    results = results.with(measured);
    if (record != null) {
      results.write(record);
    }
  }

  private List<Figure> once(String name, Options.Part part) throws IOException {
    Optional<Results.Measured> known = results.measured(name);
    if (known.isPresent()) {
      log.printf("%s: measured already%n", name);
      secondsBefore += known.get().seconds();
      return known.get().figures();
    }
    double load = Machine.loadNow();
    long start = System.nanoTime();
    List<Figure> figures = part.measure();
    record(new Results.Measured(name, secondsSince(start), load, List.of(), figures));
    return figures;
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  /// Returns null, after a message, if the benchmark failed: the others still run.
  private Results.@Nullable Measured measure(Benchmark benchmark, Path home) throws IOException {
    log.printf("%s: %s%n", benchmark.name(), benchmark.question());
    Path work = Files.createTempDirectory("tranche-bench");
    var rows = new ArrayList<Row>();
    double load = Machine.loadNow();
    long start = System.nanoTime();
    secondsBefore = 0;
    try {
      List<Figure> figures =
          benchmark
              .measurement()
              .run(
                  new Options(
                      quick,
                      peers,
                      home,
                      work,
                      log,
                      rows::add,
                      (part, of) -> once(benchmark.name() + "/" + part, of)));
      for (Figure figure : figures) {
        out.println(json ? figure.toJson() : figure);
      }
      out.flush();
      double seconds = secondsBefore + secondsSince(start);
      log.printf("%s: %.0f s%n", benchmark.name(), seconds);
      return new Results.Measured(benchmark.name(), seconds, load, rows, figures);
    } catch (IOException | RuntimeException e) {
      log.printf("%s failed: %s%n", benchmark.name(), e);
      return null;
    } finally {
      StagedFolder.delete(work);
    }
  }

  private int writeTables(Path file) throws IOException {
    try {
      results = Results.read(file);
    } catch (IOException e) {
      log.println(e.getMessage());
      return ExitCode.USAGE;
    }
    Path home = home();
    if (BENCHMARKS.stream().allMatch(b -> b.isLong() || results.has(b.name()))) {
      results.write(home.resolve(PUBLISHED));
      ServePicture.publish(
          home.resolve("docs"), results.figures(ServeBenchmark.BENCHMARK.name()).orElseThrow());
    }
    for (String page : PAGES) {
      Path at = home.resolve(page);
      Files.writeString(at, Tables.fill(Files.readString(at), results));
    }
    return ExitCode.OK;
  }

  private static void list(PrintStream to) {
    for (Benchmark benchmark : BENCHMARKS) {
      to.printf("%-10s %s%n", benchmark.name(), benchmark.question());
      for (String figure : benchmark.figures()) {
        to.printf("%-10s   %s%n", "", figure);
      }
    }
  }

  /// Returns the project's folder: the nearest folder above the code that holds the peers.
  static Path home() {
    try {
      Path code =
          Path.of(BenchmarksMain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      for (Path at = code; at != null; at = at.getParent()) {
        if (Files.isDirectory(at.resolve("benchmarks/peers"))) {
          return at;
        }
      }
      throw new IllegalStateException("benchmarks must run from the project, was " + code);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}

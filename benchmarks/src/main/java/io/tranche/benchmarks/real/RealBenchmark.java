package io.tranche.benchmarks.real;

import com.sun.management.OperatingSystemMXBean;
import io.tranche.config.ConfigException;
import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import io.tranche.market.synthetic.Law;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.run.ExecutionRun;
import io.tranche.trainer.TrainingProgress;
import io.tranche.work.roll.Roll;
import io.tranche.work.roll.RollReport;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `tranche bench real`: walks forward over files of bars and says what agents won on them.
@Command(
    name = "tranche bench real",
    description = {
      "Walks forward over each file of bars with several seeds, judges the agents and the linear"
          + " baseline against TWAP, then tries switches of the recipe.",
      "With --laws it does the same on the embedded market, where the truth is known.",
      "Run it again to go on after a stop; what the budget did not allow is listed as not tried"
          + " (docs/real-markets.md)."
    },
    sortOptions = false)
public final class RealBenchmark implements Callable<Integer> {

  private static final double SECONDS_AN_HOUR = 3600;
  private static final int SHUFFLED = 12;

  private final PrintStream out;
  private final PrintStream log;
  private final List<String> notTried = new ArrayList<>();
  private double usedBefore;
  private double startedAt;

  @Parameters(
      paramLabel = "FILE",
      description = "files of bars (default: those of ../shared/data, if it is there)")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--laws",
      paramLabel = "LAW|all",
      split = ",",
      description = "walk over the embedded market under these laws; over files only if named")
  private List<String> laws = new ArrayList<>();

  @Option(
      names = "--switches",
      paramLabel = "NAME",
      split = ",",
      description = "only these switches, or none (default: all; --quick: none)")
  private @Nullable List<String> switches;

  @Option(names = "--out", paramLabel = "DIR", description = "folder of all walks (default: real)")
  private Path folder = Path.of("real");

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "seeds of the recipe, and of the embedded market (default: 3)")
  private int seeds = 3;

  @Option(names = "--first-seed", paramLabel = "N", description = "the first of them (default: 1)")
  private int firstSeed = 1;

  @Option(names = "--iterations", paramLabel = "N", description = "of each training (default: 24)")
  private int iterations = 24;

  @Option(
      names = "--episodes",
      paramLabel = "N",
      description = "orders of each iteration (default: 500)")
  private int episodes = 500;

  @Option(names = "--windows", paramLabel = "N", description = "windows of a file (default: 3)")
  private int windows = 3;

  @Option(
      names = "--days",
      paramLabel = "N",
      description = "of the embedded market; files have their own (default: 150)")
  private int days = SyntheticConfig.DEFAULT.days();

  @Option(
      names = "--instruments",
      paramLabel = "N",
      description = "whose orders are executed, at most (default: 80)")
  private int instruments = 80;

  @Option(
      names = "--hours",
      paramLabel = "H",
      description = "CPU hours, over all calls for this folder (default: 4)")
  private double hours = 4;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "number of threads; does not change the result (default: 1)")
  private int threads = 1;

  @Option(
      names = "--quick",
      description = "minutes instead of hours: shows that it runs; its figures mean nothing")
  private boolean quick;

  @Spec private CommandSpec spec = CommandSpec.create();

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "print this and exit")
  private boolean help;

  public RealBenchmark(PrintStream out, PrintStream log) {
    this.out = out;
    this.log = log;
  }

  @Override
  public Integer call() throws IOException {
    requireAtLeastOne();
    if (quick) {
      seeds = 1;
      iterations = 1;
      episodes = 32;
      windows = 1;
      instruments = 4;
    }
    List<Switch> turned = switches();
    List<Law> embedded = named("--laws", "all", laws, Stream.of(Law.values()).toList(), Law::word);
    List<Path> found = !files.isEmpty() ? files : laws.isEmpty() ? found() : List.of();
    if (found.isEmpty() && laws.isEmpty()) {
      log.println("FILE: expected files of bars, was none, and ../shared/data is not there");
      return ExitCode.USAGE;
    }
    Files.createDirectories(folder);
    usedBefore = used();
    startedAt = cpuSeconds();
    var markets = new ArrayList<RealMarket>();
    var opened = new ArrayList<Path>();
    for (Path file : found) {
      RealMarket market = RealMarket.of(file, instruments);
      if (market.refusal() == null) {
        markets.add(market);
        opened.add(file);
      } else {
        notTried.add("%s: %s".formatted(market.name(), market.refusal()));
      }
    }
    var shuffled = new LinkedHashMap<RealMarket, Path>();
    for (int i = 0; i < markets.size(); i++) {
      shuffled.put(markets.get(i), opened.get(i));
    }
    embedded.forEach(law -> markets.add(RealMarket.of(law, instruments, days)));
    var table = new RealTable(markets);
    shuffled.forEach(
        (market, file) -> table.add(market, ShuffledDays.opens(file, some(market.instruments()))));
    for (RealMarket market : markets) {
      for (int i = 0; i < seeds; i++) {
        walk(market, Switch.NONE, firstSeed + i, table);
      }
    }
    for (Switch each : turned) {
      for (RealMarket market : markets) {
        if (market.days() >= RealMarket.ENOUGH_DAYS) {
          walk(market, each, firstSeed, table);
        }
      }
    }
    report(table).forEach(out::println);
    return ExitCode.OK;
  }

  private void requireAtLeastOne() {
    Map<String, Integer> counts =
        Map.of(
            "--seeds", seeds,
            "--first-seed", firstSeed,
            "--iterations", iterations,
            "--episodes", episodes,
            "--windows", windows,
            "--days", days,
            "--instruments", instruments,
            "--threads", threads);
    counts.forEach(
        (option, count) -> {
          if (count < 1) {
            throw new ParameterException(
                spec.commandLine(), "%s must be at least 1, was %d".formatted(option, count));
          }
        });
  }

  private List<Switch> switches() {
    if (switches == null) {
      return quick ? List.of() : Switch.ALL;
    }
    List<String> wanted = switches.equals(List.of("none")) ? List.of() : switches;
    return named("--switches", "none", wanted, Switch.ALL, Switch::name);
  }

  /// Returns the members that are named.
  ///
  /// @param other a word that is allowed beside their names; `all` means all of them
  private <T> List<T> named(
      String option, String other, List<String> wanted, List<T> all, Function<T, String> name) {
    if (wanted.equals(List.of("all"))) {
      return all;
    }
    List<String> names = all.stream().map(name).toList();
    for (String each : wanted) {
      if (!names.contains(each)) {
        throw new ParameterException(
            spec.commandLine(),
            "%s: expected %s, or some of %s, was %s".formatted(option, other, names, each));
      }
    }
    return all.stream().filter(each -> wanted.contains(name.apply(each))).toList();
  }

  private static List<String> some(List<String> instruments) {
    return instruments.subList(0, Math.min(SHUFFLED, instruments.size()));
  }

  /// Writes what is known so far.
  private List<String> report(RealTable table) throws IOException {
    double seconds = usedBefore + cpuSeconds() - startedAt;
    List<String> lines = table.lines(notTried, seconds / SECONDS_AN_HOUR, hours);
    PendingFile.write(folder.resolve("real.md"), String.join("\n", lines) + "\n");
    return lines;
  }

  /// Returns the files beside the project that have bars of many days.
  private static List<Path> found() throws IOException {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path data = at.resolve("shared/data");
      if (Files.isDirectory(data)) {
        try (Stream<Path> files = Files.list(data)) {
          return files.filter(each -> each.toString().endsWith(".parquet")).sorted().toList();
        }
      }
    }
    return List.of();
  }

  /// Walks, or goes on, or reads what was walked before.
  private void walk(RealMarket market, Switch turned, int seed, RealTable table)
      throws IOException {
    String what = "%s, %s, seed %d".formatted(market.name(), turned.name(), seed);
    Path place = folder.resolve(market.name()).resolve(turned.name() + "-" + seed);
    boolean isDone = Files.exists(place.resolve("roll.csv"));
    if (!isDone && usedBefore + cpuSeconds() - startedAt >= hours * SECONDS_AN_HOUR) {
      notTried.add(what + ": the budget was used up");
      return;
    }
    log.printf(Locale.ROOT, "%s%n", what);
    try {
      Path recipe = folder.resolve(market.name()).resolve(Switch.NONE.name() + "-" + seed);
      var run =
          ExecutionRun.read(
              market.config(turned, seed, iterations, episodes, recipe), log::println);
      var parts =
          new Roll.Parts(
              null,
              threads,
              line -> log.println("  " + line),
              (_, _, _) -> {},
              TrainingProgress.NONE,
              Clock.systemUTC());
      RollReport report =
          new Roll(run, market.plan(windows, 3, turned.seeds()), place, parts).run();
      table.add(market, turned, seed, report);
    } catch (DataException | ConfigException e) {
      notTried.add("%s: %s".formatted(what, e.getMessage()));
    } finally {
      PendingFile.write(
          folder.resolve("cpu-seconds.txt"),
          "%s%n".formatted(usedBefore + cpuSeconds() - startedAt));
    }
    List<String> _ = report(table);
  }

  /// Returns the CPU seconds of earlier calls for this folder.
  private double used() throws IOException {
    Path file = folder.resolve("cpu-seconds.txt");
    return Files.exists(file) ? Double.parseDouble(Files.readString(file).strip()) : 0;
  }

  private static double cpuSeconds() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? system.getProcessCpuTime() / 1e9
        : 0;
  }
}

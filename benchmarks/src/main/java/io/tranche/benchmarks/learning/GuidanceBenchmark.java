package io.tranche.benchmarks.learning;

import io.tranche.analysis.report.TrainingPoint;
import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.config.ConfigFiles;
import io.tranche.run.ExecutionRun;
import io.tranche.run.RunFolder;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.trainer.TrainingProgress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Trains the recipe on the embedded market with one number changed at a time, for the same number
/// of episodes, and reports the best validation, what it took, and what it left on the disk: the
/// curves of docs/training.md.
public final class GuidanceBenchmark {

  /// As many as it takes to find most of what the embedded market has to find; about six minutes
  /// for all curves on two quiet cores.
  private static final int EPISODES = 24_000;

  private static final int PER_ITERATION = 1_000;
  private static final int SEEDS = 2;

  /// Is not counted: the compiler is busy with it.
  private static final String WARM_UP = "warm-up";

  /// The recipe's own values.
  private static final List<String> USUAL =
      List.of("episodes_1000", "repeat_5", "batch_1024", "every_4", "keep_24");

  /// Each curve: a key, and its values from few to many. The recipe's own is among them.
  private static final Map<String, List<Integer>> CURVES = curves();

  public static final Benchmark BENCHMARK =
      new Benchmark(
              "guidance",
              "What do cores, episodes, repeats, batch size, validations and kept checkpoints trade?",
              names(),
              GuidanceBenchmark::run)
          .asLong();

  private GuidanceBenchmark() {}

  private static Map<String, List<Integer>> curves() {
    var curves = new LinkedHashMap<String, List<Integer>>();
    curves.put("threads", List.of(1, 2));
    curves.put("episodes", List.of(250, 500, 1_000, 2_000));
    curves.put("repeat", List.of(1, 2, 5, 10));
    curves.put("batch", List.of(256, 1_024, 4_096));
    curves.put("every", List.of(1, 2, 4, 8));
    curves.put("keep", List.of(1, 4, EPISODES / PER_ITERATION));
    return curves;
  }

  private static String names() {
    var names = new ArrayList<String>();
    CURVES.forEach(
        (curve, values) -> {
          for (int value : values) {
            String prefix = "guidance.%s_%d.".formatted(curve, value);
            for (String what : figuresOf(curve)) {
              names.add(prefix + what);
            }
          }
        });
    return String.join(" ", names);
  }

  private static List<String> figuresOf(String curve) {
    return switch (curve) {
      case "threads" -> List.of("wall", "cpu");
      case "keep" -> List.of("mb");
      default -> List.of("best_bps", "cpu");
    };
  }

  private static List<Figure> run(Options options) throws IOException {
    train(options, 1, Map.of(), WARM_UP);
    var figures = new ArrayList<Figure>();
    for (var curve : CURVES.entrySet()) {
      for (int value : curve.getValue()) {
        // One measurement for the values of the recipe, whichever curve they are in.
        String point = curve.getKey() + "_" + value;
        boolean isUsual = USUAL.contains(point);
        var changed = isUsual ? Map.<String, Integer>of() : Map.of(curve.getKey(), value);
        Measured measured =
            Measured.of(
                options
                    .parts()
                    .once(
                        isUsual ? "recipe" : point,
                        () -> train(options, changed, isUsual ? "recipe" : point).figures()));
        for (String what : figuresOf(curve.getKey())) {
          figures.add(measured.figure("guidance.%s.%s".formatted(point, what), what));
        }
      }
    }
    return figures;
  }

  /// @param bestBps the advantage over TWAP of the best validation
  /// @param megabytes of all checkpoints at the end
  private record Measured(double bestBps, double wall, double cpu, double megabytes) {

    Measured plus(Measured other) {
      return new Measured(
          bestBps + other.bestBps, wall + other.wall, cpu + other.cpu, megabytes + other.megabytes);
    }

    Measured over(int runs) {
      return new Measured(bestBps / runs, wall / runs, cpu / runs, megabytes / runs);
    }

    /// Returns the figures of a part, from which [#of] makes this again.
    List<Figure> figures() {
      return Stream.of("best_bps", "wall", "cpu", "mb").map(what -> figure(what, what)).toList();
    }

    static Measured of(List<Figure> figures) {
      double[] values = figures.stream().mapToDouble(Figure::value).toArray();
      return new Measured(values[0], values[1], values[2], values[3]);
    }

    Figure figure(String name, String what) {
      return switch (what) {
        case "wall" -> new Figure(name, wall, "s");
        case "cpu" -> new Figure(name, cpu, "s");
        case "mb" -> new Figure(name, megabytes, "MB");
        default -> new Figure(name, bestBps, "bps");
      };
    }
  }

  /// Returns the means over the seeds.
  private static Measured train(Options options, Map<String, Integer> changed, String name)
      throws IOException {
    var sum = new Measured(0, 0, 0, 0);
    int seeds = options.count(SEEDS, 1);
    for (int seed = 1; seed <= seeds; seed++) {
      sum = sum.plus(train(options, seed, changed, name + " seed " + seed));
    }
    return sum.over(seeds);
  }

  private static Measured train(
      Options options, int seed, Map<String, Integer> changed, String name) throws IOException {
    Path folder = options.work().resolve(name);
    int episodes = changed.getOrDefault("episodes", PER_ITERATION);
    int iterations = options.quick() || name.equals(WARM_UP) ? 2 : EPISODES / episodes;
    String config =
        """
        tranche: 1
        data: {market: {seed: %d, instruments: %d, days: %d}}
        runtime: {seed: %d}
        trainer: {max_iterations: %d, episodes_per_iteration: %d, repeat: %d, batch_size: %d}
        checkpoint: {keep: %d}
        validation: {every: %d, judge: false}
        """
            .formatted(
                seed,
                options.count(30, 2),
                options.count(100, 20),
                seed,
                iterations,
                options.quick() ? 10 : episodes,
                changed.getOrDefault("repeat", 5),
                changed.getOrDefault("batch", 1_024),
                changed.getOrDefault("keep", EPISODES / PER_ITERATION),
                every(changed, episodes, iterations));
    int threads = changed.getOrDefault("threads", Runtime.getRuntime().availableProcessors());
    ExecutionRun run = ExecutionRun.read(ConfigFiles.parse(name, config), _ -> {});
    try (TrainingRun<?> training =
        TrainingRun.open(
            run,
            TrainingOptions.in(folder).withThreads(threads),
            (_, _, _) -> {},
            TrainingProgress.NONE,
            InstantSource.system())) {
      Timing timing = Timing.of(0, 1, () -> training.train(null));
      double best =
          LearningRun.curve(folder).stream()
              .mapToDouble(TrainingPoint::validationBps)
              .max()
              .orElse(0);
      var measured =
          new Measured(
              best, timing.wallSeconds(), timing.cpuSeconds(), megabytes(new RunFolder(folder)));
      options.printf("%s: %s%n", name, measured);
      return measured;
    }
  }

  /// Runs of more or fewer iterations are validated equally often, unless that is what changes.
  private static int every(Map<String, Integer> changed, int episodes, int iterations) {
    int every = changed.getOrDefault("every", Math.max(1, 4 * PER_ITERATION / episodes));
    return Math.min(every, iterations);
  }

  private static double megabytes(RunFolder run) throws IOException {
    try (Stream<Path> files = Files.list(run.checkpoints())) {
      return files
              .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
              .mapToLong(GuidanceBenchmark::size)
              .sum()
          / 1e6;
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

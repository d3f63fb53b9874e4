package io.tranche.benchmarks.learning;

import io.tranche.analysis.report.TrainingPoint;
import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Trains the algorithms of `examples/configs` as a user does, with one seed for market, orders and
/// agent, for three minutes each, and judges the weights that were best in validation on the test
/// days.
///
/// The minutes are CPU time of the process, so that other processes on the machine do not matter.
/// Besides its figures, the means over the seeds, it leaves a table and a picture of all runs in
/// `target/learning`, renewed after each run.
public final class LearningBenchmark {

  private static final List<String> ALGORITHMS = List.of("ppo", "opds", "opd", "dqn");
  private static final int CPU_SECONDS = 180;

  /// More than any run completes in that time.
  private static final int MOST_ITERATIONS = 100_000;

  public static final Benchmark BENCHMARK =
      new Benchmark(
              "learning",
              "What do PPO, OPDS, OPD and DQN learn in three minutes of CPU time? (Takes an hour.)",
              """
              learning.ppo.validation_bps learning.ppo.test_bps
              learning.opds.validation_bps learning.opds.test_bps
              learning.opd.validation_bps learning.opd.test_bps
              learning.dqn.validation_bps learning.dqn.test_bps
              """,
              LearningBenchmark::run)
          .asLong();

  private LearningBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    Path configs = options.home().resolve("examples/configs");
    var training = new TrainingProcess(options, configs.resolve("quick.yml"));
    var runs = new ArrayList<LearningRun>();
    var figures = new ArrayList<Figure>();
    for (String algorithm : ALGORITHMS) {
      double validation = 0;
      double test = 0;
      int seeds = options.count(3, 1);
      for (int seed = 1; seed <= seeds; seed++) {
        LearningRun run = run(options, training, configs, algorithm, seed);
        runs.add(run);
        write(options, runs);
        validation += run.best().validationBps() / seeds;
        test += run.assessment().overTwap().together().meanBps() / seeds;
      }
      String prefix = "learning." + algorithm;
      figures.add(new Figure(prefix + ".validation_bps", validation, "bps"));
      figures.add(new Figure(prefix + ".test_bps", test, "bps"));
    }
    return figures;
  }

  private static LearningRun run(
      Options options, TrainingProcess training, Path configs, String algorithm, int seed)
      throws IOException {
    SyntheticConfig market = SyntheticConfig.DEFAULT.withSeed(seed);
    market = options.quick() ? market.withSize(2, 20) : market;
    List<String> settings = settings(options, market);
    String name = algorithm.toUpperCase(Locale.ROOT);
    if (algorithm.equals("opd")) {
      TrainingProcess.Trained teacher =
          training.train(configs.resolve("opd-teacher.yml"), Double.MAX_VALUE, settings);
      TrainingPoint last = LearningRun.curve(teacher.folder()).getLast();
      options.printf(
          "teacher, seed %d: %d iterations, %.0f CPU seconds, validation %.1f%n",
          seed, last.iteration(), teacher.age().cpuSeconds(), last.validationBps());
      Path checkpoint = teacher.folder().resolve("checkpoints/latest.ckpt");
      set(settings, "distillation.teacher='%s'".formatted(checkpoint));
    }
    set(settings, "trainer.max_iterations=" + MOST_ITERATIONS);
    TrainingProcess.Trained trained =
        training.train(
            configs.resolve(algorithm + ".yml"), options.count(CPU_SECONDS, 1), settings);
    LearningRun run = LearningRun.judge(name, seed, trained, new SyntheticMarket(market));
    options.log().println(run.row());
    return run;
  }

  /// Returns the arguments of `tranche train` besides the configuration.
  private static List<String> settings(Options options, SyntheticConfig market) {
    var settings = new ArrayList<>(List.of("--seed", Long.toString(market.seed())));
    set(settings, "data.market.seed=" + market.seed());
    set(settings, "data.market.instruments=" + market.instruments());
    set(settings, "data.market.days=" + market.days());
    set(settings, "data.orders.seed=" + market.seed());
    if (options.quick()) {
      set(settings, "trainer.max_iterations=2");
      set(settings, "trainer.episodes_per_iteration=20");
      set(settings, "validation.every=1");
    }
    return settings;
  }

  private static void set(List<String> settings, String value) {
    settings.addAll(List.of("--set", value));
  }

  private static void write(Options options, List<LearningRun> runs) throws IOException {
    Path folder = (options.quick() ? options.work() : options.home()).resolve("target/learning");
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("learning.md"), LearningRun.table(runs));
    Files.writeString(folder.resolve("learning.svg"), LearningPicture.of(runs));
  }
}

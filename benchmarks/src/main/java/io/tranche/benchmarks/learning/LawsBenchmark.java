package io.tranche.benchmarks.learning;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.Yardsticks;
import io.tranche.analysis.judge.Judgement;
import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.ParallelFor;
import io.tranche.execution.DeviationGuard;
import io.tranche.market.Calendar;
import io.tranche.market.synthetic.Law;
import io.tranche.market.synthetic.Split;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.run.ExecutionRun;
import io.tranche.run.RunCheckpoints.Chosen;
import io.tranche.run.RunFolder;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.run.play.Difference;
import io.tranche.trainer.TrainingProgress;
import io.tranche.work.judge.Deployment;
import io.tranche.work.judge.TrainedRun;
import io.tranche.work.start.OwnBarsRecipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Trains the recipe for own bars on the embedded market under each law, with Qlib's raw features,
/// its own, wrong ones, and where there are some those that the law needs, and judges it on the
/// test days, with its guard and without.
///
/// Besides its figures it leaves the table of docs/embedded-market.md in `target/laws`.
public final class LawsBenchmark {

  private static final int ITERATIONS = 24;
  private static final int INSTRUMENTS = 40;

  /// Features of Qlib's example begin on the third day.
  private static final int DAYS_CUT = 2;

  /// What the agent sees.
  enum Sight {
    RAW("Qlib's raw features"),
    RECIPE("the recipe's"),
    WRONG("wrong ones"),
    FITTING("fitting ones");

    private final String words;

    Sight(String words) {
      this.words = words;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  record Run(Law law, Sight sight) {}

  /// @param alone over TWAP without its guard
  /// @param guarded with it
  record Result(
      Difference alone,
      Difference guarded,
      DeviationGuard guard,
      @Nullable Difference optimum,
      Difference oracle) {}

  public static final Benchmark BENCHMARK =
      new Benchmark(
              "laws",
              "What does the recipe for own bars learn under each law of the embedded market? (Takes some minutes.)",
              names(),
              LawsBenchmark::run)
          .asLong();

  private LawsBenchmark() {}

  private static String names() {
    var names = new StringBuilder();
    for (Law law : Law.values()) {
      names.append("laws.%s.optimum_bps laws.%1$s.oracle_bps ".formatted(law.word()));
      for (Sight sight : sights(law)) {
        names.append(
            "laws.%s.%s_bps laws.%1$s.%2$s_guarded_bps ".formatted(law.word(), sight.word()));
      }
    }
    return names.toString();
  }

  /// Only the pressure of the book has a feature that is made for it.
  private static List<Sight> sights(Law law) {
    return law == Law.FLOW
        ? List.of(Sight.values())
        : List.of(Sight.RAW, Sight.RECIPE, Sight.WRONG);
  }

  private static List<Figure> run(Options options) throws IOException {
    var figures = new ArrayList<Figure>();
    var table = new StringBuilder("| law | best step in hindsight | optimum |");
    for (Sight sight : Sight.values()) {
      table.append(' ').append(sight.words).append(" |");
    }
    table.append(" the recipe's with guard (size) |\n|---|---|---|---|---|---|---|---|\n");
    List<Run> runs =
        Stream.of(Law.values())
            .flatMap(law -> sights(law).stream().map(sight -> new Run(law, sight)))
            .toList();
    Map<Run, Result> all = new ConcurrentHashMap<>();
    int processors = Runtime.getRuntime().availableProcessors();
    try (var parallel = new ParallelFor(processors)) {
      parallel.run(runs.size(), (i, _) -> all.put(runs.get(i), result(options, runs.get(i))));
    }
    for (Law law : Law.values()) {
      var results = new EnumMap<Sight, Result>(Sight.class);
      for (Sight sight : sights(law)) {
        results.put(sight, Objects.requireNonNull(all.get(new Run(law, sight))));
      }
      String prefix = "laws." + law.word();
      Result first = Objects.requireNonNull(results.get(Sight.RECIPE));
      figures.add(bps(prefix + ".optimum", first.optimum == null ? 0 : first.optimum.meanBps()));
      figures.add(bps(prefix + ".oracle", first.oracle.meanBps()));
      for (var each : results.entrySet()) {
        Sight sight = each.getKey();
        Result result = each.getValue();
        figures.add(bps(prefix + "." + sight.word(), result.alone.meanBps()));
        figures.add(bps(prefix + "." + sight.word() + "_guarded", result.guarded.meanBps()));
      }
      table.append(row(law, results));
    }
    write(options, table);
    return figures;
  }

  private static Figure bps(String name, double value) {
    return new Figure(name + "_bps", value, "bps");
  }

  static Result result(Options options, Run which) {
    Law law = which.law;
    Sight sight = which.sight;
    Path folder = options.work().resolve(law.word() + "-" + sight.word());
    ConfigNode ownBars = ConfigFiles.of("own bars", OwnBarsRecipe.sections());
    var run =
        ExecutionRun.read(
            ConfigFiles.parse(law.word(), config(options, law, sight)).mergedInto(ownBars),
            _ -> {});
    try (TrainingRun<?> training =
        TrainingRun.open(
            run,
            TrainingOptions.in(folder).withThreads(1),
            (_, _, _) -> {},
            TrainingProgress.NONE,
            InstantSource.system())) {
      training.train(null);
      Chosen chosen = Objects.requireNonNull(Deployment.choose(training, new RunFolder(folder)));
      TrainedRun<?> trained = TrainedRun.of(training, TrainedRun.Input.OWN);
      trained.load(chosen);
      Difference guarded = Comparison.of(trained.play("guarded", null), trained.twap()).together();
      trained.load(chosen.file());
      Judgement judgement = trained.judgement();
      Yardsticks others = judgement.yardsticks();
      Difference alone = judgement.assessment().overTwap().together();
      options.printf(
          "%s, %s: %s, with guard %s (%s)%n",
          law.word(), sight.words, text(alone), text(guarded), chosen.guard());
      return new Result(
          alone,
          guarded,
          Objects.requireNonNull(chosen.guard()),
          others.optimum() == null
              ? null
              : Comparison.of(others.optimum(), others.twap()).together(),
          Comparison.of(others.oracle(), others.twap()).together());
    }
  }

  private static String config(Options options, Law law, Sight sight) {
    int instruments = options.count(INSTRUMENTS, 2);
    int days = options.count(SyntheticConfig.DEFAULT.days(), 20);
    Calendar calendar =
        new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(instruments, days)).calendar();
    String features =
        switch (sight) {
          case RAW ->
              """
              start: %s, end: %s, fit_end: %s, columns: [$open, $high, $low, $close], \
              norm_groups: {price: 8, volume: 2}"""
                  .formatted(
                      calendar.date(DAYS_CUT),
                      calendar.date(days - 1),
                      calendar.date(Split.TRAIN.endDay(days) - 1));
          case RECIPE -> "providers: [price_moves, relative_volume, time_of_day]";
          case WRONG -> "providers: [realised_volatility, time_of_day]";
          case FITTING -> "providers: [depth_imbalance, time_of_day]";
        };
    return """
        tranche: 1
        data:
          market: {law: %s, instruments: %d, days: %d}
          features: {%s}
        trainer: {max_iterations: %d, episodes_per_iteration: %d}
        validation: {every: %d, guard: true, judge: false}
        """
        .formatted(
            law.word(),
            instruments,
            days,
            features,
            options.count(ITERATIONS, 1),
            options.count(ExecutionRun.DEFAULT.trainer().vessel().episodesPerIteration(), 20),
            options.count(6, 1));
  }

  private static String row(Law law, Map<Sight, Result> results) {
    Result recipe = Objects.requireNonNull(results.get(Sight.RECIPE));
    var row = new StringBuilder("| `%s` | ".formatted(law.word()));
    row.append(text(recipe.oracle)).append(" | ");
    row.append(recipe.optimum == null ? "" : text(recipe.optimum)).append(" |");
    for (Sight sight : Sight.values()) {
      Result result = results.get(sight);
      row.append(' ').append(result == null ? "" : text(result.alone)).append(" |");
    }
    return row.append(
            " %s (%.0f %%) |%n".formatted(text(recipe.guarded), 100 * recipe.guard.size()))
        .toString();
  }

  private static String text(Difference difference) {
    return String.format(Locale.ROOT, "%.1f ± %.1f", difference.meanBps(), difference.margin());
  }

  private static void write(Options options, CharSequence table) throws IOException {
    Path folder = (options.quick() ? options.work() : options.home()).resolve("target/laws");
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("laws.md"), table);
  }
}

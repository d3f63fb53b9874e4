package io.tranche.experiment.tuning;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.execution.catalog.Settings;
import io.tranche.experiment.RunConfig;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A search as a tuning file describes it (docs/tuning.md).
///
/// @param base the training configuration that trials change, as it was given
/// @param metric what trials are compared by, such as `val/pa`
/// @param cadence how many iterations lie between two values of the metric
/// @param iterations how many a trial has that is not stopped before
/// @param rungs after how many iterations trials are compared, the last after all
/// @param reduction one in so many goes on from a rung
/// @param median stops trials between rungs; null for none
/// @param parallel how many trials are under way at a time, in the search's own time
/// @param saveEvery how many iterations at most are lost when a search is killed
/// @param triesBase whether the base is trained too, as a yardstick
record TuneConfig(
    ConfigNode base,
    SearchSpace space,
    Search search,
    List<Trial> trials,
    String metric,
    boolean higherIsBetter,
    int cadence,
    int iterations,
    List<Integer> rungs,
    int reduction,
    @Nullable MedianRule median,
    int parallel,
    int saveEvery,
    long seed,
    boolean triesBase,
    ConfigNode resolved) {

  /// How trials are chosen.
  enum Search {
    GRID,
    RANDOM,
    ASHA
  }

  private static final List<String> KEYS =
      List.of(
          "tune",
          "config",
          "space",
          "search",
          "trials",
          "metric",
          "mode",
          "iterations",
          "reduction",
          "min_iterations",
          "median_stopping",
          "parallel",
          "save_every",
          "seed",
          "base");

  /// What the search itself decides on, or must be the same for all.
  private static final List<String> RESERVED =
      List.of(
          "tranche",
          "trainer.max_iterations",
          "trainer.max_epoch",
          "trainer.val_every_n_epoch",
          "trainer.checkpoint_path",
          "validation.every",
          "validation.monitor",
          "runtime.threads",
          "env.parallel_mode");

  /// Settings that change which trials are run and for how long, but not what becomes of one.
  private static final List<String> SCHEDULE =
      List.of(
          "search",
          "trials",
          "reduction",
          "min_iterations",
          "median_stopping",
          "parallel",
          "save_every",
          "base");

  private static final long VERSION = 1;
  private static final int PARALLEL = 8;
  private static final int SAVE_EVERY = 10;
  private static final int REDUCTION = 3;

  TuneConfig {
    trials = List.copyOf(trials);
    rungs = List.copyOf(rungs);
  }

  /// Reads a tuning file.
  ///
  /// @param warnings hears of what is ignored in the training configuration
  /// @throws ConfigException if something is missing, wrong or unknown, in it or in the training
  ///   configuration
  static TuneConfig read(Path file, Consumer<String> warnings) {
    return read(ConfigFiles.load(file), file, warnings);
  }

  private static TuneConfig read(ConfigNode node, Path file, Consumer<String> warnings) {
    node.rejectUnknown(KEYS);
    ConfigNode version = node.required("tune");
    if (version.asLong() != VERSION) {
      throw version.wrong("version " + VERSION);
    }
    ConfigNode base = base(node.required("config"), file);
    RunConfig run = RunConfig.read(base, warnings);
    SearchSpace space = SearchSpace.from(node.required("space"));
    requireFree(space, node.required("space"), base);
    Search search = choice(node.optional("search"), Search.values(), Search.ASHA);
    long seed = seed(node);
    String metric = node.textOr("metric", run.monitor());
    int cadence = cadence(node, metric, run);
    int iterations = iterations(node, run, cadence);
    boolean isHalving = search == Search.ASHA;
    if (!isHalving) {
      refuse(node, "reduction", "asha");
      refuse(node, "min_iterations", "asha");
    }
    int reduction = Settings.countOr(node, "reduction", REDUCTION);
    if (reduction < 2) {
      throw node.required("reduction").wrong("an integer of at least 2");
    }
    List<Integer> rungs =
        isHalving ? rungs(node, iterations, reduction, cadence) : List.of(iterations);
    ConfigNode median = Settings.optional(node, "median_stopping");
    List<Trial> trials = trials(node, space, search, seed);
    return new TuneConfig(
        base,
        space,
        search,
        trials,
        metric,
        choice(node.optional("mode"), Mode.values(), Mode.MAX) == Mode.MAX,
        cadence,
        iterations,
        rungs,
        reduction,
        median == null ? null : MedianRule.from(median, cadence),
        Settings.countOr(node, "parallel", PARALLEL),
        Settings.countOr(node, "save_every", SAVE_EVERY),
        seed,
        node.booleanOr("base", true),
        resolved(node, base, search, trials, metric, iterations, seed));
  }

  private enum Mode {
    MAX,
    MIN
  }

  private static ConfigNode base(ConfigNode node, Path file) {
    if (node.isMapping()) {
      return ConfigFiles.of(node.where(), node);
    }
    return ConfigFiles.load(node.asPath(file.resolveSibling("")));
  }

  private static void requireFree(SearchSpace space, ConfigNode node, ConfigNode base) {
    for (Dimension each : space.dimensions()) {
      if (RESERVED.contains(each.path())) {
        throw new ConfigException(
            node.required(each.path()).where(),
            "a setting that trials may differ in",
            "one that is the same for all");
      }
      base.with(each.path() + "=null"); // complains if there is no place for it
    }
  }

  private static <E extends Enum<E>> E choice(
      @Nullable ConfigNode node, E[] constants, E byDefault) {
    if (node == null) {
      return byDefault;
    }
    List<String> names =
        List.of(constants).stream().map(each -> each.name().toLowerCase(Locale.ROOT)).toList();
    return constants[names.indexOf(node.asChoice(names))];
  }

  private static long seed(ConfigNode node) {
    ConfigNode seed = Settings.optional(node, "seed");
    return seed == null ? 1 : seed.asLong();
  }

  /// Validation comes every so many iterations, other metrics after each.
  private static int cadence(ConfigNode node, String metric, RunConfig run) {
    if (!metric.startsWith("val/")) {
      return 1;
    }
    if (run.validateEvery() == null) {
      ConfigNode given = node.optional("metric");
      throw new ConfigException(
          given == null ? node.where() + ": metric" : given.where(),
          "a metric of training such as reward, because the configuration has no validation",
          metric);
    }
    return run.validateEvery();
  }

  private static int iterations(ConfigNode node, RunConfig run, int cadence) {
    ConfigNode given = Settings.optional(node, "iterations");
    Integer iterations =
        given == null ? run.maxIterations() : Integer.valueOf(Settings.count(given));
    if (iterations == null || iterations % cadence != 0) {
      throw new ConfigException(
          given == null ? node.where() + ": iterations" : given.where(),
          cadence == 1
              ? "an integer of at least 1"
              : "a multiple of %d, so that the last iteration is validated".formatted(cadence),
          iterations == null ? "missing" : iterations);
    }
    return iterations;
  }

  private static void refuse(ConfigNode node, String key, String search) {
    ConfigNode given = node.optional(key);
    if (given != null) {
      throw given.wrong("none, because only search: %s has it".formatted(search));
    }
  }

  /// The first, then so many times as many, each where the metric is known.
  private static List<Integer> rungs(ConfigNode node, int iterations, int reduction, int cadence) {
    int first = Settings.countOr(node, "min_iterations", cadence);
    if (first > iterations) {
      throw node.required("min_iterations").wrong("at most iterations, which is " + iterations);
    }
    var rungs = new TreeSet<Integer>();
    for (long at = first; at < iterations; at *= reduction) {
      rungs.add((int) Math.min(iterations, Math.ceilDiv(at, cadence) * cadence));
    }
    rungs.add(iterations);
    return List.copyOf(rungs);
  }

  private static List<Trial> trials(ConfigNode node, SearchSpace space, Search search, long seed) {
    ConfigNode count = node.optional("trials");
    if (search == Search.GRID) {
      refuse(node, "trials", "random or asha");
      Dimension uncountable = space.uncountable();
      if (uncountable != null) {
        throw node.required("space")
            .required(uncountable.path())
            .wrong("values, or a range with a step, because search is grid");
      }
      if (space.size() > SearchSpace.MOST) {
        throw node.required("space")
            .wrong("a space of at most %d combinations".formatted(SearchSpace.MOST));
      }
      return space.grid();
    }
    if (count == null || Settings.count(count) > Math.min(SearchSpace.MOST, space.size())) {
      throw count == null
          ? new ConfigException(node.where() + ": trials", "how many to draw", "missing")
          : count.wrong(
              "at most %d, which is as many as there are"
                  .formatted(Math.min(SearchSpace.MOST, space.size())));
    }
    return space.random(count.asInt(), seed);
  }

  private static ConfigNode resolved(
      ConfigNode node,
      ConfigNode base,
      Search search,
      List<Trial> trials,
      String metric,
      int iterations,
      long seed) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("tune", VERSION);
    values.put("config", base);
    values.put("space", node.required("space"));
    values.put("search", search.name().toLowerCase(Locale.ROOT));
    if (search != Search.GRID) {
      values.put("trials", trials.size());
    }
    values.put("metric", metric);
    values.put("mode", node.textOr("mode", "max"));
    values.put("iterations", iterations);
    if (search == Search.ASHA) {
      values.put("reduction", Settings.countOr(node, "reduction", REDUCTION));
    }
    for (String key : List.of("min_iterations", "median_stopping")) {
      ConfigNode given = node.optional(key);
      if (given != null) {
        values.put(key, given);
      }
    }
    values.put("parallel", Settings.countOr(node, "parallel", PARALLEL));
    values.put("save_every", Settings.countOr(node, "save_every", SAVE_EVERY));
    values.put("seed", seed);
    values.put("base", node.booleanOr("base", true));
    return ConfigFiles.of("tune.yml", values);
  }

  /// Returns the configuration of a trial, with its whole budget.
  RunConfig runOf(Trial trial) {
    return run(base, trial.settings(), iterations);
  }

  /// @throws ConfigException if the settings make no configuration, or one that cannot be compared
  static RunConfig run(ConfigNode base, List<Setting> settings, int iterations) {
    ConfigNode node = base;
    for (Setting setting : settings) {
      node = node.with(setting.assignment());
    }
    RunConfig unchanged = RunConfig.read(base, _ -> {});
    String budget = unchanged.isQlib() ? "trainer.max_epoch=" : "trainer.max_iterations=";
    RunConfig run = RunConfig.read(node.with(budget + iterations), _ -> {});
    if (!Objects.equals(run.validateEvery(), unchanged.validateEvery())) {
      throw new ConfigException(
          "a trial", "validations as often as in the others", run.validateEvery());
    }
    return run;
  }

  /// Returns what the base has at a path, or an empty text if it is left to a component's default.
  String baseValue(String path) {
    ConfigNode node = RunConfig.read(base, _ -> {}).resolved();
    for (String key : path.split("\\.", -1)) {
      ConfigNode below = node.isMapping() ? node.optional(key) : null;
      if (below == null) {
        return "";
      }
      node = below;
    }
    return Setting.of(path, node).value();
  }

  /// Returns what the results of trials depend on: a search with the same can use them.
  String identity() {
    ConfigNode what = resolved;
    for (String key : SCHEDULE) {
      what = what.without(key);
    }
    return what.toYaml();
  }
}

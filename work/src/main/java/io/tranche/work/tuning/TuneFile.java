package io.tranche.work.tuning;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.run.ExecutionRun;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads tuning files. Unknown keys are errors.
final class TuneFile {

  /// All keys, in the order of a resolved file.
  private static final ConfigNode DEFAULTS = defaults();

  private static ConfigNode defaults() {
    var values = new LinkedHashMap<String, @Nullable Object>();
    for (String key : List.of("tune", "config", "space")) {
      values.put(key, null);
    }
    values.put("search", "asha");
    values.put("trials", null);
    values.put("metric", null);
    values.put("mode", "max");
    for (String key : List.of("iterations", "reduction", "min_iterations", "median_stopping")) {
      values.put(key, null);
    }
    values.put("parallel", 8);
    values.put("save_every", 10);
    values.put("seed", 1);
    values.put("base", true);
    return ConfigFiles.of("the defaults", values);
  }

  /// Settings that the search itself decides, or that must be the same for all trials.
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

  private static final long VERSION = 1;
  private static final int REDUCTION = 3;

  private TuneFile() {}

  /// Reads a tuning file.
  ///
  /// @param warnings receives one line for each thing ignored in the training configuration
  /// @throws ConfigException if something is missing, wrong or unknown, in it or in the training
  ///   configuration
  static TuneConfig read(Path file, Consumer<String> warnings) {
    ConfigNode given = ConfigFiles.load(file);
    given.rejectUnknown(DEFAULTS.keys());
    ConfigNode version = given.required("tune");
    if (version.asLong() != VERSION) {
      throw version.wrong("version " + VERSION);
    }
    ConfigNode base = base(given.required("config"), file);
    ExecutionRun run = ExecutionRun.read(base, warnings);
    SearchSpace space = space(given.required("space"), base);
    ConfigNode node = given.over(DEFAULTS);
    ConfigNode named = node.optional("metric");
    String metric = named == null ? run.monitor() : named.asText();
    int cadence = cadence(node, metric, run);
    int iterations = iterations(node, run, cadence);
    String search = node.required("search").asChoice(List.of("grid", "random", "asha"));
    int reduction = reduction(node);
    List<Integer> rungs = List.of(iterations);
    if (search.equals("asha")) {
      rungs = rungs(node, iterations, reduction, cadence);
    } else {
      refuse(node, "reduction", "asha");
      refuse(node, "min_iterations", "asha");
    }
    ConfigNode median = node.optional("median_stopping");
    return new TuneConfig(
        base,
        space,
        search.equals("grid") ? grid(node, space) : drawn(node, space),
        metric,
        node.required("mode").asChoice(List.of("max", "min")).equals("max"),
        new TuneConfig.Schedule(
            rungs,
            reduction,
            median == null ? null : MedianRule.from(median, cadence),
            node.required("parallel").asCount(),
            node.required("save_every").asCount()),
        node.required("base").asBoolean(),
        node.with("config", base)
            .with("metric", ConfigFiles.of("metric", metric))
            .with("iterations", ConfigFiles.of("iterations", iterations)));
  }

  private static ConfigNode base(ConfigNode node, Path file) {
    return node.isMapping()
        ? ConfigFiles.of(node.where(), node)
        : ConfigFiles.load(node.asPath(file.resolveSibling("")));
  }

  private static SearchSpace space(ConfigNode node, ConfigNode base) {
    SearchSpace space = SearchSpace.from(node);
    for (Dimension each : space.dimensions()) {
      if (RESERVED.contains(each.path())) {
        throw new ConfigException(
            node.required(each.path()).where(),
            "a setting that trials may differ in",
            "one that is the same for all");
      }
      base.with(each.path() + "=null"); // fails if the path leads nowhere
    }
    return space;
  }

  /// Returns how many iterations lie between two values of the metric.
  private static int cadence(ConfigNode node, String metric, ExecutionRun run) {
    if (!metric.startsWith("val/")) {
      return 1;
    }
    Integer every = run.validation().every();
    if (every == null) {
      throw new ConfigException(
          where(node, "metric"),
          "a metric of training such as reward, because the configuration has no validation",
          metric);
    }
    return every;
  }

  private static int iterations(ConfigNode node, ExecutionRun run, int cadence) {
    ConfigNode given = node.optional("iterations");
    Integer iterations =
        given == null ? run.trainer().maxIterations() : Integer.valueOf(given.asCount());
    if (iterations == null || iterations % cadence != 0) {
      throw new ConfigException(
          where(node, "iterations"),
          cadence == 1
              ? "an integer of at least 1"
              : "a multiple of %d, so that the last iteration is validated".formatted(cadence),
          iterations == null ? "missing" : iterations);
    }
    return iterations;
  }

  /// Returns where a key is written, or would be.
  private static String where(ConfigNode node, String key) {
    ConfigNode given = node.optional(key);
    return given == null ? node.where() + ": " + key : given.where();
  }

  private static int reduction(ConfigNode node) {
    int reduction = node.countOr("reduction", REDUCTION);
    if (reduction < 2) {
      throw node.required("reduction").wrong("an integer of at least 2");
    }
    return reduction;
  }

  private static void refuse(ConfigNode node, String key, String search) {
    ConfigNode given = node.optional(key);
    if (given != null) {
      throw given.wrong("none, because only search: %s has it".formatted(search));
    }
  }

  /// Returns the rungs: each has `reduction` times the iterations of the one before, rounded up to
  /// a value of the metric.
  private static List<Integer> rungs(ConfigNode node, int iterations, int reduction, int cadence) {
    int first = node.countOr("min_iterations", cadence);
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

  private static List<Trial> grid(ConfigNode node, SearchSpace space) {
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

  private static List<Trial> drawn(ConfigNode node, SearchSpace space) {
    ConfigNode count = node.optional("trials");
    long most = Math.min(SearchSpace.MOST, space.size());
    if (count == null || count.asCount() > most) {
      throw count == null
          ? new ConfigException(where(node, "trials"), "the number of trials to draw", "missing")
          : count.wrong("at most %d, the number of combinations".formatted(most));
    }
    return space.random(count.asInt(), node.required("seed").asLong());
  }
}

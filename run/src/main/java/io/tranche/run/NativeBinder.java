package io.tranche.run;

import io.tranche.backtest.Costs;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.vector.OnFailure;
import io.tranche.execution.catalog.FrictionSettings;
import io.tranche.market.feature.pipeline.FeatureConfig;
import io.tranche.market.order.DayWindow;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.session.SessionBars.Reading;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.table.ColumnMapping;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.DataSettings.Features;
import io.tranche.run.DataSettings.Orders;
import io.tranche.run.TrainerSettings.Env;
import io.tranche.run.TrainerSettings.ParallelMode;
import io.tranche.trainer.VesselConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads our own training configuration (docs/configuration.md) into a run. An unknown key is an
/// error; a missing one has the value of [ExecutionRun#DEFAULT].
final class NativeBinder {

  /// The key that marks our own dialect; its value is the version.
  static final String MARK = "tranche";

  static final int VERSION = 1;

  private static final String HINDSIGHT = "hindsight";
  private static final String STEP = "minutes_per_step";
  private static final String OLD_STEP = "ticks_per_step";
  static final Path HERE = Path.of("");
  private static final ConfigNode DEFAULTS = RunWriter.write(ExecutionRun.DEFAULT);

  private static final List<String> PARTS =
      List.of(
          "simulator", "state_interpreter", "action_interpreter", "reward", "network", "policy");

  private NativeBinder() {}

  /// @param warnings receives a line for each old key
  static ExecutionRun read(ConfigNode given, Consumer<String> warnings) {
    given.rejectUnknown(DEFAULTS.keys());
    ConfigNode version = given.required(MARK);
    if (version.asLong() != VERSION) {
      throw version.wrong("version " + VERSION);
    }
    ConfigNode config = given.over(DEFAULTS);
    for (String name : PARTS) {
      config = config.with(name, part(given.written(name), DEFAULTS.required(name)));
    }
    config = config.with("simulator", withMinutes(config.required("simulator"), warnings));
    for (String section : List.of("data", "env", "runtime", "trainer", "validation")) {
      config.required(section).rejectUnknown(DEFAULTS.required(section).keys());
    }
    ExecutionRun run =
        ExecutionRun.DEFAULT
            .withData(data(config.required("data"), places(given.optional("data"))))
            .withCosts(costs(given.optional("costs")))
            .withProblem(
                new ProblemSettings(
                        Part.from(config.required("simulator")),
                        Part.from(config.required("state_interpreter")),
                        Part.from(config.required("action_interpreter")),
                        partOrNull(config, "reward"),
                        config.required(HINDSIGHT).asBoolean())
                    .withAuxInfo(partOrNull(config, "aux_info"))
                    .withMetrics(parts(config.required(ExecutionRun.METRICS))))
            .withCallbackParts(parts(config.required(ExecutionRun.CALLBACKS)))
            .withLogWriterParts(parts(config.required(ExecutionRun.LOG_WRITERS)))
            .withTrainer(trainer(config))
            .withValidation(
                validation(config.required("validation"), costs(given.optional("costs"))));
    var agent =
        new AgentSettings(
            partOrNull(config, "network"),
            Part.from(config.required("policy")),
            null,
            config.required("trainer").required("start_near_twap").asBoolean());
    Teacher teacher = teacher(config, run);
    if (teacher != null) {
      agent.requireTeachable(run.problem());
    }
    return run.withAgent(agent.withTeacher(teacher));
  }

  /// Reads the section `costs`, which is not laid over its default: a preset would then be changed
  /// by keys that nobody wrote.
  private static Costs costs(@Nullable ConfigNode section) {
    return section == null ? Costs.NONE : FrictionSettings.costs(section);
  }

  /// Returns the default part, with other settings where only those are given. One of another class
  /// is taken as it is: the settings of one class mean nothing to another.
  private static ConfigNode part(@Nullable ConfigNode given, ConfigNode byDefault) {
    if (given == null) {
      return byDefault;
    }
    if (given.isNull() || (given.isMapping() && given.has("object"))) {
      return given;
    }
    given.rejectUnknown(ComponentSpec.KEYS);
    return !given.has("class") ? given.over(byDefault) : given;
  }

  /// Returns our simulator with the new name of an old key.
  private static ConfigNode withMinutes(ConfigNode simulator, Consumer<String> warnings) {
    ConfigNode kwargs = simulator.isMapping() ? simulator.optional("kwargs") : null;
    if (kwargs == null
        || !kwargs.isMapping()
        || !kwargs.has(OLD_STEP)
        || !ComponentSpec.from(simulator).name().equals("SimpleSimulator")) {
      return simulator;
    }
    ConfigNode old = kwargs.required(OLD_STEP);
    if (kwargs.optional(STEP) != null) {
      throw old.wrong("no %s beside %s, which is its new name".formatted(OLD_STEP, STEP));
    }
    warnings.accept("%s: write %s instead, which means the same".formatted(old.where(), STEP));
    return simulator.with("kwargs", kwargs.without(OLD_STEP).with(STEP, old));
  }

  private static <T> List<Part<T>> parts(ConfigNode list) {
    return list.asList().stream().map(Part::<T>from).toList();
  }

  static <T> @Nullable Part<T> partOrNull(ConfigNode config, String key) {
    ConfigNode node = config.optional(key);
    return node == null ? null : Part.from(node);
  }

  private static @Nullable Teacher teacher(ConfigNode config, ExecutionRun student) {
    ConfigNode section = config.optional(Teacher.SECTION);
    if (section == null) {
      return null;
    }
    Teacher teacher = Teacher.of(section, student);
    if (student.problem().hindsight()) {
      throw config.required(HINDSIGHT).wrong("false, because students do not see the future");
    }
    return teacher;
  }

  private static TrainerSettings trainer(ConfigNode config) {
    ConfigNode runtime = config.required("runtime");
    ConfigNode trainer = config.required("trainer");
    return new TrainerSettings(
        seed(runtime.required("seed")),
        countOrNull(runtime, "threads"),
        env(config.required("env")),
        countOrNull(trainer, "max_iterations"),
        new VesselConfig(
            trainer.required("buffer_size").asCount(),
            trainer.required("episodes_per_iteration").asCount(),
            new UpdateSettings(
                trainer.required("batch_size").asCount(),
                trainer.required("repeat").asCount(),
                choice(trainer.required("batching"), Batching.values()))),
        choice(trainer.required("on_failure"), OnFailure.values()),
        countOrNull(trainer, "fast_dev_run"),
        pathOrNull(trainer, "checkpoint_path"),
        countOrNull(trainer, "checkpoint_every"));
  }

  static Env env(ConfigNode section) {
    ParallelMode mode = choice(section.required("parallel_mode"), ParallelMode.values());
    return new Env(section.required("concurrency").asCount(), mode);
  }

  private static ValidationSettings validation(ConfigNode section, Costs costs) {
    ConfigNode given = section.optional("monitor");
    String monitor = given == null ? null : given.asText();
    boolean isUsual = ExecutionRun.usualMonitor(costs).equals(monitor);
    return new ValidationSettings(
        countOrNull(section, "every"),
        isUsual ? null : monitor,
        notNegativeOrNull(section, "patience"),
        notNegative(section.required("keep_best")),
        section.required("judge").asBoolean());
  }

  /// @param data as the user wrote it, without defaults
  private static Places places(@Nullable ConfigNode data) {
    return data == null ? Places.DATA : new Places(data);
  }

  /// Reads the section `data`.
  ///
  /// @throws io.tranche.config.ConfigException if it is wrong, as far as that can be seen without
  ///   opening anything
  static BarData data(ConfigNode data, Places places) {
    ConfigNode market = data.optional("market");
    ConfigNode orders = data.required("orders");
    ConfigNode only = data.optional("instruments");
    var read =
        new BarData(
            market == null ? null : market(market),
            pathOrNull(data, "bars"),
            mapping(data),
            features(data.optional("features")),
            orders(orders),
            data.required("both_sides").asBoolean(),
            only == null ? null : only.asTexts(),
            places);
    boolean hasBars = market != null || read.bars() != null;
    if ((market != null && read.bars() != null)
        || (!hasBars && !(read.features() instanceof Features.Stored))) {
      throw data.wrong("either a market or bars, or else features that are a feature store");
    }
    if (!hasBars && read.orders() instanceof Orders.Generated) {
      throw data.wrong("bars to generate orders from, or a folder of orders");
    }
    return read;
  }

  /// Reads the mapping, a file or written here, and the keys that say more of times.
  private static ColumnMapping mapping(ConfigNode data) {
    ConfigNode node = data.optional("mapping");
    ColumnMapping mapping =
        node == null
            ? ColumnMapping.DEFAULT
            : ColumnMapping.from(node.isMapping() ? node : ConfigFiles.load(node.asPath(HERE)));
    return mapping.withReading(mapping.reading().overriddenBy(Reading.from(data)));
  }

  private static SyntheticConfig market(ConfigNode node) {
    node.rejectUnknown(List.of("seed", "signal", "instruments", "days"));
    ConfigNode seed = node.optional("seed");
    SyntheticConfig byDefault = SyntheticConfig.DEFAULT;
    return byDefault
        .withSeed(seed == null ? byDefault.seed() : seed(seed))
        .withSignal(node.notNegativeOr("signal", byDefault.signal()))
        .withSize(
            node.countOr("instruments", byDefault.instruments()),
            node.countOr("days", byDefault.days()));
  }

  private static Features features(@Nullable ConfigNode node) {
    if (node == null) {
      return new Features.Recipe();
    }
    if (node.isMapping() && node.has("providers")) {
      node.rejectUnknown(List.of("providers"));
      return new Features.Provided(node.required("providers").asTexts(), List.of());
    }
    return node.isMapping()
        ? new Features.Made(FeatureConfig.from(node))
        : new Features.Stored(node.asPath(HERE));
  }

  private static Orders orders(ConfigNode node) {
    if (!node.isMapping()) {
      return new Orders.Folder(node.asPath(HERE));
    }
    node.rejectUnknown(
        List.of("seed", "size", "size_of", "size_deviation", "windows", "per_day", "sides"));
    OrderGenerator usual = OrderGenerator.DEFAULT;
    ConfigNode seed = node.written("seed");
    ConfigNode unit = node.optional("size_of");
    ConfigNode sides = node.optional("sides");
    double size = node.notNegativeOr("size", usual.size());
    if (size == 0) {
      throw node.required("size").wrong("a positive number");
    }
    return new Orders.Generated(
        new OrderGenerator(
            seed == null ? usual.seed() : seed(seed),
            size,
            unit == null ? usual.unit() : choice(unit, OrderGenerator.Unit.values()),
            node.notNegativeOr("size_deviation", usual.deviation()),
            windows(node.optional("windows")),
            node.countOr("per_day", usual.perDay()),
            sides == null ? usual.sides() : choice(sides, OrderGenerator.Sides.values())));
  }

  private static List<DayWindow> windows(@Nullable ConfigNode node) {
    if (node == null) {
      return List.of();
    }
    var windows = new ArrayList<DayWindow>();
    for (String text : node.asTexts()) {
      try {
        windows.add(DayWindow.parse(text));
      } catch (IllegalArgumentException _) {
        throw node.wrong("windows like \"10:00-11:00\"");
      }
    }
    return windows;
  }

  /// Returns a seed; null is 0.
  static long seed(ConfigNode node) {
    if (node.isNull()) {
      return 0;
    }
    if (node.asLong() < 0) {
      throw node.wrong("an integer that is not negative");
    }
    return node.asLong();
  }

  static @Nullable Integer countOrNull(ConfigNode section, String key) {
    ConfigNode node = section.optional(key);
    return node == null ? null : node.asCount();
  }

  static int notNegative(ConfigNode node) {
    if (node.asInt() < 0) {
      throw node.wrong("an integer that is not negative");
    }
    return node.asInt();
  }

  static @Nullable Integer notNegativeOrNull(ConfigNode section, String key) {
    ConfigNode node = section.optional(key);
    return node == null ? null : notNegative(node);
  }

  static @Nullable Path pathOrNull(ConfigNode section, String key) {
    ConfigNode node = section.optional(key);
    return node == null ? null : node.asPath(HERE);
  }

  static <E extends Enum<E>> E choice(ConfigNode node, E[] constants) {
    List<String> names = Arrays.stream(constants).map(RunWriter::word).toList();
    return constants[names.indexOf(node.asChoice(names))];
  }
}

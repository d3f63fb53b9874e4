package io.tranche.run;

import io.tranche.backtest.Costs;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.vector.OnFailure;
import io.tranche.execution.Augmentation;
import io.tranche.execution.catalog.FrictionSettings;
import io.tranche.market.feature.pipeline.FeatureConfig;
import io.tranche.market.order.DayWindow;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.session.SessionBars.Reading;
import io.tranche.market.synthetic.Law;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.table.ColumnMapping;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.DataSettings.Features;
import io.tranche.run.DataSettings.Orders;
import io.tranche.run.TrainerSettings.Env;
import io.tranche.run.TrainerSettings.ParallelMode;
import io.tranche.run.ValidationSettings.Stopping;
import io.tranche.trainer.VesselConfig;
import io.tranche.trainer.callback.Better;
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

  static final String AUGMENTATION = "augmentation";

  private static final String HINDSIGHT = "hindsight";
  private static final String STEP = "minutes_per_step";
  private static final String OLD_STEP = "ticks_per_step";
  private static final String OLD_EVERY = "checkpoint_every";
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
    config = withNewKeys(given, config, warnings);
    for (String section : List.of("data", "env", "runtime", "trainer", "validation")) {
      config.required(section).rejectUnknown(DEFAULTS.required(section).keys());
    }
    BarData data = data(config.required("data"), places(given.optional("data")));
    Costs costs = costs(given.optional("costs"), data);
    ExecutionRun run =
        ExecutionRun.DEFAULT
            .withData(data)
            .withCosts(costs)
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
            .withValidation(validation(config.required("validation"), ValidationSettings.DEFAULT));
    var agent =
        new AgentSettings(
            partOrNull(config, "network"),
            Part.from(config.required("policy")),
            null,
            config.required("trainer").required("start_near_twap").asBoolean(),
            notNegative(config.required("trainer").required("pretrain_epochs")),
            config.required("trainer").required("freeze").asTexts());
    Teacher teacher = teacher(config, run);
    if (teacher != null) {
      agent.requireTeachable(run.problem());
    }
    return run.withAgent(agent.withTeacher(teacher));
  }

  /// Reads the section `costs`, which is not laid over its default: a preset would then be changed
  /// by keys that nobody wrote.
  private static Costs costs(@Nullable ConfigNode section, BarData data) {
    return section == null ? data.usualCosts() : FrictionSettings.costs(section);
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

  static <T> List<Part<T>> parts(ConfigNode list) {
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
        CheckpointSettings.from(
            config.required(CheckpointSettings.SECTION), CheckpointSettings.DEFAULT),
        Augmentation.from(config.required(AUGMENTATION)));
  }

  static Env env(ConfigNode section) {
    ParallelMode mode = choice(section.required("parallel_mode"), ParallelMode.values());
    return new Env(section.required("concurrency").asCount(), mode);
  }

  /// Reads the section `validation`.
  ///
  /// @param usual what a missing key means
  static ValidationSettings validation(ConfigNode section, ValidationSettings usual) {
    ConfigNode given = section.optional("monitor");
    ConfigNode mode = section.optional("mode");
    ConfigNode patience = section.optional("patience");
    ConfigNode every = section.written("every");
    Integer between = every == null ? usual.every() : countOrNull(section, "every");
    if (between == null && patience != null) {
      throw patience.wrong("no patience beside every, which says that nothing is validated");
    }
    return new ValidationSettings(
        between,
        given == null ? usual.monitor() : given.asText(),
        mode == null || mode.asChoice(List.of("max", "min")).equals("max")
            ? Better.HIGHER
            : Better.LOWER,
        stopping(section, patience),
        notNegativeOr(section, "keep_best", usual.keepBest()),
        section.booleanOr("judge", usual.judges()),
        guard(section, usual, between));
  }

  private static @Nullable Boolean guard(
      ConfigNode section, ValidationSettings usual, @Nullable Integer every) {
    ConfigNode given = section.optional("guard");
    if (given == null) {
      return usual.guard();
    }
    if (given.asBoolean() && every == null) {
      throw given.wrong("validation.every too, because a guard is fitted to validation orders");
    }
    return given.asBoolean();
  }

  private static @Nullable Stopping stopping(ConfigNode section, @Nullable ConfigNode patience) {
    ConfigNode delta = section.optional("min_delta");
    ConfigNode baseline = section.optional("baseline");
    ConfigNode restore = section.optional("restore_best_weights");
    double least = delta == null ? 0 : delta.asNotNegative();
    boolean restores = restore != null && restore.asBoolean();
    if (patience != null) {
      return new Stopping(
          notNegative(patience), least, baseline == null ? null : baseline.asDouble(), restores);
    }
    ConfigNode idle = least > 0 ? delta : baseline != null ? baseline : restores ? restore : null;
    if (idle != null) {
      throw idle.wrong("a patience beside it: without one, training never stops early");
    }
    return null;
  }

  private static int notNegativeOr(ConfigNode section, String key, int usual) {
    Integer value = notNegativeOrNull(section, key);
    return value == null ? usual : value;
  }

  /// Returns the configuration with the new names of old keys.
  private static ConfigNode withNewKeys(
      ConfigNode given, ConfigNode config, Consumer<String> warnings) {
    ConfigNode trainer = config.required("trainer");
    ConfigNode old = trainer.written(OLD_EVERY);
    return old == null
        ? config
        : config
            .with("trainer", trainer.without(OLD_EVERY))
            .with(
                CheckpointSettings.SECTION,
                withEvery(
                    given.optional(CheckpointSettings.SECTION),
                    config.required(CheckpointSettings.SECTION),
                    old,
                    warnings));
  }

  private static ConfigNode withEvery(
      @Nullable ConfigNode given, ConfigNode section, ConfigNode old, Consumer<String> warnings) {
    rejectTwice(given, CheckpointSettings.EVERY, old);
    warnings.accept(
        "%s: write %s.%s instead, which means the same"
            .formatted(old.where(), CheckpointSettings.SECTION, CheckpointSettings.EVERY));
    if (!old.isNull()) {
      old.asCount();
    }
    return section.with(CheckpointSettings.EVERY, old);
  }

  /// Refuses the `other` name of `key` if that is written as well.
  static void rejectTwice(@Nullable ConfigNode section, String key, @Nullable ConfigNode other) {
    ConfigNode node = section == null ? null : section.written(key);
    if (node != null && other != null) {
      throw node.wrong("one of the two keys that mean the same, the other is " + other.where());
    }
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
    ConfigNode neutral = data.optional("neutral");
    var read =
        new BarData(
            market == null ? null : market(market),
            pathOrNull(data, "bars"),
            mapping(data),
            features(data),
            orders(orders),
            data.required("both_sides").asBoolean(),
            only == null ? null : only.asTexts(),
            neutral == null ? null : Boolean.valueOf(neutral.asBoolean()),
            places);
    boolean hasBars = market != null || read.bars() != null;
    if ((market != null && read.bars() != null)
        || (!hasBars && !(read.features() instanceof Features.Stored))) {
      throw data.wrong("either a market or bars, or else features that are a feature store");
    }
    if (!hasBars && read.orders() instanceof Orders.Generated) {
      throw data.wrong("bars to generate orders from, or a folder of orders");
    }
    if (neutral != null && read.isNeutral() && !read.hasComputedFeatures()) {
      throw neutral.wrong("false, because the features come from a feature store");
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
    node.rejectUnknown(List.of("seed", "law", "signal", "instruments", "days"));
    ConfigNode seed = node.optional("seed");
    ConfigNode law = node.optional("law");
    SyntheticConfig byDefault = SyntheticConfig.DEFAULT;
    return byDefault
        .withSeed(seed == null ? byDefault.seed() : seed(seed))
        .withLaw(law == null ? byDefault.law() : choice(law, Law.values()))
        .withSignal(node.notNegativeOr("signal", byDefault.signal()))
        .withSize(
            node.countOr("instruments", byDefault.instruments()),
            node.countOr("days", byDefault.days()));
  }

  private static Features features(ConfigNode data) {
    ConfigNode node = data.optional("features");
    ConfigNode expressions = data.optional("expressions");
    ConfigNode tables = data.optional("tables");
    if (node != null && (expressions != null || tables != null)) {
      throw (expressions == null ? data.required("tables") : expressions)
          .wrong("neither expressions nor tables beside features, which are made already");
    }
    if (node == null) {
      return new Features.Recipe(
          expressions == null
              ? List.of()
              : expressions.keys().stream()
                  .map(name -> Features.Formula.from(name, expressions.required(name)))
                  .toList(),
          tables == null
              ? List.of()
              : tables.asList().stream().map(Features.Joined::from).toList());
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

package io.tranche.experiment.export;

import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.env.space.Space;
import io.tranche.execution.catalog.BacktestDefaults;
import io.tranche.execution.catalog.BacktestSettings;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.experiment.RunConfig;
import io.tranche.experiment.RunData;
import io.tranche.experiment.RunDirectory;
import io.tranche.experiment.RunListener;
import io.tranche.experiment.export.TrainedModel.Training;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Session;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.FeatureStore;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.runtime.ModelSpec;
import io.tranche.runtime.ModelSpec.Combination;
import io.tranche.trainer.InitialStates;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Reads models off configurations: of training in either dialect, or of a backtest.
///
/// What configurations leave open follows from the data, so these are opened.
///
/// @param run where a run keeps the data it made
/// @param listener hears of data being made
/// @param warnings hears of what is ignored
/// @param store a feature store that knows how the features are made; null to go by the source
record TrainedModels(
    RunDirectory run, RunListener listener, Consumer<String> warnings, @Nullable Path store) {

  private static final Path HERE = Path.of("");
  private static final String FEATURE_STORE = "FeatureStore";

  /// How our dialect and Qlib's call the same settings of what a policy sees.
  private record States(String maxSteps, String ticks, String dimension, String features) {

    static final States NATIVE = new States("max_steps", "ticks", "dimension", "features");
    static final States QLIB =
        new States("max_step", "data_ticks", "data_dim", "processed_data_provider");

    static States of(ConfigNode node) {
      return switch (ComponentSpec.from(node).name()) {
        case "FullHistoryInterpreter" -> NATIVE;
        case "FullHistoryStateInterpreter" -> QLIB;
        default -> throw node.wrong("a state_interpreter that shows the full history");
      };
    }
  }

  /// The parts of a model, wherever they stand.
  ///
  /// @param minutesPerTick how wide a bar is
  /// @param minutesPerStep how long a decision lasts
  private record Parts(
      boolean isQlib,
      ConfigNode network,
      ConfigNode policy,
      ConfigNode states,
      ConfigNode actions,
      int minutesPerTick,
      int minutesPerStep) {}

  /// Finds out when there is trading.
  private interface Hours {
    Session of(FeatureSource features);
  }

  /// @throws ConfigException if it is no configuration of a policy with weights, or of a teacher
  /// @throws io.tranche.market.DataException if the data are missing, or their days differ
  TrainedModel of(ConfigNode config, Combination combination) {
    return !config.has("strategies")
        ? trained(config, combination)
        : backtested(config, combination);
  }

  private TrainedModel trained(ConfigNode config, Combination combination) {
    RunConfig read = RunConfig.read(ExportInput.withoutTeacher(config), warnings);
    read.requireForesightless("an export");
    ConfigNode network = weighted(read.network(), read.policy());
    RunData data = read.data().prepare(run, listener);
    ConfigNode environment = data.environment();
    ConfigNode simulator = environment.required("simulator");
    ComponentSpec simulated = ComponentSpec.from(simulator);
    if (!List.of("SimpleSimulator", "SingleAssetOrderExecutionSimple").contains(simulated.name())) {
      throw simulator.wrong("a simulator with ticks_per_step");
    }
    var parts =
        new Parts(
            read.isQlib(),
            network,
            read.policy(),
            environment.required("state_interpreter"),
            environment.required("action_interpreter"),
            simulated.kwargs().countOr("data_granularity", 1),
            simulated.kwargs().countOr("ticks_per_step", 30));
    InitialStates<Order> orders = data.orders().of(Tag.TRAIN);
    ComponentSpec ticks = ComponentSpec.from(environment.required("ticks"));
    ModelSpec spec = spec(parts, combination, features -> session(ticks, features, parts, orders));
    return new TrainedModel(spec, Training.of(data, orders, madeBy(read.resolved(), ticks)));
  }

  /// Returns what tells the bars from others: the settings of the embedded market, and what a
  /// feature store says of its bars; null where there is neither.
  private static @Nullable String madeBy(ConfigNode config, ComponentSpec ticks) {
    var text = new StringBuilder();
    ConfigNode data = config.optional("data");
    ConfigNode market = data == null || !data.isMapping() ? null : data.optional("market");
    if (market != null) {
      text.append("market: ").append(market.toYaml()).append('\n');
    }
    if (ticks.name().equals(FEATURE_STORE)) {
      Path folder = ticks.kwargs().required("path").asPath(HERE);
      text.append("features: ").append(FeatureStore.open(folder).fingerprint()).append('\n');
    }
    return text.isEmpty() ? null : text.toString();
  }

  private static ConfigNode weighted(@Nullable ConfigNode network, ConfigNode policy) {
    if (network == null) {
      throw policy.wrong("a policy with a network, whose weights can be exported");
    }
    return network;
  }

  private static Session session(
      ComponentSpec ticks, FeatureSource features, Parts parts, InitialStates<Order> orders) {
    ConfigNode path = ticks.kwargs().required("path");
    return switch (ticks.name()) {
      case FEATURE_STORE -> session(path.asText(), FeatureStore.open(path.asPath(HERE)).calendar());
      case "BarFiles" -> {
        try (BarSource bars = BarFiles.open(path.asPath(HERE), ColumnMapping.DEFAULT)) {
          yield session(path.asText(), bars.calendar());
        }
      }
      default -> session(path, features, Frequency.ofMinutes(parts.minutesPerTick()), orders);
    };
  }

  private static Session session(String where, Calendar calendar) {
    var finder = new SessionFinder(where, calendar.frequency());
    for (int day = 0; day < calendar.days(); day++) {
      finder.add(calendar.date(day), calendar.times(calendar.dayStart(day), calendar.dayEnd(day)));
    }
    return finder.session();
  }

  /// Looks at one instrument a day that was trained on.
  private static Session session(
      ConfigNode path, FeatureSource features, Frequency frequency, InitialStates<Order> orders) {
    var finder = new SessionFinder(path.asText(), frequency);
    Set<LocalDate> seen = new HashSet<>();
    for (int i = 0; i < orders.size(); i++) {
      Order order = orders.load().apply(i);
      if (seen.add(order.date())) {
        DayFeatures day = features.day(order.instrument(), order.date());
        finder.add(order.date(), IntStream.range(0, day.ticks()).mapToLong(day::time).toArray());
      }
    }
    return finder.session();
  }

  private TrainedModel backtested(ConfigNode config, Combination combination) {
    ConfigNode filled = BacktestDefaults.applyTo(config);
    ConfigNode strategies = filled.required("strategies");
    for (String level : strategies.keys()) {
      ConfigNode strategy = strategies.required(level);
      ConfigNode kwargs = strategy.isMapping() ? strategy.optional("kwargs") : null;
      if (kwargs != null && kwargs.isMapping() && kwargs.has("policy")) {
        ConfigNode policy = kwargs.required("policy");
        var parts =
            new Parts(
                ComponentSpec.from(strategy).name().equals("SAOEIntStrategy"),
                weighted(kwargs.optional("network"), policy),
                policy,
                kwargs.required("state_interpreter"),
                kwargs.required("action_interpreter"),
                kwargs.countOr("data_granularity", 1),
                step(strategies, level));
        ConfigNode qlib = filled.required("qlib");
        Frequency frequency = Frequency.ofMinutes(parts.minutesPerTick());
        Hours hours =
            _ ->
                session(qlib.where(), BacktestSettings.providers(qlib).store(frequency).calendar());
        return new TrainedModel(spec(parts, combination, hours), null);
      }
    }
    throw strategies.wrong("strategies of which one has a policy");
  }

  /// Returns the minutes of the level below, which are those between two decisions.
  private static int step(ConfigNode strategies, String level) {
    int step = 0;
    for (String other : strategies.keys()) {
      int seconds = frequency(strategies, other).seconds();
      if (seconds < frequency(strategies, level).seconds()) {
        step = Math.max(step, seconds / 60);
      }
    }
    if (step == 0) {
      throw strategies.wrong("a level below " + level + ", such as 30min");
    }
    return step;
  }

  private static Frequency frequency(ConfigNode strategies, String level) {
    try {
      return Frequency.parse(level);
    } catch (IllegalArgumentException | ArithmeticException _) {
      throw new ConfigException(strategies.where(), "levels such as 1day or 30min", level);
    }
  }

  private ModelSpec spec(Parts parts, Combination combination, Hours hours) {
    States keys = States.of(parts.states());
    ConfigNode states = ComponentSpec.from(parts.states()).kwargs();
    int dimension = states.required(keys.dimension()).asCount();
    if (parts.minutesPerStep() % parts.minutesPerTick() != 0) {
      throw new ConfigException(
          parts.states().where(),
          "steps of whole ticks of %d minutes".formatted(parts.minutesPerTick()),
          parts.minutesPerStep() + " minutes");
    }
    requireDiscrete(parts.actions());
    ComponentSpec source = ComponentSpec.from(states.required(keys.features()));
    try (FeatureSource features =
        ExecutionCatalog.featureSources(dimension).withInstalled().make(source)) {
      var spec =
          new ModelSpec(
              parts.isQlib(),
              parts.network(),
              withoutWeights(parts.policy()),
              parts.actions(),
              states.required(keys.maxSteps()).asCount(),
              parts.minutesPerStep() / parts.minutesPerTick(),
              states.booleanOr("mirror", false),
              hours.of(features),
              Frequency.ofMinutes(parts.minutesPerTick()),
              FeatureRecipes.of(source, features.columns(), store),
              combination);
      ConfigNode ticks = states.required(keys.ticks());
      if (ticks.asCount() != spec.ticks()) {
        throw ticks.wrong("%d, the ticks of a day of the data".formatted(spec.ticks()));
      }
      return spec;
    }
  }

  private static void requireDiscrete(ConfigNode actions) {
    Space space =
        ExecutionCatalog.actionInterpreters()
            .withInstalled()
            .make(ComponentSpec.from(actions))
            .actionSpace();
    if (!(space instanceof Space.Discrete)) {
      throw actions.wrong("an action_interpreter whose actions are discrete");
    }
  }

  /// Where first weights came from is a path of one machine, and they come with the bundle.
  private static ConfigNode withoutWeights(ConfigNode policy) {
    ConfigNode kwargs = policy.optional("kwargs");
    return kwargs == null || !kwargs.has("weight_file")
        ? policy
        : policy.with("kwargs", kwargs.without("weight_file"));
  }
}

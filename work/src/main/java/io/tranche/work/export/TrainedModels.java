package io.tranche.work.export;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.DayTicks;
import io.tranche.backtest.executor.Strategy;
import io.tranche.backtest.strategy.SignalSource;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.StateInterpreter;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.PolicyStrategy;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.catalog.StrategySources;
import io.tranche.execution.interpreter.ContinuousActions;
import io.tranche.execution.interpreter.CurrentStepInterpreter;
import io.tranche.execution.interpreter.DiscreteActions;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Session;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureRecipe;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.pipeline.FeatureStore;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.market.session.SessionFinder;
import io.tranche.market.store.QlibStore;
import io.tranche.run.ExecutionRun;
import io.tranche.run.PreparedData;
import io.tranche.run.RunFolder;
import io.tranche.run.RunListener;
import io.tranche.run.RunParts;
import io.tranche.runtime.ModelSpec;
import io.tranche.runtime.ModelSpec.Combination;
import io.tranche.trainer.InitialStates;
import io.tranche.work.backtest.BacktestPlan;
import io.tranche.work.backtest.PolicyLevel;
import io.tranche.work.export.ExportInput.Trained;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Derives the model from a configuration of training in either dialect, or of a backtest.
///
/// Values that configurations leave open follow from the data, so the data are opened.
///
/// @param folder where a run keeps the data it made
/// @param listener is told what data are being made
/// @param store a feature store that knows how the features are made; null to ask the source
record TrainedModels(RunFolder folder, RunListener listener, @Nullable Path store) {

  /// The inputs, outputs and schedule of a model.
  ///
  /// @param at where it is written, for errors
  private record Model(
      boolean isQlib,
      ConfigNode network,
      ConfigNode policy,
      ConfigNode actions,
      Shown shown,
      int minutesPerTick,
      int minutesPerStep,
      Session session,
      SortedMap<String, Session> sessions,
      String at) {}

  /// What the model is shown.
  ///
  /// @param ticks of a day, or null if it sees none
  private record Shown(
      int maxSteps, @Nullable Integer ticks, boolean mirrors, FeatureSource features) {

    /// @throws ConfigException if live days cannot be shown like this
    static Shown of(StateInterpreter<ExecutionState, ?> states, ConfigNode place) {
      return switch (states) {
        case FullHistoryInterpreter history ->
            new Shown(history.maxSteps(), history.ticks(), history.isMirrored(), history.source());
        case CurrentStepInterpreter steps ->
            new Shown(
                steps.maxSteps(),
                null,
                false,
                FullHistoryInterpreter.ofProgress(steps.maxSteps()).source());
        default ->
            throw place.wrong(
                "a state_interpreter that live days have: FullHistoryInterpreter,"
                    + " CurrentStepInterpreter or Qlib's");
      };
    }
  }

  /// @throws ConfigException if the configuration has no policy with weights, or is a teacher's
  /// @throws io.tranche.market.DataException if the data are missing, or their days differ
  TrainedModel of(Trained trained, Combination combination) {
    return switch (trained) {
      case Trained.InRun(ExecutionRun run, _) -> trained(run, combination);
      case Trained.ForBacktest(BacktestPlan plan, _) -> backtested(plan, combination);
    };
  }

  private TrainedModel trained(ExecutionRun run, Combination combination) {
    run.rejectHindsight("an export");
    run.rejectObjects("exported models");
    ConfigNode policy = run.agent().policy().describe();
    ConfigNode network =
        weighted(run.agent().network() == null ? null : run.agent().network().describe(), policy);
    PreparedData data = PreparedData.of(run, folder, listener);
    RunParts<?> parts = RunParts.of(run, data);
    try {
      return trained(parts, network, policy, combination);
    } catch (RuntimeException e) {
      parts.close();
      throw e;
    }
  }

  private TrainedModel trained(
      RunParts<?> parts, ConfigNode network, ConfigNode policy, Combination combination) {
    ExecutionRun run = parts.run();
    PreparedData data = parts.data();
    if (!(parts.simulator() instanceof SimpleSimulatorConfig simulator)) {
      throw run.problem().simulator().describe().wrong("a simulator with minutes_per_step");
    }
    ConfigNode place = run.problem().stateInterpreter().describe();
    Shown shown = Shown.of(parts.problem().stateInterpreter(), place);
    InitialStates<Order> found = data.orders(Tag.TRAIN);
    List<Order> orders = IntStream.range(0, found.size()).mapToObj(found.load()).toList();
    Frequency frequency = Frequency.ofMinutes(simulator.minutesPerTick());
    Calendar calendar = data.calendar();
    Map<String, Session> sessions = data.sessions();
    Session session;
    if (!sessions.isEmpty()) {
      session = usual(sessions);
    } else {
      session =
          calendar == null
              ? session(times(parts, shown), frequency, orders)
              : session("data", calendar);
    }
    var model =
        new Model(
            run.isQlib(),
            network,
            policy,
            run.problem().actionInterpreter().describe(),
            shown,
            simulator.minutesPerTick(),
            simulator.minutesPerStep(),
            session,
            new TreeMap<>(sessions),
            place.where());
    return new TrainedModel(
        spec(model, parts.problem().actionInterpreter(), combination)
            .withFrictions(simulator.frictions()),
        parts,
        orders);
  }

  private static ConfigNode weighted(@Nullable ConfigNode network, ConfigNode policy) {
    if (network == null) {
      throw policy.wrong("a policy with a network, whose weights can be exported");
    }
    return network;
  }

  /// Returns the times of the ticks of an order's day: those of its features, if it sees any.
  private static Function<Order, long[]> times(RunParts<?> parts, Shown shown) {
    if (shown.ticks() == null) {
      return order -> {
        DayTicks day = parts.ticks().ticks(order);
        return IntStream.range(0, day.count()).mapToLong(day::time).toArray();
      };
    }
    return order -> {
      DayFeatures day = shown.features().day(order.instrument(), order.date());
      return IntStream.range(0, day.ticks()).mapToLong(day::time).toArray();
    };
  }

  /// Returns the session of most instruments.
  private static Session usual(Map<String, Session> sessions) {
    var counts = new LinkedHashMap<Session, Integer>();
    sessions.values().forEach(each -> counts.merge(each, 1, Integer::sum));
    return Collections.max(counts.entrySet(), Map.Entry.comparingByValue()).getKey();
  }

  private static Session session(String where, Calendar calendar) {
    var finder = new SessionFinder(where, calendar.frequency());
    for (int day = 0; day < calendar.days(); day++) {
      finder.add(calendar.date(day), calendar.times(calendar.dayStart(day), calendar.dayEnd(day)));
    }
    return finder.session();
  }

  /// Looks at one instrument for each day of the training orders.
  private static Session session(
      Function<Order, long[]> times, Frequency frequency, List<Order> orders) {
    var finder = new SessionFinder("data", frequency);
    Set<LocalDate> seen = new HashSet<>();
    for (Order order : orders) {
      if (seen.add(order.date())) {
        finder.add(order.date(), times.apply(order));
      }
    }
    return finder.session();
  }

  private TrainedModel backtested(BacktestPlan plan, Combination combination) {
    ConfigNode strategies = plan.config().required("strategies");
    if (plan.policies().isEmpty()) {
      throw strategies.wrong("strategies of which one has a policy");
    }
    PolicyLevel level = plan.policies().getFirst();
    ConfigNode policy = level.policy().describe();
    ConfigNode network =
        weighted(level.network() == null ? null : level.network().describe(), policy);
    ConfigNode place = level.stateInterpreter().describe();
    try (QlibStore store = plan.store()) {
      PolicyStrategy.Parts<?> strategy = strategy(level, store);
      var model =
          new Model(
              strategy.qlib(),
              network,
              policy,
              level.actionInterpreter().describe(),
              Shown.of(strategy.states(), place),
              level.minutesPerTick(),
              step(strategies, level.level()),
              session(plan.config().required("qlib").where(), store.calendar()),
              new TreeMap<>(),
              place.where());
      return new TrainedModel(spec(model, strategy.actions(), combination), null, List.of());
    }
  }

  /// Makes a strategy with a policy that cannot decide: a model needs only what is around it.
  private static PolicyStrategy.Parts<?> strategy(PolicyLevel level, QlibStore store) {
    Policy<Observation> none =
        (_, _, _) -> {
          throw new IllegalStateException("weights must have been loaded");
        };
    var sources =
        new StrategySources(store, _ -> SignalSource.of(store), (_, _, _, _) -> none, _ -> {});
    Strategy.Factory made =
        ExecutionCatalog.strategies(sources)
            .withInstalled()
            .make(ComponentSpec.from(level.strategy()));
    if (made instanceof PolicyStrategy.Parts<?> parts) {
      return parts;
    }
    throw level.strategy().wrong("a strategy that asks its policy, such as PolicyStrategy");
  }

  /// Returns the minutes between two decisions, which are those of the level below.
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

  private ModelSpec spec(
      Model model, ActionInterpreter<ExecutionState, ChildOrder> actions, Combination combination) {
    if (model.minutesPerStep() % model.minutesPerTick() != 0) {
      throw new ConfigException(
          model.at(),
          "steps of whole ticks of %d minutes".formatted(model.minutesPerTick()),
          model.minutesPerStep() + " minutes");
    }
    boolean isLive =
        (actions instanceof DiscreteActions choices && choices.choices() > 0)
            || (actions instanceof ContinuousActions numbers && numbers.numbers() > 0);
    if (!isLive) {
      throw model
          .actions()
          .wrong("an action_interpreter whose actions can be read without a simulator");
    }
    Shown shown = model.shown();
    ModelSpec spec =
        ModelSpec.of(
                model.network(),
                withoutWeights(model.policy()),
                model.actions(),
                shown.ticks() == null ? shown.features().recipe() : recipe(shown.features()))
            .withQlib(model.isQlib())
            .withSteps(shown.maxSteps(), model.minutesPerStep() / model.minutesPerTick())
            .withMirrors(shown.mirrors())
            .withBars(model.session(), Frequency.ofMinutes(model.minutesPerTick()))
            .withCombination(combination)
            .withSessions(model.sessions());
    // Days of the data may all be shorter than the session; one that is longer is another market's.
    Integer ticks = shown.ticks();
    if (ticks != null && (model.isQlib() ? ticks != spec.ticks() : ticks > spec.ticks())) {
      throw new ConfigException(
          model.at() + ": ticks",
          "%d, the ticks of a day of the data".formatted(spec.ticks()),
          ticks);
    }
    return spec;
  }

  private FeatureRecipe recipe(FeatureSource features) {
    return store == null ? features.recipe() : FeatureStore.open(store).recipe(features.columns());
  }

  /// Drops the path of initial weights: it is valid on one machine only, and the bundle has
  /// weights.
  private static ConfigNode withoutWeights(ConfigNode policy) {
    ConfigNode kwargs = policy.optional("kwargs");
    return kwargs == null || kwargs.optional("weight_file") == null
        ? policy
        : policy.with("kwargs", kwargs.without("weight_file"));
  }
}

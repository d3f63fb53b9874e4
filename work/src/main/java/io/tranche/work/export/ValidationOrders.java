package io.tranche.work.export;

import io.tranche.analysis.Comparison;
import io.tranche.backtest.ChildOrder;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.ParallelFor;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.interpreter.CurrentStepInterpreter;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureSource.InstrumentDay;
import io.tranche.market.feature.Mirror;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.run.RunParts;
import io.tranche.run.play.Candidate;
import io.tranche.run.play.OrderPlayer;
import io.tranche.run.play.PolicyResults;
import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ModelSpec;
import io.tranche.runtime.Predictor;
import io.tranche.runtime.ReferenceStatistics;
import io.tranche.trainer.InitialStates;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// The validation orders of a run, on which models are tried: used neither for training nor for the
/// test.
public final class ValidationOrders implements AutoCloseable {

  /// More orders would not change the result. The chosen ones are spread evenly over all.
  private static final int MOST_ORDERS = 10_000;

  /// Some hundreds of decisions suffice to choose a clip, and take a minute at most.
  private static final int SAMPLE_ORDERS = 32;

  private final FullHistoryInterpreter states;
  private final ActionInterpreter<ExecutionState, ChildOrder> actions;
  private final OrderPlayer player;
  private final ParallelFor parallel;

  private ValidationOrders(
      FullHistoryInterpreter states,
      ActionInterpreter<ExecutionState, ChildOrder> actions,
      OrderPlayer player,
      ParallelFor parallel) {
    this.states = states;
    this.actions = actions;
    this.player = player;
    this.parallel = parallel;
  }

  /// @throws DataException if there are no validation orders, or none can be executed
  static ValidationOrders of(RunParts<?> parts) {
    var problem = parts.problem();
    FullHistoryInterpreter states =
        switch (problem.stateInterpreter()) {
          case FullHistoryInterpreter history -> history;
          case CurrentStepInterpreter steps -> FullHistoryInterpreter.ofProgress(steps.maxSteps());
          default -> throw new IllegalStateException("states must be those of a model");
        };
    List<Order> orders = spread(parts.data().orders(Tag.VALID), MOST_ORDERS);
    var parallel = new ParallelFor(Runtime.getRuntime().availableProcessors());
    var player = new OrderPlayer(problem.simulators(), orders, parallel);
    if (player.orders().isEmpty()) {
      parallel.close();
      throw new DataException("validation", "orders that can be worked", "none");
    }
    return new ValidationOrders(states, problem.actionInterpreter(), player, parallel);
  }

  private static List<Order> spread(InitialStates<Order> all, int most) {
    return indices(all.size(), most).mapToObj(all.load()).toList();
  }

  /// Returns evenly spaced indices of a list.
  private static IntStream indices(int size, int most) {
    int count = Math.min(size, most);
    return IntStream.range(0, count).map(i -> (int) ((long) i * size / count));
  }

  public int size() {
    return player.orders().size();
  }

  /// Works every order with a model.
  PolicyResults run(String name, LoadedModel model) {
    return player.run(candidate(name, model::newPredictor));
  }

  /// Compares a model with another one, on the decisions that the other takes.
  public ModelComparison compare(LoadedModel model, LoadedModel other) {
    var tally = new Tally(other);
    PolicyResults theirs =
        player.run(
            candidate(
                "other",
                rows -> new Witness(tally, other.newPredictor(rows), model.newPredictor(rows))));
    PolicyResults ours = run("model", model);
    return new ModelComparison(
        tally.decisions(), tally.equal.sum(), Comparison.of(ours, theirs).together());
  }

  private Candidate<FullHistoryObservation> candidate(
      String name, IntFunction<? extends Policy<FullHistoryObservation>> policies) {
    return new Candidate<>(name, states, actions, policies);
  }

  /// Counts actions, and how often another policy would have acted alike.
  private static final class Tally {

    private final LoadedModel model;
    private final AtomicLongArray actions;
    private final LongAdder equal = new LongAdder();

    Tally(LoadedModel model) {
      this.model = model;
      actions = new AtomicLongArray(model.actionKinds());
    }

    long decisions() {
      return IntStream.range(0, actions.length()).mapToLong(actions::get).sum();
    }
  }

  /// Acts like one policy, and asks another what it would have done.
  private record Witness(Tally tally, Predictor acting, Predictor watching)
      implements Policy<FullHistoryObservation> {

    @Override
    public Action[] act(List<FullHistoryObservation> observations, long[] drawKeys, Mode mode) {
      Action[] taken = acting.act(observations, drawKeys, mode);
      Action[] others = watching == acting ? taken : watching.act(observations, drawKeys, mode);
      for (int i = 0; i < taken.length; i++) {
        tally.actions.incrementAndGet(tally.model.kindOf(taken[i]));
        if (tally.model.alike(taken[i], others[i])) {
          tally.equal.increment();
        }
      }
      return taken;
    }
  }

  /// Returns what a model observes at the decisions of a few orders.
  List<FullHistoryObservation> sample(LoadedModel model) {
    var seen = new ArrayList<FullHistoryObservation>();
    var candidate = candidate("sample", model::newPredictor);
    indices(size(), SAMPLE_ORDERS).forEach(i -> player.replay(candidate, i, seen::add));
    return seen;
  }

  /// Returns statistics of what a model observes and does on these orders.
  public ReferenceStatistics reference(LoadedModel model) {
    var tally = new Tally(model);
    player.run(
        candidate(
            "model",
            rows -> {
              Predictor policy = model.newPredictor(rows);
              return new Witness(tally, policy, policy);
            }));
    long decisions = tally.decisions();
    List<Double> shares =
        IntStream.range(0, model.actionKinds())
            .mapToObj(i -> (double) tally.actions.get(i) / decisions)
            .toList();
    return new ReferenceStatistics(size(), decisions, features(model.spec()), shares);
  }

  private List<ReferenceStatistics.Feature> features(ModelSpec spec) {
    List<String> columns = spec.features().columns().today();
    Mirror mirror = spec.mirrors() ? new Mirror(spec.features().columns()) : null;
    var moments = new Moments(columns.size());
    Set<InstrumentDay> days = new HashSet<>();
    for (Order order : player.orders()) {
      if (days.add(new InstrumentDay(order.instrument(), order.date()))) {
        DayFeatures day = states.observe(player.open(order).state()).features();
        moments.add(mirror != null && order.side() == Side.BUY ? mirror.apply(day) : day);
      }
    }
    return IntStream.range(0, columns.size())
        .mapToObj(i -> moments.feature(i, columns.get(i)))
        .toList();
  }

  @Override
  public void close() {
    parallel.close();
  }
}

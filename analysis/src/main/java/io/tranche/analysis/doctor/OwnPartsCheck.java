package io.tranche.analysis.doctor;

import io.tranche.backtest.ChildOrder;
import io.tranche.config.Catalog;
import io.tranche.config.ConfigException;
import io.tranche.env.Observation;
import io.tranche.env.Problem;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.LookAheadCheck;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.market.BarSource;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.run.Part;
import io.tranche.run.PreparedData;
import io.tranche.run.ProblemSettings;
import io.tranche.run.RunParts;
import java.nio.file.Files;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The interpreters and the reward of a run that are the user's own: plays one order with them, to
/// find those that see bars to come. Tests do so with those that are built in.
final class OwnPartsCheck {

  private static final int CACHED_DAYS = 4;

  private OwnPartsCheck() {}

  /// Returns what is wrong with them, or null.
  static @Nullable Diagnosis lookAhead(RunFacts facts) {
    Set<LookAheadCheck.Part> parts = lookingAhead(facts);
    if (parts.isEmpty()) {
      return null;
    }
    List<String> names = parts.stream().map(part -> part.name().toLowerCase(Locale.ROOT)).toList();
    boolean isTraining = parts.equals(Set.of(LookAheadCheck.Part.REWARD));
    return RunCheck.A_PART_THAT_LOOKS_AHEAD.found(
        "other bars after a decision change %s before it".formatted(names),
        isTraining
            ? "your reward reads what the day does later; only training sees it, so this may be meant"
            : "a part of yours reads what the day does later, which is not known live",
        isTraining
            ? "pay each step by what it filled, or compare with a price that is known by then"
            : "read only ticks before ExecutionState.tick; LookAheadCheck shows it in a test");
  }

  /// Returns the own parts that look ahead; none if that cannot be told, because the data are gone.
  private static Set<LookAheadCheck.Part> lookingAhead(RunFacts facts) {
    Set<LookAheadCheck.Part> own = own(facts.run().problem());
    if (own.isEmpty() || !Files.isDirectory(facts.folder().data())) {
      return Set.of();
    }
    try {
      PreparedData data = PreparedData.of(facts.run(), facts.folder(), (_, _, _) -> {});
      Order order = data.orders(Tag.TRAIN).load().apply(0);
      try (RunParts<?> parts = RunParts.of(facts.run(), data);
          BarSource bars = data.openBars()) {
        own.retainAll(bars == null ? Set.of() : find(parts, bars, order));
      }
      return own;
    } catch (ConfigException | DataException | IllegalStateException _) {
      return Set.of();
    }
  }

  private static Set<LookAheadCheck.Part> own(ProblemSettings problem) {
    Set<LookAheadCheck.Part> own = EnumSet.noneOf(LookAheadCheck.Part.class);
    if (isOwn(problem.stateInterpreter(), ExecutionCatalog.stateInterpreters(null))) {
      own.add(LookAheadCheck.Part.STATE_INTERPRETER);
    }
    if (isOwn(problem.actionInterpreter(), ExecutionCatalog.actionInterpreters())) {
      own.add(LookAheadCheck.Part.ACTION_INTERPRETER);
    }
    if (isOwn(problem.reward(), ExecutionCatalog.rewards())) {
      own.add(LookAheadCheck.Part.REWARD);
    }
    return own;
  }

  private static boolean isOwn(@Nullable Part<?> part, Catalog<?> builtIn) {
    return part instanceof Part.Named<?>(var spec)
        && builtIn.components().stream().noneMatch(each -> each.name().equals(spec.name()));
  }

  private static <O extends Observation> Set<LookAheadCheck.Part> find(
      RunParts<O> parts, BarSource bars, Order order) {
    Problem<Order, ExecutionState, ChildOrder, O> problem = parts.problem();
    Action action = some(problem.actionInterpreter().actionSpace());
    return action == null
        ? Collections.emptySet()
        : LookAheadCheck.find(
            changed ->
                new Problem<>(
                    parts.simulator().over(CachedTicks.of(changed, DealPrice.CLOSE, CACHED_DAYS)),
                    problem.stateInterpreter(),
                    problem.actionInterpreter(),
                    problem.reward(),
                    null,
                    List.of()),
            bars,
            order,
            action);
  }

  /// Returns an action that rarely ends an order at its first step; null if the space has several
  /// axes.
  private static @Nullable Action some(Space space) {
    return switch (space) {
      case Space.Discrete(int count) -> new Action.Discrete(Math.min(1, count - 1));
      case Space.Box box when box.shape().isEmpty() -> new Action.Continuous(middle(box));
      case Space.Box box when box.shape().size() == 1 ->
          new Action.Vector(Collections.nCopies(box.shape().getFirst(), middle(box)));
      default -> null;
    };
  }

  private static double middle(Space.Box box) {
    double low = Math.max(box.low(), -1);
    double high = Math.min(box.high(), 1);
    return low <= high ? (low + high) / 2 : box.low();
  }
}

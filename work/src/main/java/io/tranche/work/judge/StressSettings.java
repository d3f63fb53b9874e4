package io.tranche.work.judge;

import io.tranche.env.Observation;
import io.tranche.env.StateInterpreter;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.market.BarSource;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.cache.CachedBars;
import io.tranche.market.feature.FeatureRecipe;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.GivenFeatures;
import io.tranche.market.feature.pipeline.FeatureStore;
import io.tranche.market.order.DayOrder;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.DataSettings.Features;
import io.tranche.run.RunParts;
import io.tranche.run.play.Candidate;
import io.tranche.work.stress.ChangedBars;
import io.tranche.work.stress.StressCase;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The bars and orders beside its own that a run is stressed with. Features are made again from
/// these bars, by the recipe that a bundle of the run would have.
///
/// @param own the agent as it is judged
/// @param orders the run's own, at least one
/// @param <O> what the agent sees
record StressSettings<O extends Observation>(
    RunParts<O> parts, Candidate<O> own, List<Order> orders) {

  private static final int DAYS_KEPT = 2048;
  private static final int MOST_INSTRUMENTS = 20;

  /// Returns settings to be made one after the other; none if the features are not made from bars.
  ///
  /// @param bars of the run; stay open
  List<Supplier<StressCase<O>>> all(BarSource bars) {
    var settings = new ArrayList<Supplier<StressCase<O>>>();
    FeatureRecipe recipe = recipe();
    if (recipe instanceof GivenFeatures) {
      return settings;
    }
    LocalDate first = orders.stream().map(Order::date).min(LocalDate::compareTo).orElseThrow();
    ChangedBars.all(bars.fields())
        .forEach(
            (name, change) ->
                settings.add(
                    () -> setting(name, recipe, ChangedBars.of(bars, first, change), orders)));
    List<String> others = otherInstruments(bars);
    if (!others.isEmpty()) {
      settings.add(() -> setting("other instruments", recipe, bars, others(bars, others)));
    }
    SyntheticConfig market = parts.run().data() instanceof BarData data ? data.market() : null;
    if (market != null) {
      var other = new SyntheticMarket(market.withSeed(market.seed() + 1));
      settings.add(
          () ->
              setting(
                  "another market of the same law",
                  recipe,
                  other,
                  others(other, other.instruments().stream().limit(MOST_INSTRUMENTS).toList())));
    }
    return settings;
  }

  private StressCase<O> setting(
      String name, @Nullable FeatureRecipe recipe, BarSource bars, List<Order> placed) {
    int instruments = (int) placed.stream().map(Order::instrument).distinct().count();
    var kept = new CachedBars(bars, Math.max(1, instruments)); // changing them again takes longer
    return new StressCase<>(
        name,
        CachedTicks.of(kept, DealPrice.CLOSE, DAYS_KEPT),
        recipe == null ? own : seeing(RecipeFeatures.of(recipe, kept)),
        placed);
  }

  @SuppressWarnings("unchecked") // the interpreter shows what it showed before
  private Candidate<O> seeing(FeatureSource features) {
    var states =
        (StateInterpreter<ExecutionState, O>)
            (StateInterpreter<ExecutionState, ?>)
                ((FullHistoryInterpreter) (Object) own.states()).over(features, DAYS_KEPT);
    return new Candidate<>(own.name(), states, own.actions(), own.policies(), own.guard());
  }

  /// Returns how the features are made from bars; null if the agent sees none.
  private @Nullable FeatureRecipe recipe() {
    if (!((Object) own.states() instanceof FullHistoryInterpreter history)) {
      return null;
    }
    FeatureSource source = history.source();
    if (source.columns().today().isEmpty()) {
      return null;
    }
    return parts.data().settings() instanceof BarData data
            && data.features() instanceof Features.Stored(Path store)
        ? FeatureStore.open(store).recipe(source.columns())
        : source.recipe();
  }

  private List<String> otherInstruments(BarSource bars) {
    var used = new HashSet<String>();
    orders.forEach(order -> used.add(order.instrument()));
    return bars.instruments().stream()
        .filter(each -> !used.contains(each))
        .limit(MOST_INSTRUMENTS)
        .toList();
  }

  /// Returns orders of both sides for other instruments, on the days and at the times of the run's,
  /// of about 1 % of the day's volume.
  private List<Order> others(BarSource bars, List<String> instruments) {
    Map<LocalDate, Order> days = new LinkedHashMap<>();
    orders.forEach(order -> days.putIfAbsent(order.date(), order));
    var placed = new ArrayList<Order>();
    for (String instrument : instruments) {
      for (DayOrder each : OrderGenerator.DEFAULT.generate(bars, instrument)) {
        Order like = days.get(each.date());
        if (like != null) {
          for (Side side : Side.values()) {
            placed.add(
                new Order(instrument, side, each.amount(), like.start(), like.end(), like.date()));
          }
        }
      }
    }
    return placed;
  }
}

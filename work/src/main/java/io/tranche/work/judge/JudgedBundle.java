package io.tranche.work.judge;

import io.tranche.analysis.judge.Judge;
import io.tranche.analysis.judge.Judgement;
import io.tranche.analysis.record.OrderRecorder;
import io.tranche.backtest.Costs;
import io.tranche.backtest.Frictions;
import io.tranche.config.ComponentSpec;
import io.tranche.env.ParallelFor;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.Dialect;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.BarSource;
import io.tranche.market.DataException;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.SidedFeatures;
import io.tranche.market.order.ReadOrders;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.run.play.Candidate;
import io.tranche.run.play.CheckedOrders;
import io.tranche.run.play.OrderPlayer;
import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ModelSpec;
import io.tranche.work.stress.Condition;
import io.tranche.work.stress.StressTest;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A model bundle that executes orders on bars by its own recipe: its features, its steps, its
/// frictions and its costs.
public final class JudgedBundle implements AutoCloseable {

  private static final int DAYS_KEPT = 2048;

  private final BarSource bars;
  private final ParallelFor parallel;
  private final Costs costs;
  private final SimpleSimulatorConfig simulator;
  private final CachedTicks ticks;
  private final CheckedOrders checked;
  private final OrderPlayer player;
  private final Candidate<FullHistoryObservation> candidate;

  /// @param bars of the bundle's bar width, in their sessions; the caller closes them
  /// @param costs others than the bundle's; null for the bundle's
  /// @param skipsBad whether orders that cannot be executed are left out
  /// @throws DataException if the bars do not go with the bundle, or naming every order that cannot
  ///   be executed
  public JudgedBundle(
      LoadedModel model,
      BarSource bars,
      ReadOrders orders,
      @Nullable Costs costs,
      boolean skipsBad,
      int threads) {
    ModelSpec spec = model.spec();
    if (!bars.calendar().frequency().equals(spec.frequency())) {
      throw new DataException(
          "--bars", "bars of %s".formatted(spec.frequency()), bars.calendar().frequency());
    }
    this.bars = bars;
    Frictions frictions = costs == null ? spec.frictions() : spec.frictions().withCosts(costs);
    this.costs = frictions.costs();
    int minutes = spec.frequency().seconds() / 60;
    this.simulator =
        new SimpleSimulatorConfig(
            minutes * spec.ticksPerStep(),
            minutes,
            frictions,
            spec.isQlib() ? Dialect.QLIB : Dialect.NATIVE);
    this.ticks = CachedTicks.of(bars, DealPrice.CLOSE, DAYS_KEPT);
    var simulators = simulator.over(ticks);
    FeatureSource features = RecipeFeatures.of(spec.features(), bars);
    var history =
        new FullHistoryInterpreter(
            spec.maxSteps(),
            spec.ticks(),
            spec.features().columns().today().size(),
            spec.mirrors()
                ? SidedFeatures.mirrored(features, DAYS_KEPT)
                : SidedFeatures.alike(features));
    FullHistoryInterpreter states = spec.isQlib() ? history : history.forShorterDays();
    this.candidate =
        new Candidate<>(
            "the agent",
            states,
            ExecutionCatalog.actionInterpreters()
                .withInstalled()
                .make(ComponentSpec.from(spec.actions())),
            model::newPredictor,
            spec.guard());
    this.parallel = new ParallelFor(threads);
    try {
      var simulations = new OrderPlayer(simulators, List.of(), parallel);
      this.checked =
          CheckedOrders.of(
              orders, order -> states.observe(simulations.open(order).state()), skipsBad);
      this.player = new OrderPlayer(simulators, checked.orders(), parallel);
    } catch (RuntimeException e) {
      parallel.close();
      throw e;
    }
  }

  /// Returns what is wrong with each order that was left out.
  public List<String> skipped() {
    return checked.faults();
  }

  public Costs costs() {
    return costs;
  }

  /// Judges the bundle. The constant actions are the best ones in hindsight: a bundle has no
  /// validation orders.
  public Judgement judgement() {
    return Judge.judge(
        candidate,
        player,
        null,
        (test, yardsticks) ->
            bars.fields().contains("volume") ? yardsticks.withVwap(test, bars) : yardsticks);
  }

  /// Records how the judged orders were executed, beside their report. A bundle's scores are not
  /// known.
  ///
  /// @param sample how many are recorded decision by decision, evenly spread from the worst to the
  ///   best
  /// @throws DataException if the file cannot be written
  public void record(Path file, Judgement judgement, int sample) {
    boolean hasVwap = judgement.yardsticks().vwap() != null;
    new OrderRecorder<>(player, candidate, null, hasVwap ? bars : null)
        .write(file, judgement, sample, parallel);
  }

  /// Executes the orders under a few other frictions.
  public List<Condition> sensitivity() {
    return StressTest.sensitivity(simulator, ticks, candidate, player.orders(), parallel);
  }

  @Override
  public void close() {
    parallel.close();
  }
}

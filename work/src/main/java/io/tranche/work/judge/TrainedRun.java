package io.tranche.work.judge;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.Yardsticks;
import io.tranche.analysis.judge.Judgement;
import io.tranche.analysis.record.OrderRecorder;
import io.tranche.analysis.selection.Selection;
import io.tranche.backtest.Costs;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.RandomTree;
import io.tranche.execution.DeviationGuard;
import io.tranche.execution.baseline.LinearBaseline;
import io.tranche.market.BarSource;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.market.order.ReadOrders;
import io.tranche.policy.agent.Agent;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.DataSettings.Features;
import io.tranche.run.ExecutionRun;
import io.tranche.run.PreparedData;
import io.tranche.run.RunCheckpoints.Chosen;
import io.tranche.run.RunCheckpoints.Scored;
import io.tranche.run.RunFolder;
import io.tranche.run.RunListener;
import io.tranche.run.RunParts;
import io.tranche.run.TrainingRun;
import io.tranche.run.play.Candidate;
import io.tranche.run.play.CheckedOrders;
import io.tranche.run.play.OrderPlayer;
import io.tranche.run.play.PolicyResults;
import io.tranche.work.JobBackend;
import io.tranche.work.stress.Condition;
import io.tranche.work.stress.StressCase;
import io.tranche.work.stress.StressTest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A trained run that executes its test orders, or others, in its own simulator: with its windows,
/// frictions, costs and sessions.
///
/// @param <O> what its agent sees
public final class TrainedRun<O extends Observation> implements AutoCloseable {

  /// What is executed.
  ///
  /// @param orders a file or folder; null for the run's test orders
  /// @param bars other bars than the run's, which need orders of their own; null for the run's
  /// @param costs others than the run's; null for the run's
  /// @param skipsBad whether orders that cannot be executed are left out; otherwise they are an
  ///   error
  public record Input(
      @Nullable Path orders, @Nullable Path bars, @Nullable Costs costs, boolean skipsBad) {

    /// The run's own test orders, all of them.
    public static final Input OWN = new Input(null, null, null, false);

    public Input {
      if (bars != null && orders == null) {
        throw new ConfigException("--bars", "--orders for the days of these bars", "no --orders");
      }
    }
  }

  private final RunParts<O> parts;
  private final Input input;
  private final ParallelFor parallel;
  private final LoadedAgent<O> agent;
  private final CheckedOrders checked;
  private final OrderPlayer test;

  private TrainedRun(
      RunParts<O> parts, Agent<O> agent, Input input, ParallelFor parallel, ReadOrders placed) {
    this.parts = parts;
    this.input = input;
    this.parallel = parallel;
    this.agent = new LoadedAgent<>(parts, agent, parallel);
    var simulators = new OrderPlayer(parts.problem().simulators(), List.of(), parallel);
    var states = parts.problem().stateInterpreter();
    this.checked =
        CheckedOrders.of(
            placed, order -> states.observe(simulators.open(order).state()), input.skipsBad());
    this.test = new OrderPlayer(parts.problem().simulators(), checked.orders(), parallel);
  }

  /// Opens a run and checks its orders.
  ///
  /// @param made for data that have to be made for other bars
  /// @throws ConfigException if it is a teacher's run, or does not go with the input
  /// @throws DataException if data are missing or wrong, naming every order that cannot be executed
  public static TrainedRun<?> open(
      RunFolder folder,
      Input input,
      Path made,
      int threads,
      RunListener listener,
      Consumer<String> warnings) {
    ExecutionRun run =
        changed(ExecutionRun.readTrained(ConfigFiles.load(folder.config()), warnings), input);
    run.rejectHindsight("a judgement");
    PreparedData data =
        PreparedData.of(run, input.bars() == null ? folder : new RunFolder(made), listener);
    return open(RunParts.of(run, data), input, threads);
  }

  /// Returns a run that was just trained, with its weights as they are now. Whoever opened the
  /// training closes it.
  public static <O extends Observation> TrainedRun<O> of(TrainingRun<O> training, Input input) {
    Integer most = training.fastDevRun();
    ReadOrders all = orders(training.parts(), input);
    int count = most == null ? all.orders().size() : Math.min(most, all.orders().size());
    var some = new ReadOrders(all.orders().subList(0, count), all.faults());
    return of(training, input, some);
  }

  /// Returns a run that was just trained without its test orders, to choose among its checkpoints.
  static <O extends Observation> TrainedRun<O> forChoosing(TrainingRun<O> training) {
    return of(training, Input.OWN, new ReadOrders(List.of(), List.of()));
  }

  private static <O extends Observation> TrainedRun<O> of(
      TrainingRun<O> training, Input input, ReadOrders placed) {
    return new TrainedRun<>(
        training.parts(), training.algorithm().agent(), input, training.parallel(), placed);
  }

  private static ReadOrders orders(RunParts<?> parts, Input input) {
    return input.orders() == null
        ? parts.data().placedOrders(Tag.TEST)
        : parts.data().placedOrders(input.orders());
  }

  private static <O extends Observation> TrainedRun<O> open(
      RunParts<O> parts, Input input, int threads) {
    var parallel = new ParallelFor(threads);
    try {
      Agent<O> blank = parts.agent().create(RandomTree.generator(0)); // weights are loaded later
      return new TrainedRun<>(parts, blank, input, parallel, orders(parts, input));
    } catch (RuntimeException e) {
      parallel.close();
      parts.close();
      throw e;
    }
  }

  private static ExecutionRun changed(ExecutionRun run, Input input) {
    ExecutionRun changed = input.costs() == null ? run : run.withCosts(input.costs());
    if (input.bars() == null) {
      return changed;
    }
    if (!(run.data() instanceof BarData data) || data.features() instanceof Features.Stored) {
      throw new ConfigException(
          "--bars", "a run whose features are made from bars", "one with a feature store");
    }
    Path orders = Objects.requireNonNull(input.orders());
    return changed.withData(data.withFiles(input.bars(), orders));
  }

  /// Returns the run with what was changed.
  public ExecutionRun run() {
    return parts.run();
  }

  /// Returns what is wrong with each order that was left out.
  public List<String> skipped() {
    return checked.faults();
  }

  public int orders() {
    return test.orders().size();
  }

  /// Takes the weights of a checkpoint.
  ///
  /// @throws io.tranche.policy.weights.CheckpointException if it is damaged, or of another model
  public void load(Path checkpoint) {
    agent.load(checkpoint);
  }

  /// Takes the weights that were chosen, with their guard.
  ///
  /// @throws io.tranche.policy.weights.CheckpointException as above
  public void load(Chosen weights) {
    agent.load(weights);
  }

  /// Executes the orders with the weights that are loaded.
  ///
  /// @param backend null for threads of this process; the results are the same
  public PolicyResults play(String name, @Nullable JobBackend backend) {
    return agent.play(name, test, backend, false);
  }

  /// Executes the orders with TWAP.
  public PolicyResults twap() {
    return LoadedAgent.twap(test);
  }

  /// Compares checkpoints on the validation orders and chooses one, so that the test orders have no
  /// part in the choice. A market-neutral run chooses at prices without the market's moves, which
  /// hide less, and shows the results at real ones. Without validation orders, or with other bars,
  /// they are compared on the test orders, and the first in rank is chosen whatever the results
  /// are.
  ///
  /// @param backend null for threads of this process; the results are the same
  /// @param progress receives the name of the policy that runs next
  public Selection select(
      List<Scored> checkpoints, @Nullable JobBackend backend, Consumer<String> progress) {
    OrderPlayer validation = validation();
    return validation == null
        ? agent.rank(checkpoints, test, backend, progress)
        : agent.select(checkpoints, validation, backend, progress);
  }

  /// Fits a guard to the checkpoint that was selected, on days that had no part in the choice, and
  /// loads both.
  ///
  /// @param checkpoint that `selection` chose
  /// @param backend as above
  /// @return null if the run has no guard, or other bars were given
  public @Nullable DeviationGuard fitGuard(
      Selection selection, Path checkpoint, @Nullable JobBackend backend) {
    load(checkpoint);
    return parts.run().guards() && input.bars() == null ? agent.fitGuard(selection, backend) : null;
  }

  /// Returns the validation orders at real prices; null if there are none, or other bars were
  /// given.
  private @Nullable OrderPlayer validation() {
    return input.bars() == null ? agent.validation(parts.problem()) : null;
  }

  /// The agent and TWAP on the same orders.
  public record Pair(PolicyResults agent, PolicyResults twap) {

    public Comparison comparison() {
      return Comparison.of(agent, twap);
    }
  }

  /// Executes the orders with the weights that are loaded and with TWAP at prices without the
  /// market's moves.
  ///
  /// @return null if the run is not market-neutral
  public @Nullable Pair neutral() {
    return agent.isNeutral() ? learnt(test.orders()) : null;
  }

  /// Executes the orders that a guard is fitted to, at the prices that the run learns with.
  public Pair onSelectionDays() {
    return learnt(parts.data().selectionOrders());
  }

  private Pair learnt(List<Order> orders) {
    var player = new OrderPlayer(parts.learning().simulators(), orders, parallel);
    return new Pair(
        agent.play(LoadedAgent.NAME, player, null, agent.isNeutral()), LoadedAgent.twap(player));
  }

  /// Executes the orders with the linear baseline.
  ///
  /// @return null if the agent sees no features
  public @Nullable PolicyResults linear() {
    LinearBaseline linear = agent.judge().linear();
    return linear == null ? null : test.run(Candidate.rule("linear", linear));
  }

  /// Judges the weights that are loaded under many conditions.
  ///
  /// @param seeds other weights for the same agent, such as those of runs with other seeds, by name
  /// @param progress receives what is executed next
  /// @throws ConfigException if the run's simulator has no frictions that can be changed
  public List<Condition> stress(Map<String, Chosen> seeds, Consumer<String> progress) {
    Candidate<O> own = agent.judge().candidate();
    var settings = new ArrayList<Supplier<StressCase<O>>>();
    OrderPlayer validation = validation();
    if (validation != null) {
      settings.add(
          () -> new StressCase<>("validation days", parts.ticks(), own, validation.orders()));
    }
    LoadedAgent.Kept before = agent.keep();
    try (BarSource bars = parts.data().openBars()) {
      if (bars != null && orders() > 0) {
        settings.addAll(new StressSettings<>(parts, own, test.orders()).all(bars));
      }
      seeds.forEach(
          (name, weights) ->
              settings.add(
                  () -> {
                    load(weights);
                    return new StressCase<>(
                        name, parts.ticks(), agent.judge().candidate(), test.orders());
                  }));
      return StressTest.run(
          parts.simulator(),
          parts.ticks(),
          own,
          test.orders(),
          settings.stream().map(Supplier::get).iterator(),
          parallel,
          progress);
    } finally {
      agent.restore(before);
    }
  }

  /// Executes the orders under a few other frictions, with the weights that are loaded.
  ///
  /// @return empty if the run's simulator has no frictions that can be changed
  public List<Condition> sensitivity() {
    return StressTest.sensitivity(
        parts.simulator(), parts.ticks(), agent.judge().candidate(), test.orders(), parallel);
  }

  /// Judges the weights that are loaded: against TWAP, VWAP where volumes are known, constant
  /// actions, the arrival price, the oracle, and the optimum where there is one.
  public Judgement judgement() {
    try (BarSource bars = parts.data().openBars()) {
      Judgement judgement =
          agent
              .judge()
              .judge(
                  test, validation(), (player, yardsticks) -> withMore(player, yardsticks, bars));
      Pair neutral = neutral();
      return neutral == null ? judgement : judgement.withNeutral(neutral.comparison());
    }
  }

  /// Records how the judged orders were executed, beside their report.
  ///
  /// @param sample how many are recorded decision by decision, evenly spread from the worst to the
  ///   best
  /// @throws DataException if the file cannot be written
  public void record(Path file, Judgement judgement, int sample) {
    try (BarSource bars = parts.data().openBars()) {
      boolean hasVwap = judgement.yardsticks().vwap() != null;
      new OrderRecorder<>(test, agent.judge().candidate(), agent.agent(), hasVwap ? bars : null)
          .write(file, judgement, sample, parallel);
    }
  }

  /// Returns how long it takes to execute the first orders with the agent, the rules and the
  /// oracle: a probe for estimates.
  ///
  /// @param count how many orders
  public double probeSeconds(int count) {
    List<Order> orders = test.orders();
    var first =
        new OrderPlayer(
            parts.problem().simulators(),
            orders.subList(0, Math.min(count, orders.size())),
            parallel);
    long started = System.nanoTime();
    agent.judge().judge(first, first, (_, yardsticks) -> yardsticks);
    return (System.nanoTime() - started) / 1e9;
  }

  private Yardsticks withMore(OrderPlayer player, Yardsticks plain, @Nullable BarSource bars) {
    // Other bars have no training days, and no law.
    boolean isOwn = input.bars() == null;
    Yardsticks yardsticks = isOwn ? plain.withLinear(player, agent.judge().linear()) : plain;
    Yardsticks more =
        bars != null && bars.fields().contains("volume")
            ? yardsticks.withVwap(player, bars)
            : yardsticks;
    return isOwn ? KnownOptimum.added(more, player, parts, test.orders()) : more;
  }

  @Override
  public void close() {
    parallel.close();
    parts.close();
  }
}

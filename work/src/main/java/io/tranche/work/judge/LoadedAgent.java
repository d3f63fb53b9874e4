package io.tranche.work.judge;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.judge.Judge;
import io.tranche.analysis.selection.GuardFit;
import io.tranche.analysis.selection.Selection;
import io.tranche.backtest.ChildOrder;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.Problem;
import io.tranche.execution.DeviationGuard;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.baseline.TwapBaseline;
import io.tranche.market.Order;
import io.tranche.market.order.NamedOrder;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.weights.StateDict;
import io.tranche.run.RunCheckpoints.Chosen;
import io.tranche.run.RunCheckpoints.Scored;
import io.tranche.run.RunParts;
import io.tranche.run.play.Candidate;
import io.tranche.run.play.OrderPlayer;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import io.tranche.trainer.checkpoint.CheckpointFile;
import io.tranche.work.JobBackend;
import io.tranche.work.JobSession;
import io.tranche.work.rollout.RemoteRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The agent of a run with the weights and the guard that are loaded: executes orders here or
/// elsewhere, and chooses among checkpoints.
///
/// @param <O> what it sees
final class LoadedAgent<O extends Observation> {

  static final String NAME = "the agent";

  private static final String TWAP = "TWAP";

  /// Pieces per worker: enough that no worker idles long before the last piece ends.
  private static final int PIECES_EACH = 3;

  /// Smaller batches of orders do not keep the kernels busy.
  private static final int LEAST = 64;

  private final RunParts<O> parts;
  private final Agent<O> agent;
  private final ParallelFor parallel;
  private @Nullable DeviationGuard guard;

  LoadedAgent(RunParts<O> parts, Agent<O> agent, ParallelFor parallel) {
    this.parts = parts;
    this.agent = agent;
    this.parallel = parallel;
  }

  Agent<O> agent() {
    return agent;
  }

  /// Takes the weights of a checkpoint, without a guard.
  void load(Path checkpoint) {
    guard = null;
    agent.load(checkpoint.toString(), CheckpointFile.policyState(checkpoint));
  }

  /// Takes the weights that were chosen, with their guard.
  void load(Chosen weights) {
    load(weights.file());
    guard = weights.guard();
  }

  /// What is loaded.
  record Kept(StateDict weights, @Nullable DeviationGuard guard) {}

  Kept keep() {
    return new Kept(agent.weights().stateDict(), guard);
  }

  void restore(Kept kept) {
    agent.weights().load("the weights before", kept.weights());
    guard = kept.guard();
  }

  Judge<O> judge() {
    return new Judge<>(parts, agent, parallel, guard);
  }

  /// Whether the run learns at prices without the market's moves.
  boolean isNeutral() {
    return parts.neutral() != null;
  }

  static PolicyResults twap(OrderPlayer player) {
    return player.run(Candidate.rule(TWAP, new TwapBaseline()));
  }

  /// Executes the orders of `player`.
  ///
  /// @param backend null for threads of this process; the results are the same
  /// @param isNeutral whether `player` fills at prices without the market's moves
  PolicyResults play(
      String name, OrderPlayer player, @Nullable JobBackend backend, boolean isNeutral) {
    if (backend == null) {
      return new PolicyResults(name, player.run(judge().candidate()).orders());
    }
    try (JobSession session = backend.open(new PlayKind(), RemoteRun.bytes(parts))) {
      return play(name, player.orders(), backend.width(), session, isNeutral);
    }
  }

  private PolicyResults play(
      String name, List<Order> orders, int width, JobSession session, boolean isNeutral) {
    int size = Math.max(LEAST, Math.ceilDiv(orders.size(), PIECES_EACH * width));
    List<List<Order>> parts =
        IntStream.range(0, Math.ceilDiv(orders.size(), size))
            .mapToObj(i -> orders.subList(i * size, Math.min(orders.size(), (i + 1) * size)))
            .toList();
    var pieces = new ArrayList<byte[]>();
    for (int i = 0; i < parts.size(); i++) {
      pieces.add(PlayKind.piece(i * size, parts.get(i)));
    }
    var results = new OrderResult[orders.size()];
    session.run(
        PlayKind.shared(agent, guard, isNeutral),
        pieces,
        (piece, result) -> {
          List<OrderResult> ended = PlayKind.results(result, parts.get(piece));
          for (int i = 0; i < ended.size(); i++) {
            results[piece * size + i] = ended.get(i);
          }
        });
    return new PolicyResults(name, Arrays.asList(results));
  }

  /// Compares checkpoints on validation orders, and at the prices that the run learns with.
  Selection select(
      List<Scored> checkpoints,
      OrderPlayer validation,
      @Nullable JobBackend backend,
      Consumer<String> progress) {
    progress.accept(TWAP);
    PolicyResults twap = twap(validation);
    List<PolicyResults> results = play(checkpoints, validation, backend, progress, false);
    OrderPlayer learning = isNeutral() ? validation(parts.learning()) : null;
    return learning == null
        ? Selection.of(results, twap)
        : Selection.of(play(checkpoints, learning, backend, _ -> {}, true), twap(learning))
            .shownAt(results, twap, "without the market's moves");
  }

  /// Shows checkpoints on orders that may not choose among them: the first in rank is chosen.
  Selection rank(
      List<Scored> checkpoints,
      OrderPlayer player,
      @Nullable JobBackend backend,
      Consumer<String> progress) {
    progress.accept(TWAP);
    PolicyResults twap = twap(player);
    return Selection.byRank(play(checkpoints, player, backend, progress, false), twap);
  }

  private List<PolicyResults> play(
      List<Scored> checkpoints,
      OrderPlayer player,
      @Nullable JobBackend backend,
      Consumer<String> progress,
      boolean atNeutralPrices) {
    var results = new ArrayList<PolicyResults>();
    for (Scored checkpoint : checkpoints) {
      progress.accept(checkpoint.name());
      load(checkpoint.file());
      results.add(play(checkpoint.name(), player, backend, atNeutralPrices));
    }
    return results;
  }

  /// Fits a guard to the weights that are loaded, on days that had no part in the selection, and
  /// keeps it.
  DeviationGuard fitGuard(Selection selection, @Nullable JobBackend backend) {
    List<Order> orders = parts.data().selectionOrders();
    var player = new OrderPlayer(parts.learning().simulators(), orders, parallel);
    DeviationGuard fitted =
        GuardFit.fit(
            selection,
            player.orders().isEmpty() ? null : twap(player),
            size -> {
              guard = size;
              return play(NAME, player, backend, isNeutral());
            });
    guard = fitted;
    if (isNeutral() && fitted.size() > 0) {
      var real = new OrderPlayer(parts.problem().simulators(), orders, parallel);
      fitted =
          GuardFit.confirmed(fitted, Comparison.of(play(NAME, real, backend, false), twap(real)));
      guard = fitted;
    }
    return fitted;
  }

  /// Returns the validation orders in a problem; null if there are none.
  @Nullable OrderPlayer validation(Problem<Order, ExecutionState, ChildOrder, O> problem) {
    List<Order> orders =
        parts.data().placedOrders(Tag.VALID).orders().stream().map(NamedOrder::order).toList();
    var player = new OrderPlayer(problem.simulators(), orders, parallel);
    return player.orders().isEmpty() ? null : player;
  }
}

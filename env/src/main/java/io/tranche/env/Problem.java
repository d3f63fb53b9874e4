package io.tranche.env;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A decision problem: all parts of an environment except the initial states. Its parts are
/// stateless, so one problem serves any number of environments at once.
///
/// @param reward null if every reward is 0
/// @param auxInfo null if there is no side information
/// @param metrics what is logged besides
/// @param <I> what an episode begins with
/// @param <S> the simulator's state
/// @param <A> the simulator's action
/// @param <O> what the policy sees
public record Problem<I extends @Nullable Object, S, A, O extends Observation>(
    Simulator.Factory<I, S, A> simulators,
    StateInterpreter<S, O> stateInterpreter,
    ActionInterpreter<S, A> actionInterpreter,
    @Nullable Reward<S> reward,
    @Nullable AuxInfoCollector<S> auxInfo,
    List<Metric<S>> metrics) {

  public Problem {
    metrics = List.copyOf(metrics);
    var names = new HashSet<String>();
    for (Metric<S> metric : metrics) {
      if (!names.add(metric.name())) {
        throw new IllegalArgumentException("metrics must differ, was twice " + metric.name());
      }
    }
  }

  public Problem(
      Simulator.Factory<I, S, A> simulators,
      StateInterpreter<S, O> stateInterpreter,
      ActionInterpreter<S, A> actionInterpreter,
      @Nullable Reward<S> reward) {
    this(simulators, stateInterpreter, actionInterpreter, reward, null, List.of());
  }

  /// Returns a problem, as the constructor does; the compiler names a missing part.
  public static <I extends @Nullable Object, S, A, O extends Observation> Problem<I, S, A, O> of(
      Simulator.Factory<I, S, A> simulators,
      StateInterpreter<S, O> stateInterpreter,
      ActionInterpreter<S, A> actionInterpreter,
      Reward<S> reward) {
    return new Problem<>(simulators, stateInterpreter, actionInterpreter, reward);
  }

  public Problem<I, S, A, O> withAuxInfo(@Nullable AuxInfoCollector<S> other) {
    return new Problem<>(simulators, stateInterpreter, actionInterpreter, reward, other, metrics);
  }

  public Problem<I, S, A, O> withMetrics(List<Metric<S>> others) {
    return new Problem<>(simulators, stateInterpreter, actionInterpreter, reward, auxInfo, others);
  }

  /// Returns an environment whose episodes are begun with [EnvWrapper#begin].
  public EnvWrapper<I, S, A, O> open(LogCollector log) {
    return new EnvWrapper<>(this, Collections.emptyIterator(), log);
  }
}

package io.tranche.env;

import java.util.Collections;
import org.jspecify.annotations.Nullable;

/// A decision problem: all parts of an environment except the initial states. Its parts are
/// stateless, so one problem serves any number of environments at once.
///
/// @param reward null if every reward is 0
/// @param auxInfo null if there is no side information
/// @param <I> what an episode begins with
/// @param <S> the simulator's state
/// @param <A> the simulator's action
/// @param <O> what the policy sees
public record Problem<I extends @Nullable Object, S, A, O extends Observation>(
    Simulator.Factory<I, S, A> simulators,
    StateInterpreter<S, O> stateInterpreter,
    ActionInterpreter<S, A> actionInterpreter,
    @Nullable Reward<S> reward,
    @Nullable AuxInfoCollector<S> auxInfo) {

  public Problem(
      Simulator.Factory<I, S, A> simulators,
      StateInterpreter<S, O> stateInterpreter,
      ActionInterpreter<S, A> actionInterpreter,
      @Nullable Reward<S> reward) {
    this(simulators, stateInterpreter, actionInterpreter, reward, null);
  }

  /// Returns an environment whose episodes are begun with [EnvWrapper#begin].
  public EnvWrapper<I, S, A, O> open(LogCollector log) {
    return new EnvWrapper<>(this, Collections.emptyIterator(), log);
  }
}

package io.tranche.env;

import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.SpaceException;
import io.tranche.env.space.Value;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One environment: runs the episodes of a problem one after another, and is the context that the
/// problem's parts see. Qlib: `qlib.rl.utils.EnvWrapper`.
///
/// Used by one thread at a time. Hot path: a step allocates a [Step] and what the parts allocate;
/// values logged below the collector's level cost nothing.
///
/// @param <I> what an episode begins with
/// @param <S> the simulator's state
/// @param <A> the simulator's action
/// @param <O> what the policy sees
public final class EnvWrapper<I extends @Nullable Object, S, A, O extends Observation>
    implements EnvContext {

  private static final Value NO_AUX_INFO = new Value.Dict(Map.of());

  private final Problem<I, S, A, O> problem;
  private final Iterator<? extends I> initialStates;
  private final LogCollector log;
  private @Nullable Simulator<S, A> simulator;
  private @Nullable Episode<I, O> episode;
  private boolean dead;

  /// @param initialStates the initial states for [#reset]; may be shared with other environments
  ///   that the same thread drives
  public EnvWrapper(
      Problem<I, S, A, O> problem, Iterator<? extends I> initialStates, LogCollector log) {
    this.problem = problem;
    this.initialStates = initialStates;
    this.log = log;
  }

  /// Returns an environment whose episodes all begin with null and never run out.
  public static <S, A, O extends Observation>
      EnvWrapper<@Nullable Void, S, A, O> withoutInitialStates(
          Problem<@Nullable Void, S, A, O> problem, LogCollector log) {
    return new EnvWrapper<>(problem, Stream.<@Nullable Void>generate(() -> null).iterator(), log);
  }

  public Space observationSpace() {
    return problem.stateInterpreter().observationSpace();
  }

  public Space actionSpace() {
    return problem.actionInterpreter().actionSpace();
  }

  /// Begins the next episode and returns its first observation, or null if no initial state is
  /// left. The environment is then dead, which Qlib signals by `NanObservation.of` the observation
  /// space.
  ///
  /// @throws IllegalStateException if it is already dead
  public @Nullable O reset() {
    if (dead) {
      throw new IllegalStateException(
          "You can trying to get a state from a dead environment wrapper.");
    }
    if (!initialStates.hasNext()) {
      dead = true;
      log.clear();
      return null;
    }
    return begin(initialStates.next());
  }

  /// Begins an episode with `initialState` and returns its first observation.
  public O begin(I initialState) {
    log.clear();
    var begun = new Episode<I, O>(initialState);
    episode = begun;
    simulator = null; // an episode that cannot begin must not continue with the last simulator
    Simulator<S, A> made = problem.simulators().create(initialState, this);
    simulator = made;
    return observe(made.state(), begun);
  }

  private A read(Action action, S state, Episode<I, O> running) {
    try {
      return problem.actionInterpreter().act(state, action, this);
    } catch (SpaceException e) {
      throw e.at(place(running.step() + 1, state, running));
    }
  }

  private O observe(S state, Episode<I, O> running) {
    O observation;
    try {
      observation = problem.stateInterpreter().observe(state, this);
    } catch (SpaceException e) {
      throw e.at(place(running.step(), state, running));
    }
    running.observe(observation);
    return observation;
  }

  private static String place(int step, Object state, Episode<?, ?> running) {
    return "step %d of %s: %s".formatted(step, running.initialState(), state);
  }

  /// Takes one decision.
  ///
  /// @throws SpaceException if the action or the observation lies outside its space
  /// @throws ArithmeticException if the reward is not finite
  /// @throws IllegalStateException if this environment is dead or has not begun an episode
  public Step<O> step(Action action) {
    Simulator<S, A> current = simulator;
    Episode<I, O> running = episode;
    if (dead) {
      throw new IllegalStateException(
          "State queue is already exhausted, but the environment is still receiving action.");
    }
    if (current == null || running == null) {
      throw new IllegalStateException("an episode must have begun before a step");
    }
    log.clear();
    running.decide(action);
    A converted = read(action, current.state(), running);

    // Counted after the action is interpreted and before the simulator moves: parts read the count.
    running.advance();
    current.step(converted);
    boolean done = current.isDone();
    running.finish(done);

    S state = current.state();
    O observation = observe(state, running);
    double reward = problem.reward() == null ? 0 : problem.reward().reward(state, this);
    if (!Double.isFinite(reward)) {
      throw new ArithmeticException(
          "reward must be finite, was %s at step %d of %s"
              .formatted(reward, running.step(), running.initialState()));
    }
    running.pay(reward);
    Value aux = problem.auxInfo() == null ? NO_AUX_INFO : problem.auxInfo().collect(state, this);

    if (done) {
      log.scalar("steps_per_episode", running.step());
    }
    log.scalar("reward", reward);
    List<Metric<S>> metrics = problem.metrics();
    for (int i = 0; i < metrics.size(); i++) { // hot path: an iterator for each step would count
      Metric<S> metric = metrics.get(i);
      if (done || metric.isEveryStep()) {
        log.scalar(metric.name(), metric.value(state, this));
      }
    }
    if (problem.auxInfo() != null) {
      log.any("aux_info", aux, LogLevel.DEBUG);
    }
    log.any("obs", observation, LogLevel.DEBUG);
    log.any("policy_act", action, LogLevel.DEBUG);
    return new Step<>(observation, reward, done, aux, log);
  }

  /// Whether the initial states ran out.
  public boolean isDead() {
    return dead;
  }

  /// Returns the current episode, or the last one.
  ///
  /// @throws IllegalStateException if none has begun
  public Episode<I, O> episode() {
    if (episode == null) {
      throw new IllegalStateException("an episode must have begun");
    }
    return episode;
  }

  /// Returns a picture of the episode so far: actions, rewards, and series that the simulator adds.
  public EpisodePlot render() {
    EpisodePlot picture = EpisodePlot.of(episode());
    if (simulator != null) {
      simulator.draw(picture);
    }
    return picture;
  }

  @Override
  public int step() {
    return episode == null ? 0 : episode.step();
  }

  @Override
  public boolean isDone() {
    return episode != null && episode.isDone();
  }

  @Override
  public LogCollector log() {
    return log;
  }
}

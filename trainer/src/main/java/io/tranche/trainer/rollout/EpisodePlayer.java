package io.tranche.trainer.rollout;

import io.tranche.config.ConfigException;
import io.tranche.env.EnvWrapper;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.env.Observation;
import io.tranche.env.Player;
import io.tranche.env.Policy;
import io.tranche.env.Problem;
import io.tranche.env.Step;
import io.tranche.env.space.Action;
import io.tranche.env.vector.Collector;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Plays episodes in batches with a policy. For one thread.
///
/// @param <I> what an episode begins with
/// @param <O> what the policy sees
public final class EpisodePlayer<I, O extends Observation> implements Rollouts<I> {

  /// Maximum number of episodes in a batch.
  public static final int ROWS = 256;

  private final Problem<I, ?, ?, O> problem;
  private final Policy<O> policy;

  /// @param policy accepts batches of up to [#ROWS] observations
  public EpisodePlayer(Problem<I, ?, ?, O> problem, Policy<O> policy) {
    this.problem = problem;
    this.policy = policy;
  }

  @Override
  public List<Trajectory> play(Policy.Mode mode, long drawRoot, long first, List<I> states) {
    var played = new ArrayList<Trajectory>();
    for (int from = 0; from < states.size(); from += ROWS) {
      List<I> group = states.subList(from, Math.min(states.size(), from + ROWS));
      playTogether(mode, drawRoot, first + from, group)
          .forEach(round -> played.add(round.trajectory()));
    }
    return played;
  }

  private List<Round> playTogether(Policy.Mode mode, long drawRoot, long first, List<I> states) {
    var rounds = new ArrayList<Round>();
    for (int i = 0; i < states.size(); i++) {
      rounds.add(new Round(drawRoot, first + i, states.get(i)));
    }
    Player.play(rounds, policy, mode);
    return rounds;
  }

  /// An episode being played.
  private final class Round implements Player.Round<O> {
    private final long drawRoot;
    private final long episode;
    private final EnvWrapper<I, ?, ?, O> world = problem.open(new LogCollector(LogLevel.CRITICAL));
    private final List<Action> actions = new ArrayList<>();
    private long rewards = Trajectory.NO_REWARDS;
    private @Nullable O observation;
    private @Nullable String failure;

    Round(long drawRoot, long episode, I state) {
      this.drawRoot = drawRoot;
      this.episode = episode;
      attempt(() -> observation = world.begin(state));
    }

    @Override
    public @Nullable O observation() {
      return observation;
    }

    @Override
    public long drawKey() {
      return Collector.drawKey(drawRoot, episode, actions.size());
    }

    @Override
    public void step(Action action) {
      actions.add(action);
      attempt(
          () -> {
            Step<O> step = world.step(action);
            rewards = Trajectory.fold(rewards, step.reward());
            observation = step.done() ? null : step.observation();
          });
    }

    /// An exception of an episode is reported, not thrown: the trainer decides whether it ends the
    /// run.
    private void attempt(Runnable move) {
      try {
        move.run();
      } catch (ConfigException e) {
        throw e; // affects all episodes
      } catch (RuntimeException e) {
        observation = null;
        failure = e.toString();
      }
    }

    Trajectory trajectory() {
      return new Trajectory(actions, rewards, failure);
    }
  }
}

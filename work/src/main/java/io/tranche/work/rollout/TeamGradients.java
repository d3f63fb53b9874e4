package io.tranche.work.rollout;

import io.tranche.config.ConfigException;
import io.tranche.env.Observation;
import io.tranche.env.vector.Codec;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.learn.Ppo;
import io.tranche.policy.learn.PpoTask;
import io.tranche.policy.learn.PpoWorkers;
import io.tranche.tensor.Weights;
import io.tranche.work.Backend;
import io.tranche.work.JobSession;
import java.util.List;

/// Has a team work out the gradients of a run until it is closed.
///
/// @param <O> what the agent sees
public final class TeamGradients<O extends Observation> implements PpoWorkers<O>, AutoCloseable {

  private final Ppo<O> ppo;
  private final Codec<O> observations;
  private final JobSession team;

  private TeamGradients(Ppo<O> ppo, Codec<O> observations, JobSession team) {
    this.ppo = ppo;
    this.observations = observations;
    this.team = team;
  }

  /// Gathers a team that helps `algorithm`, which is made of `parts`.
  ///
  /// @throws ConfigException if its gradients cannot be shared out
  public static <O extends Observation> TeamGradients<O> at(
      Backend place, AgentParts<O> parts, Algorithm<O> algorithm) {
    if (!(algorithm instanceof Ppo<O> ppo)) {
      throw new ConfigException(
          "policy", "Ppo, whose gradients can be shared out", algorithm.getClass().getSimpleName());
    }
    Codec<O> observations = parts.environment().observations();
    JobSession team = place.open(new GradientKind(), parts.settings().bytes());
    var gradients = new TeamGradients<>(ppo, observations, team);
    ppo.sharedWith(gradients);
    return gradients;
  }

  @Override
  public void work(Weights weights, List<PpoTask<O>> tasks, Sums sums) {
    team.run(
        GradientKind.shared(weights),
        tasks.stream().map(task -> GradientKind.piece(task, observations)).toList(),
        (task, answer) -> GradientKind.answer(answer, task, sums));
  }

  @Override
  public void close() {
    ppo.sharedWith(null);
    team.close();
  }
}

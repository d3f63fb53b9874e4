package io.tranche.work.rollout;

import io.tranche.env.Policy;
import io.tranche.market.Order;
import io.tranche.policy.agent.Agent;
import io.tranche.run.TrainingOptions;
import io.tranche.trainer.rollout.Trajectory;
import io.tranche.work.JobBackend;
import io.tranche.work.JobSession;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Has a team play the episodes of a run.
public final class RemoteRollouts implements TrainingOptions.RemotePlay {

  /// How many pieces there are for each that is done at a time: enough for nobody to wait long for
  /// the last one.
  private static final int PIECES_EACH = 3;

  /// Fewer episodes side by side leave the kernels without work.
  private static final int LEAST = 16;

  private final Agent<?> agent;
  private final int width;
  private final JobSession team;

  private RemoteRollouts(Agent<?> agent, int width, JobSession team) {
    this.agent = agent;
    this.width = width;
    this.team = team;
  }

  /// Returns what plays the episodes of runs on `backend`.
  public static TrainingOptions.Elsewhere on(JobBackend backend) {
    return (parts, agent) ->
        new RemoteRollouts(
            agent, backend.width(), backend.open(new RolloutKind(), RemoteRun.bytes(parts)));
  }

  @Override
  public List<Trajectory> play(Policy.Mode mode, long drawRoot, long first, List<Order> orders) {
    int size = Math.max(LEAST, Math.ceilDiv(orders.size(), PIECES_EACH * width));
    var pieces = new ArrayList<byte[]>();
    for (int from = 0; from < orders.size(); from += size) {
      List<Order> part = orders.subList(from, Math.min(orders.size(), from + size));
      pieces.add(RolloutKind.piece(first + from, part));
    }
    var played = new Trajectory[orders.size()];
    team.run(
        RolloutKind.shared(agent, mode, drawRoot),
        pieces,
        (piece, answer) -> {
          int from = piece * size;
          int count = Math.min(size, played.length - from);
          List<Trajectory> part = RolloutKind.answer(answer, count);
          for (int i = 0; i < count; i++) {
            played[from + i] = part.get(i);
          }
        });
    return Arrays.asList(played);
  }

  @Override
  public void close() {
    team.close();
  }
}

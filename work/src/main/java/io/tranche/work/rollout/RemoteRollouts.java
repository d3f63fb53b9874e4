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

/// Plays the episodes of a run in a job session.
public final class RemoteRollouts implements TrainingOptions.RemotePlay {

  /// Pieces per worker and round: enough that no worker idles long before the last piece ends.
  private static final int PIECES_EACH = 3;

  /// Smaller batches of episodes do not keep the kernels busy.
  private static final int LEAST = 16;

  private final Agent<?> agent;
  private final int width;
  private final JobSession session;

  private RemoteRollouts(Agent<?> agent, int width, JobSession session) {
    this.agent = agent;
    this.width = width;
    this.session = session;
  }

  /// Returns a player of episodes that works on `backend`.
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
    session.run(
        RolloutKind.shared(agent, mode, drawRoot),
        pieces,
        (piece, result) -> {
          int from = piece * size;
          int count = Math.min(size, played.length - from);
          List<Trajectory> part = RolloutKind.trajectories(result, count);
          for (int i = 0; i < count; i++) {
            played[from + i] = part.get(i);
          }
        });
    return Arrays.asList(played);
  }

  @Override
  public void close() {
    session.close();
  }
}

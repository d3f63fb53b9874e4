package io.tranche.work.rollout;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.RandomTree;
import io.tranche.execution.OrderCodec;
import io.tranche.market.Order;
import io.tranche.policy.agent.Agent;
import io.tranche.run.RunParts;
import io.tranche.trainer.rollout.EpisodePlayer;
import io.tranche.trainer.rollout.Trajectory;
import io.tranche.work.Job;
import io.tranche.work.JobKind;
import io.tranche.work.PieceCodec;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Episodes of a training run. Shared by a round are the weights and how to act by them; a piece is
/// a number of orders, its answer their trajectories.
public final class RolloutKind implements JobKind {

  /// An order takes more.
  private static final int ORDER_BYTES = 8;

  @Override
  public String name() {
    return "rollouts";
  }

  @Override
  public Job open(byte[] setup) {
    return job(RemoteRun.open(setup));
  }

  private static <O extends Observation> Job job(RunParts<O> parts) {
    return new AgentJob(() -> new Actor<>(parts));
  }

  static byte[] shared(Agent<?> agent, Policy.Mode mode, long drawRoot) {
    return PieceCodec.write(
        out -> {
          out.writeBoolean(mode == Policy.Mode.TRAIN);
          out.writeLong(drawRoot);
          ActingWeights.write(agent, out);
        });
  }

  static byte[] piece(long first, List<Order> orders) {
    return PieceCodec.write(
        out -> {
          PieceCodec.writeNumber(first, out);
          PieceCodec.writeNumber(orders.size(), out);
          for (Order order : orders) {
            OrderCodec.write(order, out);
          }
        });
  }

  /// @param count how many there must be
  static List<Trajectory> answer(byte[] answer, int count) {
    return PieceCodec.read(
        "an answer with trajectories",
        answer,
        in -> {
          var played = new ArrayList<Trajectory>();
          for (int i = 0; i < count; i++) {
            played.add(Trajectories.read(in));
          }
          return played;
        });
  }

  /// Plays episodes.
  private static final class Actor<O extends Observation> implements AgentJob.Agent {

    private final Agent<O> agent;
    private final EpisodePlayer<Order, O> player;
    private Policy.Mode mode = Policy.Mode.EVALUATE;
    private long drawRoot;

    Actor(RunParts<O> parts) {
      // Its weights come with the first round.
      this.agent = parts.agent().create(RandomTree.generator(0));
      this.player = new EpisodePlayer<>(parts.problem(), agent.newPolicy(EpisodePlayer.ROWS));
    }

    @Override
    public void take(DataInputStream shared) throws IOException {
      mode = shared.readBoolean() ? Policy.Mode.TRAIN : Policy.Mode.EVALUATE;
      drawRoot = shared.readLong();
      ActingWeights.read(agent, shared);
    }

    @Override
    public byte[] work(DataInputStream piece) throws IOException {
      long first = PieceCodec.readNumber(piece);
      int count = PieceCodec.readCount(piece, ORDER_BYTES);
      var orders = new ArrayList<Order>(count);
      for (int i = 0; i < count; i++) {
        orders.add(OrderCodec.read(piece));
      }
      List<Trajectory> played = player.play(mode, drawRoot, first, orders);
      return PieceCodec.write(
          out -> {
            for (Trajectory each : played) {
              Trajectories.write(each, out);
            }
          });
    }
  }
}

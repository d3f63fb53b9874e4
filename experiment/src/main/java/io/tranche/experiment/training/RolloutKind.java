package io.tranche.experiment.training;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.vector.Codec;
import io.tranche.experiment.work.Job;
import io.tranche.experiment.work.JobKind;
import io.tranche.market.Order;
import io.tranche.policy.learn.Algorithm;
import io.tranche.tensor.Crew;
import io.tranche.trainer.Player;
import io.tranche.trainer.Trajectory;
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
    return new Rollout<>(AgentParts.open(setup));
  }

  static byte[] shared(Algorithm<?> algorithm, Policy.Mode mode, long drawRoot) {
    return Wire.bytes(
        out -> {
          out.writeBoolean(mode == Policy.Mode.TRAIN);
          out.writeLong(drawRoot);
          ActingWeights.write(algorithm, out);
        });
  }

  static byte[] piece(long first, List<Order> orders, Codec<Order> codec) {
    return Wire.bytes(
        out -> {
          Wire.writeNumber(first, out);
          Wire.writeNumber(orders.size(), out);
          for (Order order : orders) {
            codec.write(order, out);
          }
        });
  }

  /// @param count how many there must be
  static List<Trajectory> answer(byte[] answer, int count) {
    return Wire.read(
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

  /// The job in one process. Each thread has an agent to itself while it works.
  private static final class Rollout<O extends Observation> implements Job {

    private final AgentParts<O> parts;
    private final Codec<Order> codec;

    /// Nobody learns here.
    private final Crew nobody = new Crew(1);

    private final Agents<Agent> agents;

    Rollout(AgentParts<O> parts) {
      this.parts = parts;
      this.codec = parts.environment().initialStates();
      this.agents = new Agents<>(Agent::new);
    }

    @Override
    public byte[] work(byte[] shared, byte[] piece) {
      return agents.use(agent -> agent.play(shared, piece));
    }

    @Override
    public void close() {
      nobody.close();
    }

    /// One of several with the same weights.
    private final class Agent {
      private final Algorithm<O> algorithm = parts.algorithm(null, nobody).factory().get();
      private final Player<Order, O> player =
          new Player<>(parts.environment().problem(), algorithm.newPolicy(Player.ROWS));
      private final SharedBytes taken = new SharedBytes();
      private Policy.Mode mode = Policy.Mode.EVALUATE;
      private long drawRoot;

      byte[] play(byte[] shared, byte[] piece) {
        taken.read(shared, this::take);
        return Wire.read("a piece of rollouts", piece, this::play);
      }

      private boolean take(DataInputStream in) throws IOException {
        mode = in.readBoolean() ? Policy.Mode.TRAIN : Policy.Mode.EVALUATE;
        drawRoot = in.readLong();
        ActingWeights.read(algorithm, in);
        return true;
      }

      private byte[] play(DataInputStream in) throws IOException {
        long first = Wire.readNumber(in);
        int count = Wire.readCount(in, ORDER_BYTES);
        var orders = new ArrayList<Order>(count);
        for (int i = 0; i < count; i++) {
          orders.add(codec.read(in));
        }
        List<Trajectory> played = player.play(mode, drawRoot, first, orders);
        return Wire.bytes(
            out -> {
              for (Trajectory each : played) {
                Trajectories.write(each, out);
              }
            });
      }
    }
  }
}

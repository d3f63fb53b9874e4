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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// Episodes of a training run. All pieces of a round share the weights and the mode of acting. A
/// piece is some orders, its result their trajectories.
public final class RolloutKind implements JobKind {

  /// A lower bound of the bytes that one order takes.
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
    try {
      return new RolloutJob<>(parts);
    } catch (RuntimeException e) {
      parts.close();
      throw e;
    }
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
  static List<Trajectory> trajectories(byte[] result, int count) {
    return PieceCodec.read(
        "a result with trajectories",
        result,
        in -> {
          var played = new ArrayList<Trajectory>();
          for (int i = 0; i < count; i++) {
            played.add(Trajectories.read(in));
          }
          return played;
        });
  }

  /// Plays episodes with one actor per thread that needs one at the moment.
  private static final class RolloutJob<O extends Observation> implements Job {

    private final RunParts<O> parts;

    private final Queue<Actor<O>> free = new ConcurrentLinkedQueue<>();

    RolloutJob(RunParts<O> parts) {
      this.parts = parts;
      free.add(new Actor<>(parts)); // so that a run with wrong parts fails at once
    }

    @Override
    public byte[] work(byte[] shared, byte[] piece) {
      Actor<O> taken = free.poll();
      Actor<O> actor = taken == null ? new Actor<>(parts) : taken;
      actor.take(shared);
      byte[] result = PieceCodec.read("a piece", piece, actor::work);
      free.add(actor); // not if it threw: its state is unknown then
      return result;
    }

    @Override
    public void close() {
      parts.close();
    }
  }

  /// Plays episodes, for one thread at a time.
  private static final class Actor<O extends Observation> {

    private final Agent<O> agent;
    private final EpisodePlayer<Order, O> player;
    private Policy.Mode mode = Policy.Mode.EVALUATE;
    private long drawRoot;
    private byte @Nullable [] read;

    Actor(RunParts<O> parts) {
      // Its weights come with the first round.
      this.agent = parts.agent().create(RandomTree.generator(0));
      this.player = new EpisodePlayer<>(parts.training(), agent.newPolicy(EpisodePlayer.ROWS));
    }

    @SuppressWarnings("ReferenceEquality") // all pieces of a round bring the same array
    void take(byte[] shared) {
      if (read != shared) {
        PieceCodec.read(
            "what all pieces share",
            shared,
            in -> {
              mode = in.readBoolean() ? Policy.Mode.TRAIN : Policy.Mode.EVALUATE;
              drawRoot = in.readLong();
              ActingWeights.read(agent, in);
              return true;
            });
        read = shared;
      }
    }

    byte[] work(DataInputStream piece) throws IOException {
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

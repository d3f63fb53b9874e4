package io.tranche.work.judge;

import io.tranche.analysis.judge.Judge;
import io.tranche.backtest.ChildOrder;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.RandomTree;
import io.tranche.env.Simulator;
import io.tranche.execution.DeviationGuard;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.OrderCodec;
import io.tranche.market.Order;
import io.tranche.policy.agent.Agent;
import io.tranche.run.RunParts;
import io.tranche.run.play.OrderPlayer;
import io.tranche.run.play.OrderResult;
import io.tranche.work.Job;
import io.tranche.work.JobKind;
import io.tranche.work.PieceCodec;
import io.tranche.work.rollout.ActingWeights;
import io.tranche.work.rollout.RemoteRun;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// Orders executed by the agent of a run in the run's simulator. All pieces of a round share the
/// weights. A piece is some orders, its result how they ended.
public final class PlayKind implements JobKind {

  /// Fewer than any order takes.
  private static final int ORDER_BYTES = 8;

  @Override
  public String name() {
    return "orders played";
  }

  @Override
  public Job open(byte[] setup) {
    return job(RemoteRun.open(setup));
  }

  private static <O extends Observation> Job job(RunParts<O> parts) {
    return new PlayJob<>(parts);
  }

  /// @param guard null for none
  /// @param isNeutral whether orders are filled at prices without the market's moves
  static byte[] shared(Agent<?> agent, @Nullable DeviationGuard guard, boolean isNeutral) {
    return PieceCodec.write(
        out -> {
          out.writeBoolean(isNeutral);
          out.writeDouble(guard == null ? 1 : guard.size());
          ActingWeights.write(agent, out);
        });
  }

  /// @param first the number of the first order among all
  static byte[] piece(int first, List<Order> orders) {
    return PieceCodec.write(
        out -> {
          PieceCodec.writeNumber(first, out);
          PieceCodec.writeNumber(orders.size(), out);
          for (Order order : orders) {
            OrderCodec.write(order, out);
          }
        });
  }

  /// @param orders of the piece
  static List<OrderResult> results(byte[] result, List<Order> orders) {
    return PieceCodec.read(
        "results of orders",
        result,
        in -> {
          var results = new ArrayList<OrderResult>();
          for (Order order : orders) {
            results.add(
                new OrderResult(
                    order,
                    in.readDouble(),
                    in.readDouble(),
                    in.readDouble(),
                    in.readDouble(),
                    in.readDouble(),
                    in.readDouble()));
          }
          return results;
        });
  }

  private static byte[] bytes(List<OrderResult> results) {
    return PieceCodec.write(
        out -> {
          for (OrderResult each : results) {
            out.writeDouble(each.filled());
            out.writeDouble(each.averagePrice());
            out.writeDouble(each.benchmarkPrice());
            out.writeDouble(each.completion());
            out.writeDouble(each.advantageBps());
            out.writeDouble(each.costBps());
          }
        });
  }

  /// Executes pieces with one agent per thread that needs one at the moment.
  private static final class PlayJob<O extends Observation> implements Job {

    private final RunParts<O> parts;
    private final ParallelFor parallel = new ParallelFor(1);
    private final Queue<Actor<O>> free = new ConcurrentLinkedQueue<>();

    PlayJob(RunParts<O> parts) {
      this.parts = parts;
    }

    @Override
    public byte[] work(byte[] shared, byte[] piece) {
      Actor<O> taken = free.poll();
      Actor<O> actor = taken == null ? new Actor<>(parts) : taken;
      actor.take(shared);
      byte[] result = PieceCodec.read("a piece", piece, in -> actor.work(in, parallel));
      free.add(actor); // not if it threw: its state is unknown then
      return result;
    }

    @Override
    public void close() {
      parallel.close();
      parts.close();
    }
  }

  private static final class Actor<O extends Observation> {

    private final RunParts<O> parts;
    private final Agent<O> agent;
    private byte @Nullable [] read;
    private @Nullable DeviationGuard guard;
    private Simulator.Factory<Order, ExecutionState, ChildOrder> simulators;

    Actor(RunParts<O> parts) {
      this.parts = parts;
      this.simulators = parts.problem().simulators();
      this.agent = parts.agent().create(RandomTree.generator(0)); // its weights come with the round
    }

    @SuppressWarnings("ReferenceEquality") // all pieces of a round bring the same array
    void take(byte[] shared) {
      if (read != shared) {
        PieceCodec.read(
            "what all pieces share",
            shared,
            in -> {
              simulators = (in.readBoolean() ? parts.learning() : parts.problem()).simulators();
              double size = in.readDouble();
              guard = size == 1 ? null : new DeviationGuard(size, "");
              ActingWeights.read(agent, in);
              return true;
            });
        read = shared;
      }
    }

    byte[] work(DataInputStream piece, ParallelFor parallel) throws IOException {
      int first = (int) PieceCodec.readNumber(piece);
      int count = PieceCodec.readCount(piece, ORDER_BYTES);
      var orders = new ArrayList<Order>(count);
      for (int i = 0; i < count; i++) {
        orders.add(OrderCodec.read(piece));
      }
      var player = new OrderPlayer(simulators, orders, parallel, first);
      return bytes(player.run(new Judge<>(parts, agent, parallel, guard).candidate()).orders());
    }
  }
}

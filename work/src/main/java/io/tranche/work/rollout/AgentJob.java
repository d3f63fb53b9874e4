package io.tranche.work.rollout;

import io.tranche.work.Job;
import io.tranche.work.PieceCodec;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A job that agents of the same making do, one for each thread that needs one at the moment.
final class AgentJob implements Job {

  /// One who does pieces, for one thread at a time.
  interface Agent {

    /// Takes in what all pieces of a round share.
    void take(DataInputStream shared) throws IOException;

    /// Does a piece and returns the answer.
    byte[] work(DataInputStream piece) throws IOException;
  }

  private final Supplier<Agent> maker;
  private final Queue<Desk> free = new ConcurrentLinkedQueue<>();

  AgentJob(Supplier<Agent> maker) {
    this.maker = maker;
    free.add(new Desk(maker.get())); // so that what cannot be made is known at once
  }

  @Override
  public byte[] work(byte[] shared, byte[] piece) {
    Desk taken = free.poll();
    Desk desk = taken == null ? new Desk(maker.get()) : taken;
    byte[] answer = desk.work(shared, piece);
    free.add(desk); // not if it threw: who knows in what state its agent is then
    return answer;
  }

  @Override
  public void close() {}

  /// An agent, and what it has read.
  private static final class Desk {
    private final Agent agent;
    private byte @Nullable [] read;

    Desk(Agent agent) {
      this.agent = agent;
    }

    @SuppressWarnings("ReferenceEquality") // all pieces of a round bring the same array
    byte[] work(byte[] shared, byte[] piece) {
      if (read != shared) {
        PieceCodec.read(
            "what all pieces share",
            shared,
            in -> {
              agent.take(in);
              return true;
            });
        read = shared;
      }
      return PieceCodec.read("a piece", piece, agent::work);
    }
  }
}

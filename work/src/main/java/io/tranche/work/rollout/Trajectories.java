package io.tranche.work.rollout;

import io.tranche.env.space.Action;
import io.tranche.trainer.rollout.Trajectory;
import io.tranche.work.PieceCodec;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes trajectories for other processes: one byte per choice out of fewer than 127, and about
/// nine bytes per episode.
final class Trajectories {

  /// Longer messages are cut.
  private static final int LONGEST = 1_000;

  /// Above every choice: what follows is that many numbers more than this.
  private static final long VECTOR = 1L + Integer.MAX_VALUE;

  private Trajectories() {}

  static void write(Trajectory trajectory, DataOutputStream out) throws IOException {
    String failure = trajectory.failure();
    PieceCodec.writeNumber(2L * trajectory.actions().size() + (failure == null ? 0 : 1), out);
    for (Action action : trajectory.actions()) {
      write(action, out);
    }
    out.writeLong(trajectory.rewards());
    if (failure != null) {
      out.writeUTF(failure.substring(0, Math.min(LONGEST, failure.length())));
    }
  }

  static Trajectory read(DataInputStream in) throws IOException {
    long head = PieceCodec.readNumber(in);
    long count = head / 2;
    if (count > in.available()) {
      throw new StreamCorruptedException("%d actions in %d bytes".formatted(count, in.available()));
    }
    List<Action> actions = new ArrayList<>((int) count);
    for (int i = 0; i < count; i++) {
      actions.add(readAction(in));
    }
    long rewards = in.readLong();
    @Nullable String failure = head % 2 == 0 ? null : in.readUTF();
    return new Trajectory(actions, rewards, failure);
  }

  static void write(Action action, DataOutputStream out) throws IOException {
    switch (action) {
      case Action.Discrete(int index) -> PieceCodec.writeNumber(1L + index, out);
      case Action.Continuous(double value) -> {
        out.writeByte(0);
        out.writeDouble(value);
      }
      case Action.Vector(var values) -> {
        PieceCodec.writeNumber(VECTOR + values.size(), out);
        for (double value : values) {
          out.writeDouble(value);
        }
      }
    }
  }

  static Action readAction(DataInputStream in) throws IOException {
    long number = PieceCodec.readNumber(in);
    if (number > VECTOR && number <= VECTOR + in.available() / Double.BYTES) {
      var values = new ArrayList<Double>();
      for (long left = number - VECTOR; left > 0; left--) {
        values.add(in.readDouble());
      }
      return new Action.Vector(values);
    }
    if (number > VECTOR) {
      throw new StreamCorruptedException("the choice " + number);
    }
    return number == 0
        ? new Action.Continuous(in.readDouble())
        : new Action.Discrete((int) (number - 1));
  }
}

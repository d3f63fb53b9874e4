package io.tranche.trainer.checkpoint;

import io.tranche.env.Observation;
import io.tranche.env.ObservationCodec;
import io.tranche.env.space.Action;
import io.tranche.env.vector.Transition;
import io.tranche.policy.experience.ReplayBuffer;
import io.tranche.policy.weights.CheckpointException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// The steps of a replay buffer as bytes, with observations written by their codec.
///
/// An observation that ends one step and begins the next is written once and read as one object,
/// because algorithms rely on the identity.
public final class ReplayBytes {

  /// The size of a step without its observations.
  private static final int STEP_BYTES = 1 + 4 + 8 + 1 + 8 + 4;

  /// Learning does not need the random key.
  private static final long NO_KEY = 0;

  private static final int SCALAR = Integer.MIN_VALUE;

  private ReplayBytes() {}

  public static <O extends Observation> ByteBuffer write(
      ReplayBuffer<O> buffer, ObservationCodec<O> codec) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(bytes)) {
      out.writeInt(buffer.environments());
      for (int env = 0; env < buffer.environments(); env++) {
        var steps = buffer.steps(env);
        out.writeInt(steps.size());
        O before = null;
        for (var step : steps) {
          boolean follows = isSame(step.observation(), before);
          out.writeBoolean(follows);
          if (!follows) {
            codec.write(step.observation(), out);
          }
          write(step.action(), out);
          out.writeDouble(step.reward());
          out.writeBoolean(step.done());
          out.writeLong(step.episode());
          out.writeInt(step.step());
          codec.write(step.next(), out);
          before = step.next();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // in-memory streams do not fail
    }
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  /// A choice is its index, which is not negative; several numbers are minus their count, then the
  /// numbers; a single number is like several with a count of [#SCALAR].
  private static void write(Action action, DataOutputStream out) throws IOException {
    switch (action) {
      case Action.Discrete(int choice) -> out.writeInt(choice);
      case Action.Continuous(double value) -> {
        out.writeInt(SCALAR);
        out.writeDouble(value);
      }
      case Action.Vector(var values) -> {
        out.writeInt(-values.size());
        for (double value : values) {
          out.writeDouble(value);
        }
      }
    }
  }

  private static Action readAction(String where, DataInputStream in) throws IOException {
    int head = in.readInt();
    if (head >= 0) {
      return new Action.Discrete(head);
    }
    if (head == SCALAR) {
      return new Action.Continuous(in.readDouble());
    }
    if (-(long) head * Double.BYTES > in.available()) {
      throw new CheckpointException(where, "an action that fits the remaining bytes", head);
    }
    var values = new ArrayList<Double>();
    for (int i = head; i < 0; i++) {
      values.add(in.readDouble());
    }
    return new Action.Vector(values);
  }

  @SuppressWarnings("ReferenceEquality") // asks for identity
  private static boolean isSame(Object one, @Nullable Object other) {
    return one == other;
  }

  /// Replaces the contents of `buffer` by the steps that [#write] wrote.
  ///
  /// @param where the name of the bytes in error messages
  /// @throws CheckpointException if the bytes are damaged or from another number of environments
  public static <O extends Observation> void read(
      String where, ByteBuffer source, ReplayBuffer<O> buffer, ObservationCodec<O> codec) {
    byte[] bytes = new byte[source.remaining()];
    source.duplicate().get(bytes);
    try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      buffer.clear();
      int environments = in.readInt();
      if (environments != buffer.environments()) {
        throw new CheckpointException(
            where, "%d environments".formatted(buffer.environments()), environments);
      }
      for (int env = 0; env < environments; env++) {
        readSteps(where, in, env, buffer, codec);
      }
      if (in.available() > 0) {
        throw new CheckpointException(where, "the end", in.available() + " bytes more");
      }
    } catch (IOException e) {
      throw new CheckpointException(where, "steps of a replay buffer", e.getMessage(), e);
    }
  }

  private static <O extends Observation> void readSteps(
      String where, DataInputStream in, int env, ReplayBuffer<O> buffer, ObservationCodec<O> codec)
      throws IOException {
    int count = in.readInt();
    if (count < 0 || (long) count * STEP_BYTES > in.available()) {
      throw new CheckpointException(where, "a count that fits the remaining bytes", count);
    }
    O before = null;
    for (int i = 0; i < count; i++) {
      boolean follows = in.readBoolean();
      if (follows && before == null) {
        throw new CheckpointException(where, "a first step", "one that follows another");
      }
      O observation = follows && before != null ? before : codec.read(in);
      Action action = readAction(where, in);
      double reward = in.readDouble();
      boolean done = in.readBoolean();
      long episode = in.readLong();
      int step = in.readInt();
      O next = codec.read(in);
      buffer.step(
          new Transition<>(env, episode, step, observation, action, reward, done, next, NO_KEY));
      before = next;
    }
  }
}

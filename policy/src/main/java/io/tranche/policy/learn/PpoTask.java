package io.tranche.policy.learn;

import io.tranche.env.Observation;
import io.tranche.env.ObservationCodec;
import io.tranche.policy.network.Slice;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.List;

/// A part of one of PPO's minibatches, with all that its gradients depend on besides the weights.
/// It crosses between processes, and its gradients are the same bits wherever they are worked out.
///
/// @param <O> the observation
public final class PpoTask<O extends Observation> {

  /// What all tasks of a minibatch share.
  ///
  /// @param count how many rows it has
  /// @param mean what is taken off each advantage
  /// @param scale what each advantage is then divided by
  /// @param teacherWeight what the teacher's word counts for; 0 if there is none
  record Minibatch(int count, float mean, float scale, double teacherWeight) {}

  /// A row takes more.
  private static final int ROW_BYTES = 32;

  private final Minibatch minibatch;
  private final List<Slice<O>> slices;
  private final PpoRows rows;

  /// @param rows knows the rows of `slices`
  PpoTask(Minibatch minibatch, List<Slice<O>> slices, PpoRows rows) {
    this.minibatch = minibatch;
    this.slices = slices;
    this.rows = rows;
  }

  Minibatch minibatch() {
    return minibatch;
  }

  List<Slice<O>> slices() {
    return slices;
  }

  PpoRows rows() {
    return rows;
  }

  public void write(ObservationCodec<O> observations, DataOutputStream out) throws IOException {
    out.writeInt(minibatch.count);
    out.writeFloat(minibatch.mean);
    out.writeFloat(minibatch.scale);
    out.writeDouble(minibatch.teacherWeight);
    out.writeInt(slices.size());
    for (Slice<O> slice : slices) {
      out.writeInt(slice.size());
      for (int i = 0; i < slice.size(); i++) {
        observations.write(slice.observation(i), out);
        out.writeBoolean(i == 0 || slice.lane(i) != slice.lane(i - 1));
        out.writeLong(slice.episode(i));
        write(slice.row(i), out);
      }
    }
  }

  private void write(int row, DataOutputStream out) throws IOException {
    out.writeInt(rows.action(row));
    out.writeInt(rows.advice(row));
    out.writeFloat(rows.value(row));
    out.writeFloat(rows.advantage(row));
    out.writeFloat(rows.normalReturn(row));
    out.writeFloat(rows.logProbability(row));
  }

  /// Reads what [#write] wrote.
  ///
  /// @throws IOException if the bytes are none of ours
  public static <O extends Observation> PpoTask<O> read(
      ObservationCodec<O> observations, DataInputStream in) throws IOException {
    var minibatch = new Minibatch(in.readInt(), in.readFloat(), in.readFloat(), in.readDouble());
    int sliceCount = bounded("slices", in.readInt(), in.available() / ROW_BYTES);
    var slices = new ArrayList<Slice<O>>(sliceCount);
    var rows = new ArrayList<Row>();
    for (int i = 0; i < sliceCount; i++) {
      slices.add(readSlice(observations, in, rows));
    }
    return new PpoTask<>(minibatch, slices, new Received(rows));
  }

  private static <O extends Observation> Slice<O> readSlice(
      ObservationCodec<O> observations, DataInputStream in, List<Row> rows) throws IOException {
    int size = bounded("rows", in.readInt(), SlicedModel.maxRows());
    var slice = new Slice<O>(size);
    for (int i = 0; i < size; i++) {
      O observation = observations.read(in);
      boolean isNewLane = in.readBoolean();
      slice.add(observation, rows.size(), in.readLong(), isNewLane);
      rows.add(
          new Row(
              in.readInt(),
              in.readInt(),
              in.readFloat(),
              in.readFloat(),
              in.readFloat(),
              in.readFloat()));
    }
    bounded("lanes", slice.lanes(), SlicedModel.maxLanes());
    return slice;
  }

  private static int bounded(String name, int number, int most) throws IOException {
    if (number < 1 || number > most) {
      throw new StreamCorruptedException(
          "expected %s in [1, %d], was %d".formatted(name, most, number));
    }
    return number;
  }

  /// Refuses actions that do not exist.
  void requireChoices(int choices) {
    for (Slice<O> slice : slices) {
      for (int i = 0; i < slice.size(); i++) {
        int row = slice.row(i);
        if (rows.action(row) < 0
            || rows.action(row) >= choices
            || rows.advice(row) < 0
            || rows.advice(row) >= choices) {
          throw new IllegalArgumentException(
              "actions must be below %d, was %d, advised %d"
                  .formatted(choices, rows.action(row), rows.advice(row)));
        }
      }
    }
  }

  private record Row(
      int action,
      int advice,
      float value,
      float advantage,
      float normalReturn,
      float logProbability) {}

  /// Rows that came in.
  private record Received(List<Row> rows) implements PpoRows {

    @Override
    public int action(int row) {
      return rows.get(row).action;
    }

    @Override
    public int advice(int row) {
      return rows.get(row).advice;
    }

    @Override
    public float value(int row) {
      return rows.get(row).value;
    }

    @Override
    public float advantage(int row) {
      return rows.get(row).advantage;
    }

    @Override
    public float normalReturn(int row) {
      return rows.get(row).normalReturn;
    }

    @Override
    public float logProbability(int row) {
      return rows.get(row).logProbability;
    }
  }
}

package io.tranche.env;

import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/// An observation that is a row of numbers, for problems that need no type of their own.
public final class Numbers implements Observation {

  private final double[] values;

  public Numbers(double... values) {
    this.values = values.clone();
  }

  public int size() {
    return values.length;
  }

  public double at(int index) {
    return values[index];
  }

  @Override
  public Value toValue() {
    return new Value.Floats(ElementType.FLOAT64, List.of(values.length), values);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Numbers numbers && Arrays.equals(values, numbers.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return Arrays.toString(values);
  }

  /// @param count how many numbers every observation has
  record Codec(int count) implements ObservationCodec<Numbers> {

    @Override
    public void write(Numbers observation, DataOutputStream out) throws IOException {
      for (double value : observation.values) {
        out.writeDouble(value);
      }
    }

    @Override
    public Numbers read(DataInputStream in) throws IOException {
      double[] read = new double[count];
      for (int i = 0; i < count; i++) {
        read[i] = in.readDouble();
      }
      return new Numbers(read);
    }
  }
}

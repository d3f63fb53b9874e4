package io.tranche.serving.journal;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/// The values of a bar. Immutable.
public final class BarValues {

  private final float[] values;

  private BarValues(float[] values) {
    this.values = values;
  }

  public static BarValues of(List<Float> list) {
    float[] values = new float[list.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = list.get(i);
    }
    return new BarValues(values);
  }

  /// Reads as many values as there are fields, all of which have been read before.
  static BarValues read(int count, EventInput in) throws IOException {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = in.readFloat();
    }
    return new BarValues(values);
  }

  public int size() {
    return values.length;
  }

  public float at(int index) {
    return values[index];
  }

  public boolean isMissing() {
    for (float value : values) {
      if (!Float.isNaN(value)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BarValues that && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return Arrays.toString(values);
  }
}

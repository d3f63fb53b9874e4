package io.tranche.serving;

import java.util.Arrays;
import java.util.List;

/// The values of a bar. Immutable.
final class Values {

  private final float[] values;

  private Values(float[] values) {
    this.values = values;
  }

  static Values of(List<Float> list) {
    float[] values = new float[list.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = list.get(i);
    }
    return new Values(values);
  }

  int size() {
    return values.length;
  }

  float at(int index) {
    return values[index];
  }

  boolean isMissing() {
    for (float value : values) {
      if (!Float.isNaN(value)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Values that && Arrays.equals(values, that.values);
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

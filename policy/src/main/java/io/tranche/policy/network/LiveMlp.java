package io.tranche.policy.network;

import io.tranche.tensor.Rows;
import io.tranche.tensor.layer.Layer;

/// An [Mlp] on live days and orders. Hot path: allocates only when days and episodes begin.
final class LiveMlp implements LiveNetwork {

  /// The features of the newest tick, zeros before the first.
  private static final class NewestTick implements Day {
    private final float[] row;

    private NewestTick(int features) {
      this.row = new float[features];
    }

    @Override
    public void append(float[] data, int at) {
      System.arraycopy(data, at, row, 0, row.length);
    }
  }

  private record OneSide(int code) implements Episode {}

  private final int features;
  private final Layer.Pass pass;
  private final Rows input;
  private final Rows output;

  LiveMlp(Layer layers, int features, int maxRows) {
    this.features = features;
    this.pass = layers.newPass(1, maxRows);
    this.input = Rows.zeros(maxRows, MlpFactory.PROGRESS + features);
    this.output = Rows.zeros(maxRows, layers.outputs());
  }

  @Override
  public Day newDay(float[] yesterday, int ticks) {
    return new NewestTick(features);
  }

  @Override
  public Episode newEpisode(int side) {
    return new OneSide(side);
  }

  @Override
  public void put(int row, Day day, Episode episode, float remaining, float progress) {
    int at = input.offset(row);
    float[] data = input.data();
    data[at] = remaining;
    data[at + 1] = progress;
    data[at + 2] = ((OneSide) episode).code;
    System.arraycopy(((NewestTick) day).row, 0, data, at + MlpFactory.PROGRESS, features);
  }

  @Override
  public Rows features(int count) {
    pass.forward(1, count, input, output);
    return output;
  }
}

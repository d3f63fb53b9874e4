package io.tranche.policy.network;

import io.tranche.env.Observation;
import io.tranche.market.DataException;
import io.tranche.market.feature.DayObservation;
import io.tranche.market.feature.ProgressObservation;
import io.tranche.policy.encoder.DayLane;
import io.tranche.policy.encoder.FlatInput;
import io.tranche.tensor.Weights;
import io.tranche.tensor.layer.Layer;
import io.tranche.tensor.layer.Layers;
import java.util.Arrays;
import java.util.List;

/// Makes an [Mlp] over what observations show, and knows its settings. The numbers of an
/// observation are the share that remains, the progress and the side, followed by the features of
/// the newest tick if there are any; other observations give all numbers of their space.
public record MlpFactory<O extends Observation>(List<Layer.Factory> layers, NetworkInput input)
    implements Network.Factory<O> {

  /// The share that remains, the progress and the side.
  public static final int PROGRESS = 3;

  public MlpFactory {
    layers = List.copyOf(layers);
    if (layers.isEmpty()) {
      throw new IllegalArgumentException("layers must be at least one, was none");
    }
  }

  /// Returns how many numbers an observation has.
  public int inputs() {
    return inputs(input);
  }

  /// Returns how many numbers are read of `input`.
  public static int inputs(NetworkInput input) {
    return switch (input) {
      case NetworkInput.Day(int features) -> PROGRESS + features;
      case NetworkInput.Progress() -> PROGRESS;
      case NetworkInput.Values(var space) -> FlatInput.of(space).size();
    };
  }

  @Override
  public Mlp<O> create(Weights weights, String prefix) {
    Layer made = new Layers.Sequence(layers).create(weights, prefix + Mlp.LAYERS, inputs());
    int features =
        switch (input) {
          case NetworkInput.Day(int width) -> width;
          case NetworkInput.Progress() -> 0;
          case NetworkInput.Values _ -> Mlp.NOT_LIVE;
        };
    return new Mlp<>(reader(input), inputs(), made, features);
  }

  /// Returns what turns an observation into the [#inputs(NetworkInput)] numbers.
  public static <O extends Observation> Mlp.Input<O> reader(NetworkInput input) {
    return switch (input) {
      case NetworkInput.Day(int features) ->
          (seen, data, at) -> writeDay(cast(DayObservation.class, seen), features, data, at);
      case NetworkInput.Progress() ->
          (seen, data, at) -> writeProgress(cast(ProgressObservation.class, seen), data, at);
      case NetworkInput.Values(var space) -> FlatInput.of(space)::write;
    };
  }

  private static <T> T cast(Class<T> type, Observation seen) {
    if (!type.isInstance(seen)) {
      throw new DataException(
          "an observation for this network",
          "a %s, as its keys promise".formatted(type.getSimpleName()),
          seen.getClass().getName());
    }
    return type.cast(seen);
  }

  private static void writeProgress(ProgressObservation seen, float[] data, int at) {
    data[at] = seen.remainingShare();
    data[at + 1] = seen.stepShare();
    data[at + 2] = seen.sideCode();
  }

  /// Before the first tick, features are 0.
  private static void writeDay(DayObservation seen, int features, float[] data, int at) {
    writeProgress(seen, data, at);
    if (seen.todayWidth() != features) {
      throw new DataException(seen.where(), features + " features per tick", seen.todayWidth());
    }
    DayLane.require(seen);
    int newest = Math.min(seen.tick(), seen.visibleTicks()) - 1;
    if (newest < 0) {
      Arrays.fill(data, at + PROGRESS, at + PROGRESS + features, 0);
    } else {
      seen.copyToday(newest, data, at + PROGRESS);
    }
  }
}

package io.tranche.tensor.layer;

import io.tranche.tensor.RnnType;
import io.tranche.tensor.Weights;
import java.util.List;

/// The built-in layers: `sequence(dense(64), relu(), gru(64))`. The width of an input is that of
/// the output before it. Parameters have torch's names: those of layer 2 of a sequence begin with
/// `2.`.
public final class Layers {

  private Layers() {}

  /// A built-in layer. Sealed, so that the compiler checks that code which exports layers handles
  /// every kind.
  public sealed interface Kind extends Layer.Factory {}

  /// A linear map with a bias.
  public static Dense dense(int width) {
    return new Dense(width);
  }

  public static Activation relu() {
    return Activation.RELU;
  }

  public static Activation tanh() {
    return Activation.TANH;
  }

  public static Activation sigmoid() {
    return Activation.SIGMOID;
  }

  /// Each row with mean 0 and variance 1, then a learned scale and shift.
  public static Norm norm() {
    return new Norm();
  }

  /// In training, sets this share of the numbers to 0 and enlarges the others.
  public static Dropout dropout(double rate) {
    return new Dropout(rate);
  }

  public static Recurrence gru(int width) {
    return new Recurrence(RnnType.GRU, width, 1);
  }

  public static Recurrence lstm(int width) {
    return new Recurrence(RnnType.LSTM, width, 1);
  }

  /// Each step attends to itself and to earlier ones; the width stays.
  public static CausalAttention attention(int heads) {
    return new CausalAttention(heads);
  }

  /// Adds a learned row to each of at most `steps` steps.
  public static Places positions(int steps) {
    return new Places(steps);
  }

  /// Adds the input of `layers` to their output, which must be as wide.
  public static Residual residual(Layer.Factory... layers) {
    return new Residual(sequence(layers));
  }

  /// Puts the outputs of `parts`, which all get the same input, side by side.
  public static Concat concat(Layer.Factory... parts) {
    return new Concat(List.of(parts));
  }

  /// One layer after the other.
  public static Sequence sequence(Layer.Factory... layers) {
    return new Sequence(List.of(layers));
  }

  private static void requirePositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException("%s must be at least 1, was %d".formatted(name, value));
    }
  }

  /// A linear map with a bias.
  public record Dense(int width) implements Kind {

    public Dense {
      requirePositive("width", width);
    }

    @Override
    public Layer create(Weights weights, String name, int inputs) {
      return DenseLayer.plain(weights, name, inputs, width);
    }
  }

  /// A function of each number.
  public enum Activation implements Kind {
    RELU,
    TANH,
    SIGMOID;

    @Override
    public Layer create(Weights weights, String name, int inputs) {
      return new ActivationLayer(this, inputs);
    }
  }

  /// A [io.tranche.tensor.LayerNorm].
  public record Norm() implements Kind {

    @Override
    public Layer create(Weights weights, String name, int inputs) {
      return NormLayer.of(weights, name, inputs);
    }
  }

  /// @param rate the share that is dropped
  public record Dropout(double rate) implements Kind {

    public Dropout {
      if (!(rate >= 0 && rate < 1)) {
        throw new IllegalArgumentException("rate must be in [0, 1), was " + rate);
      }
    }

    @Override
    public Layer create(Weights weights, String name, int inputs) {
      return new DropoutLayer(weights, name, inputs, rate);
    }
  }

  /// A stack of recurrent layers, [io.tranche.tensor.Rnn].
  public record Recurrence(RnnType type, int width, int depth) implements Kind {

    public Recurrence {
      requirePositive("width", width);
      requirePositive("depth", depth);
    }

    @Override
    public Layer create(Weights weights, String name, int inputs) {
      return RecurrentLayer.of(weights, name, inputs, this);
    }
  }

  /// Scaled attention of each step to itself and to earlier ones.
  public record CausalAttention(int heads) implements Kind {

    public CausalAttention {
      requirePositive("heads", heads);
    }

    @Override
    public Layer create(Weights weights, String name, int inputs) {
      return AttentionLayer.of(weights, name, inputs, heads);
    }
  }

  /// A learned row for each step, [io.tranche.tensor.Positions].
  public record Places(int steps) implements Kind {

    public Places {
      requirePositive("steps", steps);
    }

    @Override
    public Layer create(Weights weights, String name, int inputs) {
      return PlacesLayer.of(weights, name, inputs, steps);
    }
  }

  /// @param layers whose input is added to their output
  public record Residual(Layer.Factory layers) implements Kind {

    @Override
    public Layer create(Weights weights, String name, int inputs) {
      return new ResidualLayer(layers.create(weights, name, inputs), inputs);
    }
  }

  /// @param parts at least one
  public record Concat(List<Layer.Factory> parts) implements Kind {

    public Concat {
      parts = List.copyOf(parts);
      requirePositive("number of parts", parts.size());
    }

    @Override
    public Layer create(Weights weights, String name, int inputs) {
      return ConcatLayer.of(weights, name, inputs, parts);
    }
  }

  /// @param layers at least one
  public record Sequence(List<Layer.Factory> layers) implements Kind {

    public Sequence {
      layers = List.copyOf(layers);
      requirePositive("number of layers", layers.size());
    }

    @Override
    public Layer create(Weights weights, String name, int inputs) {
      return LayerSequence.of(weights, name, inputs, layers);
    }
  }
}

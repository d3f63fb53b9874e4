package io.tranche.policy.encoder;

import io.tranche.market.feature.DayObservation;
import io.tranche.policy.experience.Slice;
import io.tranche.tensor.Rows;
import java.util.List;
import java.util.random.RandomGenerator;

/// What a network makes of the market: a row of numbers for each observation, of its day up to its
/// tick. What is the same for all observations of a lane is computed once.
public interface DayEncoder {

  /// Returns how many numbers an observation gets.
  int width();

  void initialise(RandomGenerator random);

  /// Buffers for training, for one thread.
  ///
  /// @param target receives one row per observation
  /// @param targetGradients where the gradients of `target` will be
  Pass newPass(int maxRows, int maxLanes, Rows target, Rows targetGradients);

  /// Buffers for decisions, for one thread.
  Reader newReader(int maxRows);

  /// Buffers for days that are under way, for one thread.
  LiveDays newLiveDays();

  /// Days that are under way, and what they share.
  @FunctionalInterface
  interface LiveDays {

    /// Begins a day of which no tick has come.
    ///
    /// @param yesterday its features, row after row; ignored by encoders that do not read yesterday
    LiveDay begin(float[] yesterday, int ticks);
  }

  /// One day that grows: at its end it gives what a [Reader] gives at that tick, to the last bit.
  /// Hot path: allocates nothing.
  interface LiveDay {

    /// Takes the features of the next tick, from `at` on in `data`.
    void append(float[] data, int at);

    /// Writes what is known before the tick that comes next to `target`, from `at` on.
    void read(float[] target, int at);
  }

  /// The forward and the backward pass through a slice. Hot path: allocates only when a day is
  /// longer than any before.
  interface Pass {

    void forward(Slice<? extends DayObservation> slice);

    /// Runs the backward pass of the last [#forward], once.
    ///
    /// @param gradients laid out as the weights; what the encoder adds is added to it
    void backward(float[] gradients);
  }

  /// Days as they come. Hot path: allocates nothing for a day that is remembered.
  interface Reader {

    /// Forgets everything, because the weights have changed.
    void forget();

    /// Encodes days that will be read soon, many at once.
    void expect(List<? extends DayObservation> observations);

    /// Writes one row per observation to `target`.
    void read(List<? extends DayObservation> observations, Rows target);
  }
}

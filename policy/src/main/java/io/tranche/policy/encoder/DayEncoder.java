package io.tranche.policy.encoder;

import io.tranche.market.feature.DayObservation;
import io.tranche.policy.experience.Slice;
import io.tranche.tensor.Rows;
import java.util.List;
import java.util.random.RandomGenerator;

/// Encodes the market: one row of numbers per observation, for its day up to its tick. Work that
/// all observations of a lane share is done once.
public interface DayEncoder {

  /// Returns the width of the encoding.
  int width();

  void initialise(RandomGenerator random);

  /// Buffers for training, for one thread.
  ///
  /// @param target receives one row per observation
  /// @param targetGradients will hold the gradients of `target`
  Pass newPass(int maxRows, int maxLanes, Rows target, Rows targetGradients);

  /// Buffers for decisions, for one thread.
  Reader newReader(int maxRows);

  /// Buffers for live days, for one thread.
  LiveDays newLiveDays();

  /// Live days and the buffers they share.
  @FunctionalInterface
  interface LiveDays {

    /// Begins a day before its first tick.
    ///
    /// @param yesterday yesterday's features, row by row; ignored by encoders that do not read them
    LiveDay begin(float[] yesterday, int ticks);
  }

  /// A growing day: its encoding at the newest tick equals that of a [Reader] to the last bit. Hot
  /// path: allocates nothing.
  interface LiveDay {

    /// Appends the features of the next tick, which begin at `at` in `data`.
    void append(float[] data, int at);

    /// Writes the encoding before the next tick to `target`, from `at` on.
    void read(float[] target, int at);
  }

  /// Forward and backward pass through a slice. Hot path: allocates only when a day is the longest
  /// so far.
  interface Pass {

    /// Says whether the next [#forward] is for training, in which dropout drops. At first it is
    /// not.
    default void training(boolean on) {}

    void forward(Slice<? extends DayObservation> slice);

    /// Runs the backward pass of the last [#forward], once.
    ///
    /// @param gradients laid out like the weights; the encoder's gradients are added to it
    void backward(float[] gradients);
  }

  /// Encoded days for decisions. Hot path: allocates nothing for a cached day.
  interface Reader {

    /// Clears the cache, because the weights have changed.
    void forget();

    /// Encodes days that will be read soon, in batches.
    void expect(List<? extends DayObservation> observations);

    /// Writes one row per observation to `target`.
    void read(List<? extends DayObservation> observations, Rows target);
  }
}

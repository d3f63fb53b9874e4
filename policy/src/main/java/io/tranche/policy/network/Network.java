package io.tranche.policy.network;

import io.tranche.config.ConfigException;
import io.tranche.env.Observation;
import io.tranche.policy.experience.Slice;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import java.util.List;
import java.util.random.RandomGenerator;

/// Turns observations into features: rows of numbers that heads build on. To add a network,
/// implement this and name it in a catalog.
///
/// Costly work that many observations share, such as encoding a day, is done once: in a [Pass] for
/// all rows of a lane, in an [Inference] for as long as it is cached. However they are computed,
/// the features of an observation have the same bits.
///
/// A network only reads its weights: any number of threads may share it, each with its own pass or
/// inference.
///
/// @param <O> the observation it understands
public interface Network<O extends Observation> {

  /// Makes a network.
  ///
  /// @param <O> the observation it understands
  @FunctionalInterface
  interface Factory<O extends Observation> {

    /// Adds the network's parameters to `weights`, each with a name that begins with `prefix`.
    Network<O> create(Weights weights, String prefix);
  }

  /// Makes a factory when it is known what the network is for.
  ///
  /// @param <O> the observation it understands
  @FunctionalInterface
  interface Maker<O extends Observation> {

    /// @throws io.tranche.config.ConfigException if the network does not go with `context`
    Factory<O> make(BuildContext context);
  }

  /// Returns the number of features per observation.
  int width();

  /// Initialises all weights at random.
  void initialise(RandomGenerator random);

  /// Returns the key of what `observation` shares with others: observations with equal keys can be
  /// in one lane. A network that shares nothing returns the observation itself.
  Object lane(O observation);

  /// Returns how far into its lane `observation` reads. Lanes of similar reach go into one slice,
  /// because every lane of a slice is computed as far as the longest.
  default int reach(O observation) {
    return 0;
  }

  /// Buffers for training, for one thread.
  ///
  /// @param maxRows maximum number of observations in a slice
  /// @param maxLanes maximum number of lanes in a slice
  Pass<O> newPass(int maxRows, int maxLanes);

  /// Buffers for decisions, for one thread.
  ///
  /// @param maxRows maximum number of observations in a batch
  Inference<O> newInference(int maxRows);

  /// Buffers for live days and orders, for one thread.
  ///
  /// @param maxRows maximum number of decisions in a batch
  /// @throws ConfigException if the network cannot follow a day tick by tick
  default LiveNetwork newLive(int maxRows) {
    throw new ConfigException(
        "network",
        "one that can follow a day tick by tick (made of layers, or with its own newLive)",
        getClass().getSimpleName());
  }

  /// Forward and backward pass through a slice. Hot path: allocates nothing.
  interface Pass<O extends Observation> {

    /// Says whether the next [#forward] is for training, in which dropout drops. At first it is
    /// not.
    default void training(boolean on) {}

    /// Computes the features of every row of `slice`, which must not change until [#backward].
    void forward(Slice<O> slice);

    /// Returns one row per observation, valid until the next [#forward].
    Rows features();

    /// Returns where to write the gradients of [#features()]; [#backward] overwrites it.
    Rows featureGradients();

    /// Runs the backward pass of the last [#forward], once.
    ///
    /// @param gradients laid out like the weights; this network's gradients are added to it
    void backward(float[] gradients);
  }

  /// Features for decisions. Hot path: allocates nothing for cached days, and clears its caches
  /// when the weights change.
  interface Inference<O extends Observation> {

    /// Returns one row per observation, valid until the next call.
    Rows features(List<O> observations);

    /// Computes in advance, in one batch, what later observations will share with these. Accepts
    /// any number of observations and changes no features.
    default void expect(List<O> observations) {}
  }
}

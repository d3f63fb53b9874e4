package io.tranche.policy.network;

import io.tranche.env.Observation;
import io.tranche.policy.experience.Slice;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import java.util.List;
import java.util.random.RandomGenerator;

/// Turns observations into features: rows of numbers that heads are put on. Adding a network means
/// implementing this and naming it in a catalog.
///
/// What is costly and the same for many observations, such as the encoding of a day, is done once:
/// in a [Pass] for all rows of a lane, in an [Inference] as long as it is remembered. The features
/// of an observation are the same bits however they are computed.
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

    /// Adds the network's parameters to `weights`, each name beginning with `prefix`.
    Network<O> create(Weights weights, String prefix);
  }

  /// Returns how many features an observation has.
  int width();

  /// Draws all weights.
  void initialise(RandomGenerator random);

  /// Returns what `observation` shares with others: those for which this is equal can be in one
  /// lane. A network that shares nothing returns the observation itself.
  Object lane(O observation);

  /// Returns how far into its lane `observation` reads. Lanes that are read about equally far are
  /// put side by side, because all of a slice are computed as far as the longest.
  default int reach(O observation) {
    return 0;
  }

  /// Buffers for training, for one thread.
  ///
  /// @param maxRows how many observations a slice has at most
  /// @param maxLanes how many lanes it has at most
  Pass<O> newPass(int maxRows, int maxLanes);

  /// Buffers for decisions, for one thread.
  ///
  /// @param maxRows how many observations come at once at most
  Inference<O> newInference(int maxRows);

  /// The forward and the backward pass through a slice. Hot path: allocates nothing.
  interface Pass<O extends Observation> {

    /// Computes the features of every row of `slice`, which must not change until [#backward].
    void forward(Slice<O> slice);

    /// Returns one row per observation, valid until the next [#forward].
    Rows features();

    /// Returns where to write the gradients of [#features()], row by row; [#backward] spends it.
    Rows featureGradients();

    /// Runs the backward pass of the last [#forward], once.
    ///
    /// @param gradients laid out as the weights; what this network adds is added to it
    void backward(float[] gradients);
  }

  /// Features of observations as they come. Hot path: allocates nothing for what it has seen
  /// before, and forgets everything when the weights change.
  interface Inference<O extends Observation> {

    /// Returns one row per observation, valid until the next call.
    Rows features(List<O> observations);

    /// Computes ahead, for all of them at once, what later observations will share with these. Any
    /// number may come; changes no feature.
    default void expect(List<O> observations) {}
  }
}

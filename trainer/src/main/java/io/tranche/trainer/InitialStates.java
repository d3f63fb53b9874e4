package io.tranche.trainer;

import java.util.List;
import java.util.function.IntFunction;

/// The initial states of a stage's episodes, such as orders.
///
/// @param load returns the state at an index from 0 to `size - 1`
/// @param <I> what an episode begins with
public record InitialStates<I>(int size, IntFunction<I> load) {

  public InitialStates {
    if (size < 1) {
      throw new IllegalArgumentException("size must be at least 1, was " + size);
    }
  }

  public static <I> InitialStates<I> of(List<I> states) {
    List<I> copy = List.copyOf(states);
    return new InitialStates<>(copy.size(), copy::get);
  }

  /// Returns only the states at `indices`.
  InitialStates<I> only(int[] indices) {
    return new InitialStates<>(indices.length, i -> load.apply(indices[i]));
  }
}

package io.tranche.trainer.callback;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads typed values from the states of callbacks.
final class States {

  private States() {}

  static long count(Map<String, @Nullable Object> state, String name) {
    return value(state, name, Long.class, "a whole number");
  }

  static List<?> list(Map<String, @Nullable Object> state, String name) {
    return value(state, name, List.class, "a list");
  }

  /// @param expected the name of values of `type` in error messages
  static <T> T value(
      Map<String, @Nullable Object> state, String name, Class<T> type, String expected) {
    if (type.isInstance(state.get(name))) {
      return type.cast(state.get(name));
    }
    throw wrong(name, expected, state.get(name));
  }

  static IllegalArgumentException wrong(String name, String expected, @Nullable Object was) {
    return new IllegalArgumentException("%s must be %s, was %s".formatted(name, expected, was));
  }
}

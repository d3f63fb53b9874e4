package io.tranche.trainer.callback;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads typed values from the states of callbacks.
final class States {

  private States() {}

  static long count(Map<String, @Nullable Object> state, String name) {
    if (state.get(name) instanceof Long count) {
      return count;
    }
    throw wrong(name, "a whole number", state.get(name));
  }

  static double number(Map<String, @Nullable Object> state, String name) {
    if (state.get(name) instanceof Double number) {
      return number;
    }
    throw wrong(name, "a number", state.get(name));
  }

  static List<?> list(Map<String, @Nullable Object> state, String name) {
    if (state.get(name) instanceof List<?> list) {
      return list;
    }
    throw wrong(name, "a list", state.get(name));
  }

  static IllegalArgumentException wrong(String name, String expected, @Nullable Object was) {
    return new IllegalArgumentException("%s must be %s, was %s".formatted(name, expected, was));
  }
}

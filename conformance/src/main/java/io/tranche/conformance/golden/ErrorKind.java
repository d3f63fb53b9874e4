package io.tranche.conformance.golden;

import java.util.Map;

/// An error of ours that stands for one of Qlib's.
///
/// @param type its simple name
/// @param words what its message says, so that another mistake is not taken for this one
public record ErrorKind(String type, String words) {

  public static ErrorKind of(Class<?> type, String words) {
    return new ErrorKind(type.getSimpleName(), words);
  }

  public boolean isMetBy(String otherType, String message) {
    return type.equals(otherType) && message.contains(words);
  }

  /// Returns the name of Qlib's error.
  ///
  /// @param names of Qlib's errors, by ours
  /// @throws RuntimeException the error itself if it has none
  public static String qlibName(Map<ErrorKind, String> names, RuntimeException error) {
    for (var named : names.entrySet()) {
      String message = String.valueOf(error.getMessage());
      if (named.getKey().isMetBy(error.getClass().getSimpleName(), message)) {
        return named.getValue();
      }
    }
    throw error;
  }

  @Override
  public String toString() {
    return "%s: ...%s...".formatted(type, words);
  }
}

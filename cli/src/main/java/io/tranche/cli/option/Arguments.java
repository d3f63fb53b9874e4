package io.tranche.cli.option;

import io.tranche.config.ConfigException;
import java.util.List;

/// Bounds and choices of command line arguments.
public final class Arguments {

  private Arguments() {}

  public static int atLeast(String option, int least, int value) {
    if (value < least) {
      throw new ConfigException(option, "at least " + least, value);
    }
    return value;
  }

  /// Returns `value`, one of `choices`.
  public static String oneOf(String option, List<String> choices, String value) {
    if (!choices.contains(value)) {
      throw new ConfigException(option, "one of " + choices, value);
    }
    return value;
  }
}

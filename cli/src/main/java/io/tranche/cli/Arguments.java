package io.tranche.cli;

import io.tranche.config.ConfigException;

/// Bounds of what users type.
final class Arguments {

  private Arguments() {}

  static int atLeast(String option, int least, int value) {
    if (value < least) {
      throw new ConfigException(option, "at least " + least, value);
    }
    return value;
  }
}

package io.tranche.cli.option;

import io.tranche.config.ConfigException;

/// Bounds of command line arguments.
public final class Arguments {

  private Arguments() {}

  public static int atLeast(String option, int least, int value) {
    if (value < least) {
      throw new ConfigException(option, "at least " + least, value);
    }
    return value;
  }
}

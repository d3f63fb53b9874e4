package io.tranche.cli.option;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Which weights of a run; the same option for every verb that uses one set of them.
public final class WeightsOption {

  @Option(
      names = "--weights",
      paramLabel = "WHICH",
      description =
          "Weights of a run: best (in validation), last, or a checkpoint (default: what tranche"
              + " select chose, else the best, else the last).")
  private @Nullable String wanted;

  /// Returns what was asked for; null for the default.
  public @Nullable String wanted() {
    return wanted;
  }
}

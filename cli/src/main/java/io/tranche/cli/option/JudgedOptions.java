package io.tranche.cli.option;

import io.tranche.backtest.Costs;
import io.tranche.work.judge.TrainedRun;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// What a trained run is tried on; the same options for every verb that executes orders with one.
public final class JudgedOptions {

  @Option(
      names = "--orders",
      paramLabel = "FILE",
      description = "Orders to execute, a file or a folder (default: the run's test orders).")
  private @Nullable Path orders;

  @Option(
      names = "--bars",
      paramLabel = "FILE",
      description = "Other bars than the run's, in any format; needs --orders.")
  private @Nullable Path bars;

  @Option(
      names = "--costs",
      paramLabel = "PRESET",
      description =
          "Other costs than the run's: none, cn_stocks, hk_stocks, us_stocks, cn_futures or crypto.")
  private @Nullable String costs;

  @Option(
      names = "--skip-bad",
      description = "Leave out orders that cannot be executed, and go on with the others.")
  private boolean skipsBad;

  @Mixin private WeightsOption weights = new WeightsOption();

  public boolean isGiven() {
    return orders != null || bars != null || costs != null || weights.wanted() != null;
  }

  /// Returns which weights are wanted; null for the default.
  public @Nullable String weights() {
    return weights.wanted();
  }

  public @Nullable Path orders() {
    return orders;
  }

  public @Nullable Path bars() {
    return bars;
  }

  public boolean skipsBad() {
    return skipsBad;
  }

  /// Returns the costs that were asked for; null for the run's.
  public @Nullable Costs costs() {
    return costs == null ? null : Costs.preset(Arguments.oneOf("--costs", Costs.presets(), costs));
  }

  public TrainedRun.Input input() {
    return new TrainedRun.Input(orders, bars, costs(), skipsBad);
  }
}

package io.tranche.cli.option;

import io.tranche.config.ConfigException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.table.ColumnMapping;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options for bar width and trading hours.
public final class BarShapeOptions {

  @Option(
      names = "--frequency",
      paramLabel = "WIDTH",
      description = "Bar width, such as 1min, 5min or day; needed if a store has several.")
  private @Nullable String frequency;

  @Option(
      names = "--session",
      paramLabel = "NAME",
      description = "Trading hours: cn_stocks, us_stocks, cn_futures or crypto.")
  private @Nullable String session;

  boolean isGiven() {
    return frequency != null || session != null;
  }

  /// Returns `base` with the options that were given.
  public ColumnMapping applyTo(ColumnMapping base) {
    @Nullable Frequency width =
        parsed("--frequency", "1min, 15s, 1h, day or the like", frequency, Frequency::parse);
    @Nullable Session hours =
        parsed("--session", "cn_stocks, us_stocks, cn_futures or crypto", session, Session::named);
    return new ColumnMapping(
        base.instrumentColumn(),
        base.instrument(),
        base.timeColumn(),
        hours == null ? base.session() : hours,
        width == null ? base.frequency() : width,
        base.renames(),
        base.columns());
  }

  private static <T> @Nullable T parsed(
      String option, String expected, @Nullable String value, Function<String, T> parser) {
    try {
      return value == null ? null : parser.apply(value);
    } catch (IllegalArgumentException | ArithmeticException _) {
      throw new ConfigException(option, expected, value);
    }
  }
}

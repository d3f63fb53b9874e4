package io.tranche.cli;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.market.BarSource;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// How the bars of an input are to be understood; the same options for every verb that reads bars.
final class InputOptions {

  @Option(
      names = "--mapping",
      paramLabel = "FILE",
      description = "YAML that says which columns are what (docs/data.md).")
  private @Nullable Path mapping;

  @Option(
      names = "--frequency",
      paramLabel = "WIDTH",
      description = "Bar width, such as 1min, 5min or day; needed where a store has several.")
  private @Nullable String frequency;

  @Option(
      names = "--session",
      paramLabel = "NAME",
      description = "cn_stocks, us_stocks, cn_futures or crypto: what a trading day is.")
  private @Nullable String session;

  BarSource open(Path path) {
    return BarFiles.open(path, mapping());
  }

  /// Returns the mapping of the file, overridden by the options.
  ColumnMapping mapping() {
    ColumnMapping base =
        mapping == null ? ColumnMapping.DEFAULT : ColumnMapping.from(ConfigFiles.load(mapping));
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

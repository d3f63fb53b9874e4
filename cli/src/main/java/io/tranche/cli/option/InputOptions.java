package io.tranche.cli.option;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.market.BarSource;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.order.NamedOrder;
import io.tranche.market.order.OrderFiles;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.work.decide.DecideRun;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// How to read the bars of an input; the same options for every verb that reads bars.
public final class InputOptions {

  @Option(
      names = "--mapping",
      paramLabel = "FILE",
      description = "YAML file that maps columns (docs/data.md).")
  private @Nullable Path mapping;

  @Mixin private BarShape shape = new BarShape();

  public boolean isGiven() {
    return mapping != null || shape.isGiven();
  }

  public BarSource open(Path path) {
    return BarFiles.open(path, mapping());
  }

  /// Opens bars for a model. Its session and bar width apply unless others are given.
  public BarSource open(Path path, Session session, Frequency frequency) {
    ColumnMapping given = mapping(session);
    boolean asks = given.frequency() == null && BarFiles.isStore(path);
    return BarFiles.open(path, with(given, given.session(), asks ? frequency : given.frequency()));
  }

  /// Returns the mapping with a model's session unless another is given.
  public ColumnMapping mapping(Session session) {
    ColumnMapping given = mapping();
    return with(given, given.session() == null ? session : given.session(), given.frequency());
  }

  private static ColumnMapping with(
      ColumnMapping base, @Nullable Session session, @Nullable Frequency frequency) {
    return new ColumnMapping(
        base.instrumentColumn(),
        base.instrument(),
        base.timeColumn(),
        session,
        frequency,
        base.renames(),
        base.columns());
  }

  /// Returns the mapping of the file, overridden by the options.
  public ColumnMapping mapping() {
    return shape.applyTo(
        mapping == null ? ColumnMapping.DEFAULT : ColumnMapping.from(ConfigFiles.load(mapping)));
  }

  /// Reads orders with their names; those without times are for a whole day of the session.
  ///
  /// @throws DataException if there are none
  public static List<NamedOrder> orders(Path file, Session session) {
    List<NamedOrder> named =
        OrderFiles.readNamed(file, DecideRun.dayStart(session), DecideRun.dayEnd(session));
    if (named.isEmpty()) {
      throw new DataException(file.toString(), "orders", "none");
    }
    return named;
  }

  /// The options for bar width and trading hours.
  public static final class BarShape {

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
          parsed(
              "--session", "cn_stocks, us_stocks, cn_futures or crypto", session, Session::named);
      return with(
          base, hours == null ? base.session() : hours, width == null ? base.frequency() : width);
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
}

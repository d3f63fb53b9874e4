package io.tranche.cli.option;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.order.NamedOrder;
import io.tranche.market.order.OrderFiles;
import io.tranche.market.order.ReadOrders;
import io.tranche.market.order.TradingDays;
import io.tranche.market.session.BarLabel;
import io.tranche.market.session.SessionBars;
import io.tranche.market.session.SessionBars.Reading;
import io.tranche.market.session.StatedSessions;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.work.decide.DecisionMaker.Wants;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.HashSet;
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
    return BarFiles.openSessions(path, mapping());
  }

  /// Opens bars for a model. Its sessions and bar width apply unless others are given.
  public BarSource open(Path path, Wants wants) {
    ColumnMapping given = mapping();
    Reading reading = given.reading();
    boolean asks = given.frequency() == null && BarFiles.isStore(path);
    return BarFiles.openSessions(
        path,
        given
            .withFrequency(asks ? wants.frequency() : given.frequency())
            .withReading(
                new Reading(
                    reading.sessions().isEmpty() ? wants.stated() : reading.sessions(),
                    reading.label(),
                    reading.zone())));
  }

  /// Tells of bars of the orders' instruments that are no ticks of their sessions.
  public static void tellSetAside(BarSource source, List<NamedOrder> orders, PrintWriter err) {
    if (source instanceof SessionBars bars) {
      var known = new HashSet<>(source.instruments());
      orders.stream()
          .map(each -> each.order().instrument())
          .distinct()
          .filter(known::contains)
          .flatMap(instrument -> bars.setAside(instrument).stream())
          .forEach(
              each ->
                  err.println(
                      "warning: %d bars of %s are set aside, the first at %s: %s"
                          .formatted(
                              each.bars(),
                              each.instrument(),
                              BarTime.format(each.first()),
                              each.why())));
    }
  }

  /// Returns the mapping of the file, overridden by the options.
  public ColumnMapping mapping() {
    return shape.applyTo(
        mapping == null ? ColumnMapping.DEFAULT : ColumnMapping.from(ConfigFiles.load(mapping)));
  }

  /// Reads orders with their names; those without times are for a whole trading day.
  ///
  /// @throws DataException if there are none
  public static ReadOrders orders(Path file, TradingDays days) {
    ReadOrders read = OrderFiles.readRows(file, days);
    if (read.orders().isEmpty() && read.faults().isEmpty()) {
      throw new DataException(file.toString(), "orders", "none");
    }
    return read;
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
        paramLabel = "SESSION",
        description =
            "Trading hours: a name such as us_stocks, or segments such as \"09:30-11:30,"
                + " 13:00-15:00\" (docs/data.md). Found in the bars if not given.")
    private @Nullable String session;

    @Option(
        names = "--label",
        paramLabel = "start|end",
        description = "Whether times are the starts of bars, the default, or their ends.")
    private @Nullable String label;

    @Option(
        names = "--time-zone",
        paramLabel = "ZONE",
        description =
            "Of the bars' times, such as UTC, if it is not the exchange's; needs --session.")
    private @Nullable String zone;

    boolean isGiven() {
      return frequency != null || session != null || label != null || zone != null;
    }

    /// Returns `base` with the options that were given.
    public ColumnMapping applyTo(ColumnMapping base) {
      @Nullable Frequency width =
          parsed("--frequency", "1min, 15s, 1h, day or the like", frequency, Frequency::parse);
      @Nullable Session hours =
          parsed(
              "--session",
              "one of %s or segments such as 09:30-11:30, 13:00-15:00".formatted(Session.names()),
              session,
              Session::parse);
      @Nullable BarLabel moment = parsed("--label", "start or end", label, BarLabel::parse);
      @Nullable ZoneId of = parsed("--time-zone", "a zone such as UTC", zone, ZoneId::of);
      Reading given = base.reading();
      return base.withFrequency(width == null ? base.frequency() : width)
          .withReading(
              new Reading(
                  hours == null ? given.sessions() : StatedSessions.of(hours),
                  moment == null ? given.label() : moment,
                  of == null ? given.zone() : of));
    }

    private static <T> @Nullable T parsed(
        String option, String expected, @Nullable String value, Function<String, T> parser) {
      try {
        return value == null ? null : parser.apply(value);
      } catch (IllegalArgumentException | ArithmeticException | DateTimeException _) {
        throw new ConfigException(option, expected, value);
      }
    }
  }
}

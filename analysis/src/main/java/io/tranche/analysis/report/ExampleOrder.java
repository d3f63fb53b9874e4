package io.tranche.analysis.report;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.tranche.market.Order;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// One order and its day, to be drawn.
///
/// @param caption why this order is shown
/// @param ticks the whole day of the instrument, by time
/// @param fills by time, at most one per tick
public record ExampleOrder(
    @JsonUnwrapped Order order,
    String caption,
    double advantageBps,
    List<Tick> ticks,
    List<Fill> fills) {

  /// A bar of the day.
  ///
  /// @param price NaN where the bar is missing
  /// @param volume NaN where the bar is missing
  public record Tick(LocalDateTime time, double price, double volume) {

    public Tick {
      Known.requireNotInfinite("price", price);
      Known.requireNotInfinite("volume", volume);
    }
  }

  /// What was filled in a bar.
  public record Fill(LocalDateTime time, double price, double amount) {

    public Fill {
      Known.require("price", price);
      Known.require("amount", amount);
    }
  }

  public ExampleOrder {
    Known.require("advantageBps", advantageBps);
    ticks = List.copyOf(ticks);
    fills = List.copyOf(fills);
    requireOrder("ticks", ticks.stream().map(Tick::time).toList());
    requireOrder("fills", fills.stream().map(Fill::time).toList());
    Set<LocalDateTime> times = ticks.stream().map(Tick::time).collect(Collectors.toSet());
    for (Fill fill : fills) {
      if (!times.contains(fill.time())) {
        throw new IllegalArgumentException(
            "fills must be at times of the ticks, was " + fill.time());
      }
    }
  }

  private static void requireOrder(String name, List<LocalDateTime> times) {
    for (int i = 1; i < times.size(); i++) {
      if (!times.get(i - 1).isBefore(times.get(i))) {
        throw new IllegalArgumentException(
            "%s must be in order of time, was %s after %s"
                .formatted(name, times.get(i), times.get(i - 1)));
      }
    }
  }
}

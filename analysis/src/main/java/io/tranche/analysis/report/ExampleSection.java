package io.tranche.analysis.report;

import io.tranche.analysis.report.Section.Block;
import io.tranche.analysis.report.Section.Column;
import io.tranche.analysis.report.Section.Panel;
import io.tranche.market.Order;
import io.tranche.market.Side;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// The section with a few orders drawn on their day.
final class ExampleSection {

  private ExampleSection() {}

  /// @param examples at least one
  static Section of(List<ExampleOrder> examples) {
    return new Section(
        "examples",
        "Example orders",
        "Price and volume of the day with the order’s fills; below, what remained of the order,"
            + " compared with TWAP.",
        examples.stream().map(ExampleSection::panel).toList());
  }

  private static Panel panel(ExampleOrder example) {
    Order order = example.order();
    String what = Format.word(order.side()) + " " + Format.large(order.amount());
    String name = "%s, %s on %s".formatted(order.instrument(), what, order.date());
    Chart.OrderDay chart = chart(example);
    return Panel.of(
        example.caption().isEmpty() ? name : example.caption() + ": " + name,
        new Block.Figure(
            "%s: price, volume, fills and the amount remaining".formatted(name), chart),
        new Block.Table(Column.named("This order", ""), facts(example, chart)));
  }

  private static List<List<String>> facts(ExampleOrder example, Chart.OrderDay chart) {
    double filled = 0;
    double value = 0;
    for (ExampleOrder.Fill fill : example.fills()) {
      filled += fill.amount();
      value += fill.amount() * fill.price();
    }
    double mean =
        chart.prices().subList(chart.from(), chart.to()).stream()
            .filter(price -> !Double.isNaN(price))
            .mapToDouble(price -> price)
            .average()
            .orElse(Double.NaN);
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("Window", Format.window(example.order())));
    rows.add(List.of("Filled", Format.percent(filled / example.order().amount())));
    rows.add(List.of("Mean fill price", Format.price(filled > 0 ? value / filled : Double.NaN)));
    rows.add(List.of("Mean price of the window", Format.price(mean)));
    rows.add(List.of("Advantage, bps", Format.bps(example.advantageBps())));
    if (!example.fills().isEmpty()) {
      rows.add(List.of("First fill", example.fills().getFirst().time().toLocalTime().toString()));
      rows.add(List.of("Last fill", example.fills().getLast().time().toLocalTime().toString()));
    }
    return rows;
  }

  static Chart.OrderDay chart(ExampleOrder example) {
    List<ExampleOrder.Tick> ticks = example.ticks();
    Order order = example.order();
    int from = firstAtOrAfter(ticks, order.start());
    int to = Math.max(from, firstAtOrAfter(ticks, order.end()));
    List<Double> filled = new ArrayList<>(Collections.nCopies(ticks.size(), Double.NaN));
    List<Double> fillPrices = new ArrayList<>(filled);
    for (ExampleOrder.Fill fill : example.fills()) {
      int tick = firstAtOrAfter(ticks, fill.time());
      filled.set(tick, fill.amount());
      fillPrices.set(tick, fill.price());
    }
    List<Double> remaining = new ArrayList<>(Collections.nCopies(ticks.size(), Double.NaN));
    List<Double> twap = new ArrayList<>(remaining);
    double left = order.amount();
    for (int i = from; i < to; i++) {
      left -= Double.isNaN(filled.get(i)) ? 0 : filled.get(i);
      remaining.set(i, left);
      twap.set(i, order.amount() * (to - 1 - i) / (to - from));
    }
    return new Chart.OrderDay(
        order.side() == Side.BUY,
        ticks.stream().map(tick -> tick.time().toLocalTime().toString()).toList(),
        ticks.stream().map(ExampleOrder.Tick::price).toList(),
        ticks.stream().map(ExampleOrder.Tick::volume).toList(),
        from,
        to,
        filled,
        fillPrices,
        remaining,
        twap);
  }

  private static int firstAtOrAfter(List<ExampleOrder.Tick> ticks, LocalDateTime time) {
    int index = 0;
    while (index < ticks.size() && ticks.get(index).time().isBefore(time)) {
      index++;
    }
    return index;
  }
}

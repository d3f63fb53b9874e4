package io.tranche.analysis.report;

import io.tranche.analysis.DailyMeans;
import io.tranche.analysis.Difference;
import io.tranche.analysis.report.Section.Block;
import io.tranche.analysis.report.Section.Column;
import io.tranche.analysis.report.Section.Fact;
import io.tranche.analysis.report.Section.Panel;
import io.tranche.market.Order;
import io.tranche.market.Side;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/// What a report says about its orders one by one and in groups.
final class OrderSections {

  /// As many instruments as fit a page: the best and the worst halves of these.
  private static final int INSTRUMENTS = 20;

  private static final int EXTREMES = 5;
  private static final double FILLED = 1 - 1e-9; // but for rounding

  private final List<OrderRow> orders;
  private final Distribution advantage;

  /// @param orders at least one
  OrderSections(List<OrderRow> orders) {
    this.orders = orders;
    this.advantage = new Distribution(Breakdown.advantages(orders));
  }

  List<Fact> facts() {
    var facts = new ArrayList<Fact>();
    long days = orders.stream().map(row -> row.order().date()).distinct().count();
    facts.add(
        new Fact(
            "Orders",
            Format.count(orders.size()),
            Format.count(days, "day") + ", " + Format.count(instruments(), "instrument")));
    facts.add(
        new Fact(
            "Fill rate",
            Format.percent(Breakdown.meanFillRate(orders)),
            Format.count(unfilled(orders), "order") + " not filled"));
    facts.add(
        new Fact(
            "Winning orders",
            Format.percent(advantage.positiveRate()),
            "beat their window’s mean price"));
    double value = orders.stream().mapToDouble(OrderRow::value).sum();
    if (!Double.isNaN(value)) {
      double gain =
          orders.stream().mapToDouble(row -> row.value() * row.advantageBps() / 10_000).sum();
      facts.add(
          new Fact("Gain in money", Format.large(gain), "on " + Format.large(value) + " traded"));
    }
    return facts;
  }

  private long instruments() {
    return orders.stream().map(row -> row.order().instrument()).distinct().count();
  }

  List<Section> sections() {
    var sections = new ArrayList<Section>();
    sections.add(distribution());
    sections.add(breakdowns());
    sections.add(fillRate());
    sections.add(cumulative());
    return sections;
  }

  private Section distribution() {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("Mean", Format.bps(advantage.mean())));
    rows.add(List.of("Standard deviation", Format.cost(advantage.deviation())));
    for (int percent : new int[] {5, 25, 50, 75, 95}) {
      String name = percent == 50 ? "Median" : percent + " % of orders are below";
      rows.add(List.of(name, Format.bps(advantage.quantile(percent / 100.0))));
    }
    rows.add(List.of("Worst order", Format.bps(advantage.quantile(0))));
    rows.add(List.of("Best order", Format.bps(advantage.quantile(1))));
    return new Section(
        "distribution",
        "Distribution over orders",
        "The advantage of each order over the mean price of its window, which is what TWAP pays"
            + " before costs.",
        List.of(
            Panel.of(
                "",
                new Block.Figure(
                    "How many orders had which advantage, in bps (dashed: the mean); the outermost"
                        + " bars hold all beyond them",
                    advantage.histogram(ReportSections.BPS)),
                new Block.Table(Column.named("Advantage of an order", "bps"), rows)),
            new Panel("Best and worst orders", List.of(extremes()))));
  }

  private Block extremes() {
    List<OrderRow> sorted =
        orders.stream()
            .sorted(Comparator.comparingDouble(OrderRow::advantageBps).reversed())
            .toList();
    int count = Math.min(EXTREMES, sorted.size() / 2);
    var rows = new ArrayList<List<String>>();
    Stream.concat(
            sorted.subList(0, Math.max(1, count)).stream(),
            sorted.subList(sorted.size() - count, sorted.size()).stream())
        .forEach(row -> rows.add(row(row)));
    return new Block.Table(
        List.of(
            new Column("Instrument", false),
            new Column("Day", false),
            new Column("Window", false),
            new Column("Side", false),
            new Column("Amount", true),
            new Column("Advantage, bps", true),
            new Column("Fill rate", true)),
        rows);
  }

  private static List<String> row(OrderRow row) {
    Order order = row.order();
    return List.of(
        order.instrument(),
        order.date().toString(),
        order.start().toLocalTime() + " to " + order.end().toLocalTime(),
        order.side() == Side.BUY ? "buy" : "sell",
        Format.large(order.amount()),
        Format.bps(row.advantageBps()),
        Format.percent(row.fillRate()));
  }

  private Section breakdowns() {
    var panels = new ArrayList<Panel>();
    add(panels, "By side", "Side", Breakdown.by(orders, row -> Format.sides(row.order().side())));
    add(
        panels,
        "By hour of the order’s start",
        "Hour",
        Breakdown.by(orders, row -> "%02d:00".formatted(row.order().start().getHour())));
    add(
        panels,
        "By size: the order as a part of the market’s volume in its window",
        "Size",
        quarters(OrderRow::participation, Format::finePercent));
    add(
        panels,
        "By liquidity: the market’s turnover in the window, in money",
        "Turnover",
        quarters(OrderRow::turnover, Format::large));
    long instruments = instruments();
    add(
        panels,
        instruments <= INSTRUMENTS
            ? "By instrument"
            : "By instrument: the %d best and the %d worst of %d"
                .formatted(INSTRUMENTS / 2, INSTRUMENTS / 2, instruments),
        "Instrument",
        Breakdown.ranked(orders, row -> row.order().instrument(), INSTRUMENTS));
    return new Section(
        "groups",
        "Where the advantage comes from",
        "The mean advantage over the window’s mean price, with 95 % intervals clustered by day. The"
            + " more groups there are, the more of their intervals miss zero by chance: 1 in 20.",
        panels);
  }

  private List<Breakdown.Group> quarters(
      ToDoubleFunction<OrderRow> number, Function<Double, String> format) {
    return Breakdown.byQuarters(orders, number, format);
  }

  private static void add(
      List<Panel> panels, String heading, String first, List<Breakdown.Group> groups) {
    if (groups.isEmpty()) {
      return;
    }
    var rows = new ArrayList<List<String>>();
    var items = new ArrayList<Chart.Item>();
    for (Breakdown.Group group : groups) {
      Difference difference = group.difference();
      rows.add(
          List.of(
              group.label(),
              Format.bps(difference.meanBps()),
              Format.interval(difference),
              Format.count(difference.orders()),
              Format.percent(group.fillRate())));
      items.add(ReportSections.item(group.label(), difference));
    }
    panels.add(
        Panel.of(
            heading,
            new Block.Figure(
                "Mean advantage with its 95 % interval, in bps",
                new Chart.Intervals(ReportSections.BPS, items)),
            new Block.Table(
                Column.named(first, "Mean, bps", "95 % interval", "Orders", "Fill rate"), rows)));
  }

  private Section fillRate() {
    var rows = new ArrayList<List<String>>();
    rows.add(fillRow("All", orders));
    for (Side side : Format.SIDES) {
      List<OrderRow> some = of(side);
      if (!some.isEmpty() && some.size() < orders.size()) {
        rows.add(fillRow(Format.sides(side), some));
      }
    }
    return new Section(
        "fills",
        "Fill rate",
        "What part of each order was executed. An advantage on half an order is no advantage.",
        List.of(
            Panel.of(
                "",
                new Block.Table(
                    Column.named("Side", "Orders", "Mean", "Lowest", "Not filled"), rows))));
  }

  private List<OrderRow> of(Side side) {
    return orders.stream().filter(row -> row.order().side() == side).toList();
  }

  private static List<String> fillRow(String name, List<OrderRow> some) {
    return List.of(
        name,
        Format.count(some.size()),
        Format.percent(Breakdown.meanFillRate(some)),
        Format.percent(some.stream().mapToDouble(OrderRow::fillRate).min().orElse(Double.NaN)),
        Format.count(unfilled(some)));
  }

  private static long unfilled(List<OrderRow> some) {
    return some.stream().filter(row -> row.fillRate() < FILLED).count();
  }

  private Section cumulative() {
    DailyMeans all = Breakdown.daily(orders);
    Set<LocalDate> dates = all.bps().keySet();
    var lines = new ArrayList<Chart.Line>();
    lines.add(new Chart.Line("All orders", all.cumulative(dates)));
    for (Side side : Format.SIDES) {
      List<OrderRow> some = of(side);
      if (!some.isEmpty()) {
        lines.add(new Chart.Line(Format.sides(side), Breakdown.daily(some).cumulative(dates)));
      }
    }
    var rows = new ArrayList<List<String>>();
    double total = 0;
    for (var month : all.byMonth().entrySet()) {
      List<Double> days = month.getValue();
      double sum = days.stream().mapToDouble(Double::doubleValue).sum();
      total += sum;
      rows.add(
          List.of(
              Format.month(month.getKey()),
              Format.count(days.size()),
              Format.count(days.stream().filter(bps -> bps > 0).count()),
              Format.bps(sum / days.size()),
              Format.bps(total)));
    }
    return new Section(
        "cumulative",
        "Cumulative advantage",
        "Each day’s mean advantage over the window’s mean price, added up day by day. A steady line"
            + " is skill; a few jumps are luck.",
        List.of(
            Panel.of(
                "",
                new Block.Figure(
                    "Sum of the daily mean advantages, in bps",
                    new Chart.Lines(
                        ReportSections.BPS,
                        dates.stream().map(LocalDate::toString).toList(),
                        lines)),
                new Block.Table(
                    Column.named("Month", "Days", "Won", "Mean day, bps", "Sum, bps"), rows))));
  }
}

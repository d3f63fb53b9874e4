package io.tranche.analysis.report;

import io.tranche.analysis.DailyMeans;
import io.tranche.analysis.report.Section.Block;
import io.tranche.analysis.report.Section.Column;
import io.tranche.analysis.report.Section.Fact;
import io.tranche.analysis.report.Section.Panel;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.run.play.Difference;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The sections about the orders, one by one and in groups.
final class OrderSections {

  /// The number of instruments that fit a page: half of them the best, half the worst.
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
    long dates = orders.stream().map(row -> row.order().date()).distinct().count();
    String days = Format.count(dates, "day") + ", " + Format.count(instruments(), "instrument");
    facts.add(new Fact("Orders", Format.count(orders.size()), days));
    String filled = Format.percent(Breakdown.meanFillRate(orders));
    String unfilled = Format.count(unfilled(orders), "order") + " not filled";
    facts.add(new Fact("Fill rate", filled, unfilled));
    if (orders.stream().allMatch(row -> Double.isFinite(row.costBps()))) {
      var net = new Difference.Builder();
      orders.forEach(row -> net.add(row.order().date(), row.advantageBps() - row.costBps()));
      Difference after = net.build();
      double cost = orders.stream().mapToDouble(OrderRow::costBps).average().orElse(0);
      facts.add(
          new Fact(
              "After costs",
              Format.bps(after.meanBps()) + " bps",
              "over the window’s mean price, 95 %% interval %s, after %s bps of costs"
                  .formatted(Format.interval(after), Format.cost(cost))));
    }
    String winning = Format.percent(advantage.positiveRate());
    facts.add(new Fact("Winning orders", winning, "beat their window’s mean price"));
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
    return Stream.of(distribution(), breakdowns(), fillRate(), cumulative())
        .filter(section -> !section.panels().isEmpty())
        .toList();
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
                    "Number of orders by advantage, in bps (dashed: the mean); the outermost bars"
                        + " include everything beyond them",
                    advantage.histogram()),
                new Block.Table(Column.named("Advantage of an order", "bps"), rows)),
            Panel.of("Best and worst orders", extremes())));
  }

  private Block extremes() {
    List<OrderRow> sorted =
        orders.stream()
            .sorted(Comparator.comparingDouble(OrderRow::advantageBps).reversed())
            .toList();
    int count = Math.min(EXTREMES, sorted.size() / 2);
    var columns = new ArrayList<>(Column.texts("Instrument", "Day", "Window", "Side"));
    columns.addAll(Column.numbers("Amount", "Advantage, bps", "Fill rate"));
    return new Block.Table(
        columns,
        Stream.concat(
                sorted.subList(0, Math.max(1, count)).stream(),
                sorted.subList(sorted.size() - count, sorted.size()).stream())
            .map(OrderSections::row)
            .toList());
  }

  private static List<String> row(OrderRow row) {
    Order order = row.order();
    return List.of(
        order.instrument(),
        order.date().toString(),
        Format.window(order),
        Format.word(order.side()),
        Format.large(order.amount()),
        Format.bps(row.advantageBps()),
        Format.percent(row.fillRate()));
  }

  private Section breakdowns() {
    var panels = new ArrayList<Panel>();
    add(panels, "By side", "Side", Breakdown.by(orders, row -> Format.sides(row.order().side())));
    var hours = Breakdown.by(orders, row -> "%02d:00".formatted(row.order().start().getHour()));
    add(panels, "By hour of the order’s start", "Hour", hours);
    var sizes = Breakdown.byQuarters(orders, OrderRow::participation, Format::finePercent);
    add(panels, "By size: the order as a part of the market’s volume in its window", "Size", sizes);
    var turnovers = Breakdown.byQuarters(orders, OrderRow::turnover, Format::large);
    String liquidity = "By liquidity: the market’s turnover in the window, in money";
    add(panels, liquidity, "Turnover", turnovers);
    long instruments = instruments();
    String which =
        instruments <= INSTRUMENTS
            ? "By instrument"
            : "By instrument: the %d best and the %d worst of %d"
                .formatted(INSTRUMENTS / 2, INSTRUMENTS / 2, instruments);
    var ranked = Breakdown.ranked(orders, row -> row.order().instrument(), INSTRUMENTS);
    add(panels, which, "Instrument", ranked);
    return new Section(
        "groups",
        "Where the advantage comes from",
        "The mean advantage over the window’s mean price, with 95 % intervals clustered by day. The"
            + " more groups there are, the more of their intervals miss zero by chance: 1 in 20.",
        panels);
  }

  private static void add(
      List<Panel> panels, String heading, String first, List<Breakdown.Group> groups) {
    var rows = new IntervalRows();
    for (Breakdown.Group group : groups) {
      String count = Format.count(group.difference().orders());
      rows.add(group.label(), group.difference(), count, Format.percent(group.fillRate()));
    }
    if (groups.size() > 1) { // one group is all orders, which the summary has
      panels.add(
          Panel.of(
              heading,
              rows.figure("Mean advantage with its 95 % interval, in bps"),
              rows.table(first, "Mean, bps", "95 % interval", "Orders", "Fill rate")));
    }
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
    var table =
        new Block.Table(Column.named("Side", "Orders", "Mean", "Lowest", "Not filled"), rows);
    return new Section(
        "fills",
        "Fill rate",
        "What part of each order was filled. An advantage on half an order is no advantage.",
        rows.size() < 2 ? List.of() : List.of(Panel.of("", table)));
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
    return cumulative(
        " A steady line is skill; a few jumps are luck.",
        dates,
        lines,
        new Block.Table(Column.named("Month", "Days", "Won", "Mean day, bps", "Sum, bps"), rows));
  }

  /// @param lines sums of daily means, by the same dates
  /// @param table left out if it has one row, which the summary has
  static Section cumulative(
      String more, Set<LocalDate> dates, List<Chart.Line> lines, Block.Table table) {
    var figure =
        new Block.Figure(
            "Sum of the daily mean advantages, in bps",
            Chart.Lines.of(Chart.BPS, dates.stream(), lines));
    return Section.of(
        "cumulative",
        "Cumulative advantage",
        "Each day’s mean advantage over the window’s mean price, added up day by day." + more,
        table.rows().size() < 2 ? new Block[] {figure} : new Block[] {figure, table});
  }
}

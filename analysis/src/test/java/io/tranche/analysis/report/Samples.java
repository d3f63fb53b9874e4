package io.tranche.analysis.report;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.Verdict;
import io.tranche.analysis.report.ReportData.CheckpointScore;
import io.tranche.analysis.report.ReportData.CostItem;
import io.tranche.analysis.report.ReportData.Learning;
import io.tranche.analysis.report.ReportData.Origin;
import io.tranche.analysis.report.ReportData.Results;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.run.play.Difference;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;

/// Small reports whose numbers can be followed by hand.
final class Samples {

  static final String SCRIPT = "</script><script>alert(1)</script>";
  static final String IMAGE = "\"'><img src=x onerror=alert(2)>";

  private static final LocalDate FIRST = LocalDate.of(2024, 1, 2);

  private Samples() {}

  static Order order(String instrument, Side side, int day, int hour) {
    LocalDateTime start = FIRST.plusDays(day).atTime(hour, 30);
    return new Order(instrument, side, 1_000, start, start.plusHours(1));
  }

  static OrderRow row(String instrument, Side side, int day, int hour, double bps) {
    return OrderRow.of(OrderResult.of(order(instrument, side, day, hour), bps, 1));
  }

  /// Returns a report in which everything is there, and some of it is not known.
  static ReportData whole() {
    return named("Two stocks", "A", "B");
  }

  static ReportData hostile() {
    return named(SCRIPT, SCRIPT, IMAGE);
  }

  /// Returns a report without anything else.
  static ReportData of(String title, List<OrderRow> orders, List<CostItem> costs) {
    return new ReportData(
        title,
        "",
        null,
        new Results(List.of(), orders, costs, List.of()),
        new Learning(List.of(), List.of()),
        new Origin(List.of(), "", ""));
  }

  private static ReportData named(String title, String one, String other) {
    var rows = new ArrayList<OrderRow>();
    for (int day = 0; day < 12; day++) {
      rows.add(row(one, Side.BUY, day, 9, day));
      Order sell = order(other, Side.SELL, day, 13);
      rows.add(new OrderRow(sell, 4 - day, 0.5, 20_000, 1.5, 0.01 * (day + 1), 1e6 * (day + 1)));
    }
    var results = new PolicyResults(title, rows.stream().map(OrderRow::result).toList());
    var twap =
        new PolicyResults(
            other, rows.stream().map(row -> OrderResult.of(row.order(), 0, 1)).toList());
    Comparison comparison = Comparison.of(results, twap);
    return new ReportData(
        title,
        one,
        new Verdict(Verdict.Kind.NO_DIFFERENCE, Verdict.of(comparison).sentence()),
        new Results(
            List.of(comparison),
            rows,
            List.of(new CostItem(one, 2), new CostItem(other, -0.5)),
            List.of(example(one))),
        new Learning(
            List.of(
                new TrainingPoint(0, Double.NaN, 1, Double.NaN), new TrainingPoint(1, 0.5, 3, 2)),
            List.of(
                new CheckpointScore(one, new Difference(24, 1, 1, Double.NaN, Double.NaN, 1)),
                new CheckpointScore(other, new Difference(24, 12, 2, 1, 3, 11)))),
        new Origin(List.of(one, other), "key: " + one, other));
  }

  static ExampleOrder example(String caption) {
    Order order = order("A", Side.BUY, 0, 9);
    var ticks = new ArrayList<ExampleOrder.Tick>();
    for (int i = 0; i < 8; i++) {
      boolean missing = i == 3;
      ticks.add(
          new ExampleOrder.Tick(
              order.start().plusMinutes(15L * (i - 2)),
              missing ? Double.NaN : 10 + i,
              missing ? Double.NaN : 100));
    }
    return new ExampleOrder(
        order,
        caption,
        3,
        ticks,
        List.of(
            new ExampleOrder.Fill(order.start(), 12, 250),
            new ExampleOrder.Fill(order.start().plusMinutes(30), 14, 750)));
  }
}

package io.tranche.dashboard;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.Verdict;
import io.tranche.analysis.record.OrderRecordWriter;
import io.tranche.analysis.record.RecordHeader.ScoreKind;
import io.tranche.analysis.record.RecordedOrder;
import io.tranche.analysis.record.RecordedOrder.Fills;
import io.tranche.analysis.record.RecordedOrder.Step;
import io.tranche.analysis.record.RecordedOrder.Tick;
import io.tranche.analysis.record.RecordedOrders;
import io.tranche.analysis.report.OrderRow;
import io.tranche.analysis.report.ReportData;
import io.tranche.analysis.report.Reports;
import io.tranche.market.BarTime;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.run.play.Difference;
import io.tranche.run.play.OrderResult;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/// Run folders as the trainer and the judge leave them, with numbers that are easy to follow.
final class SampleRuns {

  static final String HOSTILE = "<img src=x onerror=alert(1)>";

  private static final LocalDate FIRST = LocalDate.of(2024, 3, 1);

  private SampleRuns() {}

  /// Writes a run of so many iterations, validated every fourth.
  static Path run(Path folder, int seed, int planned, int iterations) throws IOException {
    Files.createDirectories(folder.resolve("checkpoints"));
    Files.writeString(
        folder.resolve("config.yml"),
        """
        tranche: 1
        runtime:
          seed: %d
          threads: null
        trainer:
          max_iterations: %d
        reward:
          class: HoldingReward
          kwargs:
            scale: 0.01
        note: "%s"
        """
            .formatted(seed, planned, HOSTILE));
    try (BufferedWriter metrics = Files.newBufferedWriter(folder.resolve("metrics.jsonl"));
        BufferedWriter process = Files.newBufferedWriter(folder.resolve("process.jsonl"))) {
      for (int i = 1; i <= iterations; i++) {
        metrics.write(line(seed, i));
        process.write(
            "{\"iteration\":%d,\"time\":%d,\"uptime_seconds\":%s,\"heap_bytes\":%d,\"cpu_seconds\":%s}%n"
                .formatted(i, 1_700_000_000 + i, i * 0.5, (100 + i % 7) << 20, i * 0.4));
      }
    }
    for (int i = 4; i <= Math.min(iterations, 40); i += 4) {
      Files.writeString(folder.resolve("checkpoints/%03d.ckpt".formatted(i)), "no weights");
    }
    return folder;
  }

  static double advantage(int seed, int iteration) {
    return 12 * (1 - Math.exp(-iteration / 20.0)) + 2 * Math.sin(iteration * (1 + 0.1 * seed));
  }

  static String line(int seed, int iteration) {
    double pa = advantage(seed, iteration);
    String validation =
        iteration % 4 == 0
            ? ",\"val/reward\":%s,\"val/pa\":%s,\"val/ffr\":1.0"
                .formatted(pa / 110, 0.9 * pa + 0.01 * seed)
            : "";
    return String.format(
        Locale.ROOT,
        "{\"iteration\":%d,\"episode\":%d,\"reward\":%s,\"pa\":%s,\"ffr\":0.998,\"loss\":%s,\"loss/clip\":%s,"
            + "\"loss/vf\":%s,\"loss/ent\":%s,\"gradient_norm\":0.4,\"kl\":%s%s}%n",
        iteration,
        iteration * 1000,
        pa / 100,
        pa,
        1 + 0.2 * Math.cos(iteration),
        -0.001,
        1 + 0.2 * Math.cos(iteration),
        1.5 * Math.exp(-iteration / 60.0),
        0.02 / (1 + iteration % 5),
        validation);
  }

  /// Writes a search of three trials and the unchanged configuration, two of which went on.
  static void search(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(
        folder.resolve("tune.yml"),
        """
        tune: 1
        config: {tranche: 1, data: {market: {seed: 1}}, trainer: {max_iterations: 4}, validation: {every: 2}}
        space:
          policy.kwargs.learning_rate: {range: [3.0E-4, 0.01], scale: log}
          network.kwargs.hidden: {values: [16, 32]}
        search: asha
        trials: 3
        metric: val/pa
        mode: max
        iterations: 4
        """);
    // What the search draws.
    List<String> rates = List.of("", "0.00183473", "5.73418e-4", "0.00664611");
    try (BufferedWriter log = Files.newBufferedWriter(folder.resolve("trials.jsonl"))) {
      for (int trial = 0; trial < 4; trial++) {
        String settings =
            trial == 0
                ? ""
                : "\"policy.kwargs.learning_rate\":\"%s\",\"network.kwargs.hidden\":\"%d\""
                    .formatted(rates.get(trial), trial == 3 ? 16 : 32);
        String points =
            "[2,%d.5]%s".formatted(trial, trial < 2 ? "" : ",[4,%d.25]".formatted(trial));
        log.write(
            "{\"trial\":%d,\"settings\":{%s},\"from\":0,\"iterations\":%d,\"ended\":false,\"points\":[%s],\"failure\":null,\"reason\":null}%n"
                .formatted(trial, settings, trial < 2 ? 2 : 4, points));
      }
    }
  }

  /// Judges a run: a report and a record of orders.
  static void judge(Path run, int orders, int recorded) throws IOException {
    Path folder = run.resolve("judge");
    var rows = new ArrayList<OrderRow>();
    var all = new Difference.Builder();
    try (var writer = new OrderRecordWriter(folder.resolve(OrderRecordWriter.FILE), orders)) {
      for (int i = 0; i < Math.min(orders, recorded); i++) {
        writer.add(i, steps(i));
      }
      writer.column(RecordedOrders.INSTRUMENT, 4, i -> i % 50);
      writer.column(RecordedOrders.SIDE, 1, i -> i % 2);
      writer.column(RecordedOrders.START, 8, i -> BarTime.of(start(i)));
      writer.column(RecordedOrders.END, 8, i -> BarTime.of(start(i).plusMinutes(120)));
      writer.numbers(RecordedOrders.AMOUNT, i -> 1_000 + i);
      writer.numbers("filled", i -> 1_000 + i);
      writer.numbers("completion", _ -> 1);
      writer.numbers("price", i -> 10 + i % 10);
      writer.numbers("benchmark", i -> 10 + i % 10);
      writer.numbers("advantage", SampleRuns::bps);
      writer.numbers("cost", _ -> 1.5);
      writer.numbers("net", i -> bps(i) - 1.5);
      writer.numbers("participation", i -> (1 + i % 100) / 1000.0);
      writer.numbers("net:TWAP", _ -> -1.5);
      writer.numbers("net:oracle", i -> Math.abs(bps(i)) + 20);
      var names = new ArrayList<String>();
      for (int i = 0; i < 50; i++) {
        names.add(i == 7 ? HOSTILE : "SYN%04d".formatted(i));
      }
      writer.commit(
          ScoreKind.PROBABILITIES, List.of("return_1", "volume"), List.of("TWAP", "oracle"), names);
    }
    for (int i = 0; i < Math.min(orders, 2_000); i++) {
      var order =
          new Order(
              "SYN%04d".formatted(i % 50),
              i % 2 == 0 ? Side.SELL : Side.BUY,
              1_000 + i,
              start(i),
              start(i).plusMinutes(120));
      rows.add(OrderRow.of(OrderResult.of(order, bps(i), 1)));
      all.add(order.date(), bps(i));
    }
    Difference together = all.build();
    var comparison =
        new Comparison(
            "the agent",
            "TWAP",
            together,
            Map.of(Side.BUY, together, Side.SELL, together),
            1,
            1,
            10,
            false);
    Reports.write(
        new ReportData(
            "Judgement",
            "Sample orders.",
            new Verdict(Verdict.Kind.BETTER, "The agent is better than TWAP."),
            new ReportData.Results(
                List.of(comparison),
                rows,
                List.of(new ReportData.CostItem("Commission", 1.5)),
                List.of()),
            new ReportData.Learning(
                List.of(), List.of(new ReportData.CheckpointScore("004.ckpt", together))),
            new ReportData.Origin(List.of(HOSTILE), "", "")),
        folder);
  }

  private static LocalDateTime start(int order) {
    return FIRST.plusDays(order % 60).atTime(9, 30);
  }

  static double bps(int order) {
    return 30 * (new SplittableRandom(order).nextDouble() - 0.4);
  }

  private static RecordedOrder steps(int order) {
    var ticks = new ArrayList<Tick>();
    long first = BarTime.of(start(order));
    for (int i = 0; i < 240; i++) {
      ticks.add(new Tick(first + 60L * i, 10 + Math.sin(i / 20.0), 1000 + 500 * Math.cos(i / 9.0)));
    }
    var fills = new ArrayList<Fills>();
    for (String policy : List.of("the agent", "TWAP", "oracle")) {
      var amounts = new ArrayList<Double>();
      var prices = new ArrayList<Double>();
      for (int i = 0; i < 120; i++) {
        boolean isFilled = policy.equals("TWAP") || i / 30 % 2 == (policy.equals("oracle") ? 1 : 0);
        amounts.add(isFilled ? (1_000 + order) / (policy.equals("TWAP") ? 120.0 : 60.0) : 0);
        prices.add(isFilled ? ticks.get(i).price() : Double.NaN);
      }
      fills.add(new Fills(policy, amounts, prices));
    }
    var steps = new ArrayList<Step>();
    for (int i = 0; i < 4; i++) {
      steps.add(
          new Step(
              30 * i,
              (1_000 + order) * (1 - i / 4.0),
              i % 2 == 0 ? 2 : 0,
              i % 2 == 0 ? 500 : 0,
              i % 2 == 0 ? 500 : 0,
              i % 2 == 0 ? 10.25 : Double.NaN,
              i % 2 == 0 ? List.of(0.1f, 0.2f, 0.7f) : List.of(0.6f, 0.3f, 0.1f),
              List.of(0.5f * i, -0.25f),
              List.of(0.125f, -0.0625f)));
    }
    return new RecordedOrder(ticks, 0, fills, steps);
  }
}

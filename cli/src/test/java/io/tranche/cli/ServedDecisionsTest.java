package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.DayFrame;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.runtime.BundleFile;
import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.app.DecisionServer;
import io.tranche.serving.app.DecisionServerConfig;
import io.tranche.serving.client.TrancheClient;
import io.tranche.testkit.ExchangeBacktest;
import io.tranche.work.backtest.Backtest;
import io.tranche.work.backtest.BacktestOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The service, asked over HTTP in JSON and in the compact form, decides on the same bars and
/// orders as the checkpoint does in the simulator and in the backtest.
class ServedDecisionsTest {

  @TempDir static Path runs;
  @TempDir Path folder;

  private static DecideCase made =
      new DecideCase(Path.of(""), Path.of(""), Path.of(""), Path.of(""));
  private static List<String> fields = List.of();

  @BeforeAll
  static void make() throws IOException {
    made = DecideCase.in(runs);
    fields = BundleFile.read(made.bundle()).spec().features().fields();
  }

  /// A decision: when it was due, and how much it asked for.
  private record Decision(String time, double volume) {}

  @Test
  void decisionsAreThoseOfTheSimulatorAndOfTheBacktest() throws Exception {
    List<Order> orders;
    List<List<Decision>> json;
    List<List<Decision>> compact;
    var simulated = new ArrayList<List<SimulatedStep>>();
    try (BarSource bars = BarFiles.open(made.bars(), ColumnMapping.DEFAULT)) {
      // As in Qlib, the backtest trades on no calendar's last day.
      LocalDate last = bars.calendar().date(bars.calendar().days() - 1);
      orders = made.readOrders().stream().filter(each -> each.date().isBefore(last)).toList();
      for (Order order : orders) {
        simulated.add(simulate(bars, order));
      }
      json = serve(bars, orders, simulated, false);
      compact = serve(bars, orders, simulated, true);
    }

    assertThat(compact).isEqualTo(json);
    Map<String, Double> tested = backtest();
    var shares = new HashSet<Long>();
    for (int i = 0; i < orders.size(); i++) {
      Order order = orders.get(i);
      assertThat(json.get(i)).hasSameSizeAs(simulated.get(i));
      for (int step = 0; step < json.get(i).size(); step++) {
        Decision decision = json.get(i).get(step);
        SimulatedStep expected = simulated.get(i).get(step);
        var nearly = within(1e-9 * order.amount());
        assertThat(decision.time()).isEqualTo(expected.time());
        assertThat(decision.volume()).isCloseTo(expected.volume(), nearly);
        assertThat(decision.volume())
            .as("%s at %s", order, decision.time())
            .isCloseTo(tested.getOrDefault(key(order, decision.time()), 0.0), nearly);
        shares.add(Math.round(100 * decision.volume() / order.amount()));
      }
    }
    assertThat(shares).hasSizeGreaterThan(2);
  }

  /// One decision in the simulator, and what was left before it.
  private record SimulatedStep(String time, double volume, double remaining) {}

  private static List<SimulatedStep> simulate(BarSource bars, Order order) {
    return TrainedBundle.simulate(made.run(), made.bundle(), bars, order).steps().stream()
        .map(each -> new SimulatedStep(each.time(), each.volume(), each.remaining()))
        .toList();
  }

  private static String key(Order order, String time) {
    return "%s %s %s".formatted(order.instrument(), order.side(), time);
  }

  private ConfigNode backtest(Side side) throws IOException {
    var lines = new ArrayList<>(List.of("datetime,instrument,amount,direction"));
    for (Order order : made.readOrders()) {
      if (order.side() == side) {
        lines.add(
            "%s,%s,%s,%d"
                .formatted(
                    order.date(), order.instrument(), order.amount(), side == Side.BUY ? 1 : 0));
      }
    }
    Path orders = Files.write(folder.resolve(side + ".csv"), lines);
    return ConfigFiles.parse(
        "test", ExchangeBacktest.yaml(made.bars(), orders, made.run().resolve("drawn.pth"), 8, 4));
  }

  /// Returns the volumes of the policy's child orders in the backtest.
  private Map<String, Double> backtest() throws IOException {
    var volumes = new HashMap<String, Double>();
    for (Side side : Side.values()) { // an instrument has one result per day
      Path target = folder.resolve("backtest" + side);
      var options = BacktestOptions.DEFAULT.withLogs(true).in(target);
      try (Backtest backtest = Backtest.open(backtest(side), options, _ -> {})) {
        backtest.run((_, _, _) -> {});
      }
      List<String> lines = Files.readAllLines(target.resolve("orders.csv"));
      List<String> names = List.of(lines.getFirst().split(",", -1));
      for (String line : lines.subList(1, lines.size())) {
        String[] row = line.split(",", -1);
        if (row[names.indexOf("level")].equals("30min")) {
          volumes.put(
              "%s %s %s"
                  .formatted(
                      row[names.indexOf("instrument")],
                      Side.valueOf(row[names.indexOf("side")].toUpperCase(Locale.ROOT)),
                      row[names.indexOf("datetime")]),
              Double.parseDouble(row[names.indexOf("amount")]));
        }
      }
    }
    assertThat(volumes).isNotEmpty();
    return volumes;
  }

  /// Works all orders through a service.
  private List<List<Decision>> serve(
      BarSource bars, List<Order> orders, List<List<SimulatedStep>> fills, boolean isCompact)
      throws Exception {
    var node =
        ConfigFiles.parse(
            "test",
            """
            journal: journal%s
            http: {port: 0}
            engine: {deadline_micros: 30000000, limits: none, await_cancels: false, needs_earlier_days: false}
            """
                .formatted(isCompact));
    var config = DecisionServerConfig.of(List.of(made.bundle()), node, folder);
    var days = new LinkedHashMap<DayFrame, List<Integer>>();
    for (int i = 0; i < orders.size(); i++) {
      Order order = orders.get(i);
      DayFrame day = Objects.requireNonNull(bars.day(order.instrument(), order.date()));
      days.computeIfAbsent(day, _ -> new ArrayList<>()).add(i);
    }
    var decisions = new ArrayList<List<Decision>>();
    orders.forEach(_ -> decisions.add(new ArrayList<>()));
    try (var server = DecisionServer.start(config, _ -> {});
        var client = new TrancheClient(URI.create(server.http().url()))) {
      for (var day : days.entrySet()) {
        DayFrame frame = day.getKey();
        client.openDay(openDay(bars, frame));
        for (int i : day.getValue()) {
          Order order = orders.get(i);
          client.openOrder(
              new Request.OpenOrder(
                  "o" + i,
                  order.instrument(),
                  order.date(),
                  order.side(),
                  order.amount(),
                  order.start(),
                  order.end(),
                  null));
        }
        for (int tick = 0; tick < frame.ticks(); tick++) {
          for (int i : day.getValue()) {
            if (client.order("o" + i).isDue()) {
              decide(client, "o" + i, isCompact, frame, tick, fills.get(i), decisions.get(i));
            }
          }
          Request.Bar bar = bar(frame, tick);
          if (isCompact) {
            client.exchange(List.of(bar));
          } else {
            client.bar(bar);
          }
        }
        client.endDays(new Request.EndDays(frame.instrument(), frame.date()));
      }
    }
    return decisions;
  }

  private static void decide(
      TrancheClient client,
      String id,
      boolean isCompact,
      DayFrame frame,
      int tick,
      List<SimulatedStep> simulated,
      List<Decision> decisions)
      throws IOException, InterruptedException {
    var request = new Request.Decide(id, null, null);
    Answer.Child child =
        isCompact
            ? (Answer.Child) client.exchange(List.of(request)).getFirst()
            : client.decide(request);
    assertThat(child.source()).isEqualTo(Answer.Source.MODEL);
    int step = decisions.size();
    decisions.add(new Decision(BarTime.format(frame.time(tick)), child.volume()));
    double before = simulated.get(step).remaining();
    double after = step + 1 < simulated.size() ? simulated.get(step + 1).remaining() : 0;
    double filled = Math.min(before - after, child.volume());
    if (filled > 0) {
      var fill = new Request.Fill(id, "f" + step, child.step(), filled, 10);
      if (isCompact) {
        client.exchange(List.of(fill));
      } else {
        client.fill(fill);
      }
    }
  }

  private static Request.OpenDay openDay(BarSource bars, DayFrame frame) {
    var earlier = new ArrayList<Request.EarlierDay>();
    int number = bars.calendar().dayOf(frame.date());
    for (int day = 0; day < number; day++) {
      DayFrame past = bars.series(frame.instrument()).day(day);
      if (past != null) {
        var all = new ArrayList<Request.Bar>();
        for (int tick = 0; tick < past.ticks(); tick++) {
          all.add(bar(past, tick));
        }
        earlier.add(new Request.EarlierDay(past.date(), all));
      }
    }
    return new Request.OpenDay(frame.instrument(), frame.date(), earlier);
  }

  private static Request.Bar bar(DayFrame frame, int tick) {
    var values = new ArrayList<Float>();
    for (String field : fields) {
      values.add(frame.value(frame.fieldIndex(field), tick));
    }
    LocalDate date = frame.date();
    return new Request.Bar(
        frame.instrument(), date, BarTime.dateTime(frame.time(tick)), fields, values);
  }
}

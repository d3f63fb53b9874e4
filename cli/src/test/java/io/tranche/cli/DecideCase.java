package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.DayFrame;
import io.tranche.market.Order;
import io.tranche.market.order.OrderFiles;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// A small training, its model, and the bars and orders of its test days.
record DecideCase(Path run, Path bundle, Path bars, Path orders) {

  static DecideCase in(Path folder) throws IOException {
    Path run = folder.resolve("run");
    Run training = Run.of("train", SmallTraining.write(folder).toString(), "--out", run.toString());
    assertThat(training.status()).as(training.err()).isZero();
    return new DecideCase(
        run,
        TrainedBundle.export(run, folder.resolve("model.tranche")),
        run.resolve("data/bars"),
        run.resolve("data/orders/test"));
  }

  List<Order> readOrders() {
    return OrderFiles.read(orders, LocalTime.of(9, 30), LocalTime.of(15, 0));
  }

  /// Returns the day of the first order.
  String firstDate() {
    return readOrders().getFirst().date().toString();
  }

  String firstInstrument() {
    return readOrders().getFirst().instrument();
  }

  Run decide(String... more) {
    var arguments = new ArrayList<>(List.of("decide", bundle.toString()));
    arguments.addAll(List.of(more));
    return Run.of(arguments.toArray(String[]::new));
  }

  Run decideAll(String... more) {
    var arguments =
        new ArrayList<>(List.of("--bars", bars.toString(), "--orders", orders.toString()));
    arguments.addAll(List.of(more));
    return decide(arguments.toArray(String[]::new));
  }

  /// Returns the bars of the days that orders name, in the order of time.
  List<String> barLines(boolean json) {
    var dates = new TreeSet<LocalDate>();
    readOrders().forEach(order -> dates.add(order.date()));
    var lines = new ArrayList<String>();
    try (BarSource source = BarFiles.open(bars, ColumnMapping.DEFAULT)) {
      List<String> fields = source.fields();
      if (!json) {
        lines.add("instrument,datetime," + String.join(",", fields));
      }
      for (LocalDate date : dates) {
        List<DayFrame> frames =
            source.instruments().stream()
                .map(each -> Objects.requireNonNull(source.day(each, date)))
                .toList();
        for (int tick = 0; tick < frames.getFirst().ticks(); tick++) {
          for (DayFrame frame : frames) {
            if (!frame.isMissing(tick)) {
              lines.add(line(frame, tick, fields, json));
            }
          }
        }
      }
    }
    return lines;
  }

  private static String line(DayFrame frame, int tick, List<String> fields, boolean json) {
    String time = BarTime.format(frame.time(tick));
    Map<String, String> values = new LinkedHashMap<>();
    for (int field = 0; field < fields.size(); field++) {
      float value = frame.value(field, tick);
      values.put(fields.get(field), Float.isNaN(value) ? (json ? "null" : "") : "" + value);
    }
    if (!json) {
      return "%s,%s,%s".formatted(frame.instrument(), time, String.join(",", values.values()));
    }
    return "{\"instrument\":\"%s\",\"datetime\":\"%s\",%s}"
        .formatted(
            frame.instrument(),
            time,
            values.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\":" + entry.getValue())
                .collect(Collectors.joining(",")));
  }

  Run piped(String text, String... more) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    try {
      var arguments = new ArrayList<>(List.of("--bars", "-"));
      arguments.addAll(List.of(more));
      return decide(arguments.toArray(String[]::new));
    } finally {
      System.setIn(before);
    }
  }

  Run pipedAll(List<String> lines, String... more) {
    var arguments =
        new ArrayList<>(List.of("--orders", orders.toString(), "--history", bars.toString()));
    arguments.addAll(List.of(more));
    return piped(String.join("\n", lines), arguments.toArray(String[]::new));
  }
}

package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.DayFrame;
import io.tranche.market.Order;
import io.tranche.market.order.OrderFiles;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.testkit.Cases;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecideCommandTest {

  private static final LocalTime OPEN = LocalTime.of(9, 30);
  private static final LocalTime CLOSE = LocalTime.of(15, 0);

  @TempDir static Path runs;
  @TempDir Path folder;

  private static Path run = Path.of("");
  private static Path bundle = Path.of("");
  private static Path bars = Path.of("");
  private static Path orders = Path.of("");

  @BeforeAll
  static void train() throws IOException {
    run = runs.resolve("run");
    Run training = Run.of("train", SmallTraining.write(runs).toString(), "--out", run.toString());
    assertThat(training.status()).as(training.err()).isZero();
    bundle = TrainedBundle.export(run, runs.resolve("model.tranche"));
    bars = run.resolve("data/bars");
    orders = run.resolve("data/orders/test");
  }

  private static Run decide(String... more) {
    var arguments = new ArrayList<>(List.of("decide", bundle.toString()));
    arguments.addAll(List.of(more));
    return Run.of(arguments.toArray(String[]::new));
  }

  private static Run decideAll(String... more) {
    var arguments =
        new ArrayList<>(List.of("--bars", bars.toString(), "--orders", orders.toString()));
    arguments.addAll(List.of(more));
    return decide(arguments.toArray(String[]::new));
  }

  @Test
  void decisionsAreThoseOfTheCheckpointInTheSimulator() {
    List<Order> worked = OrderFiles.read(orders, OPEN, CLOSE);
    var expected = new LinkedHashMap<String, List<TrainedBundle.Simulated>>();
    double advantage = 0;
    try (BarSource source = BarFiles.open(bars, ColumnMapping.DEFAULT)) {
      for (int i = 0; i < worked.size(); i++) {
        var simulated = TrainedBundle.simulate(run, bundle, source, worked.get(i));
        expected.put("" + (i + 1), simulated.steps());
        advantage += simulated.advantageBps() / worked.size();
      }
    }

    Run result = decideAll();

    assertThat(result.status()).as(result.err()).isZero();
    var rows = result.out().lines().skip(1).map(line -> line.split(",", -1)).toList();
    var found = new LinkedHashMap<String, List<TrainedBundle.Simulated>>();
    for (String[] row : rows) {
      found
          .computeIfAbsent(row[0], _ -> new ArrayList<>())
          .add(
              new TrainedBundle.Simulated(
                  row[2],
                  Double.parseDouble(row[4]),
                  Double.parseDouble(row[7]),
                  Integer.parseInt(row[8])));
    }
    assertThat(found).containsExactlyInAnyOrderEntriesOf(expected);
    assertThat(rows.stream().map(row -> row[8]).distinct().count()).isGreaterThan(1);
    assertThat(rows.stream().map(row -> row[2]).toList()).isSorted();
    assertThat(result.err())
        .contains(
            "%d orders, %d decisions, filled 1.0000".formatted(worked.size(), rows.size()),
            String.format(Locale.ROOT, "advantage %.2f bps", advantage));
  }

  @Test
  void jsonLinesSayTheSame() {
    Path out = folder.resolve("decisions.jsonl");

    Run csv = decideAll();
    Run json = decideAll("--out", out.toString());

    assertThat(json.out()).isEmpty();
    assertThat(out).content().startsWith("{\"id\":\"1\",\"instrument\":");
    assertThat(csv.out().lines().count() - 1).isEqualTo(lines(out).size());
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /// Returns the bars of the days that orders name, in the order of time.
  private static List<String> barLines(boolean json) {
    var dates = new TreeSet<LocalDate>();
    OrderFiles.read(orders, OPEN, CLOSE).forEach(order -> dates.add(order.date()));
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

  private static Run piped(String text, String... more) {
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

  private static Run pipedAll(List<String> lines, String... more) {
    var arguments =
        new ArrayList<>(List.of("--orders", orders.toString(), "--history", bars.toString()));
    arguments.addAll(List.of(more));
    return piped(String.join("\n", lines), arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPipeGivesWhatTheFileGives(boolean json) {
    Run file = decideAll();

    Run pipe = pipedAll(barLines(json));

    assertThat(pipe.status()).as(pipe.err()).isZero();
    assertThat(pipe.out()).isEqualTo(file.out());
    assertThat(pipe.err()).isEqualTo(file.err());
  }

  @Test
  void aGrowingFileIsFollowedUntilTheOrdersAreOver() throws Exception {
    List<String> lines = barLines(false);
    Path growing = Files.writeString(folder.resolve("bars.csv"), lines.getFirst() + "\n");
    Path out = folder.resolve("out.csv");
    Process child =
        SmallTraining.start(
            folder,
            List.of(
                "decide",
                bundle.toString(),
                "--bars",
                growing.toString(),
                "--follow",
                "--history",
                bars.toString(),
                "--orders",
                orders.toString(),
                "--out",
                out.toString()));
    try {
      int half = lines.size() / 2;
      // A line that is not whole yet must wait for its rest.
      append(growing, String.join("\n", lines.subList(1, half)) + "\n" + lines.get(half).charAt(0));
      await(
          () -> Files.exists(out) && lines(out).size() > decideAll().out().lines().count() / 2 - 4);
      append(
          growing,
          lines.get(half).substring(1)
              + "\n"
              + String.join("\n", lines.subList(half + 1, lines.size()))
              + "\n");

      assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(child.exitValue()).as(Files.readString(folder.resolve("log.txt"))).isZero();
      assertThat(out).hasContent(decideAll().out());
    } finally {
      child.destroyForcibly();
    }
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.APPEND);
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(Condition condition) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.holds()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(20);
    }
  }

  @Test
  void aSignalEndsItAndKeepsWhatWasDecided() throws Exception {
    Path growing =
        Files.writeString(
            folder.resolve("bars.csv"), String.join("\n", barLines(false).subList(0, 40)) + "\n");
    Path out = folder.resolve("out.csv");
    Process child =
        SmallTraining.start(
            folder,
            List.of(
                "decide",
                bundle.toString(),
                "--bars",
                growing.toString(),
                "--follow",
                "--orders",
                orders.toString(),
                "--out",
                out.toString()));
    try {
      await(() -> Files.exists(out) && lines(out).size() > 3);
      new ProcessBuilder("kill", "-INT", "" + child.pid()).start().waitFor();

      assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(child.exitValue()).isEqualTo(ExitCode.INTERRUPTED);
    } finally {
      child.destroyForcibly();
    }
  }

  @Test
  void aReaderThatLeavesEndsItQuietly() throws Exception {
    var command =
        List.of(
            "sh",
            "-c",
            "\"$0\" --add-modules=jdk.incubator.vector -cp \"$1\" %s decide %s --bars %s --orders %s"
                    .formatted(Main.class.getName(), bundle, bars, orders)
                + " 2>err.txt | head -2; cat err.txt",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            System.getProperty("java.class.path"));
    Process child =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log.txt").toFile())
            .start();

    assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
    List<String> said =
        lines(folder.resolve("log.txt")).stream()
            .filter(line -> !line.startsWith("WARNING"))
            .toList();
    assertThat(said).hasSize(2).first().asString().startsWith("id,instrument,time");
  }

  @Test
  void reportedFillsTakeThePlaceOfAssumedOnes() throws IOException {
    List<String> all = barLines(false);
    LocalDate date = OrderFiles.read(orders, OPEN, CLOSE).getFirst().date();
    String instrument = all.get(1).split(",")[0];
    Path order =
        Files.writeString(
            folder.resolve("order.csv"),
            "id,instrument,side,amount,start,end\nmine,%s,sell,1000,%s 09:30:00,%s 15:00:00\n"
                .formatted(instrument, date, date));
    Path none = Files.writeString(folder.resolve("none.csv"), "id,datetime,volume,price\n");
    Path fills =
        Files.writeString(
            folder.resolve("fills.jsonl"),
            "{\"id\":\"mine\",\"datetime\":\"%s 14:31:00\",\"volume\":400,\"price\":10}\n"
                .formatted(date));

    Run without =
        decide("--bars", bars.toString(), "--orders", order.toString(), "--fills", none.toString());
    Run with =
        decide(
            "--bars", bars.toString(), "--orders", order.toString(), "--fills", fills.toString());

    assertThat(without.status()).as(without.err()).isZero();
    assertThat(without.out())
        .endsWith(
            "mine,%s,%s 14:30:00,7,1000.0,market,,1000.0,%s\n"
                .formatted(instrument, date, without.out().strip().replaceAll("(?s).*,", "")));
    assertThat(without.err())
        .contains("1 orders, 8 decisions, filled 0.0000")
        .doesNotContain("TWAP");
    assertThat(with.status()).as(with.err()).isZero();
    assertThat(with.err()).contains("filled 0.4000");
  }

  @Test
  void barsThatAreNotTheNextAreLeftOutAndToldOnce() {
    List<String> lines = new ArrayList<>(barLines(false));
    String[] first = lines.get(1).split(",");
    String[] other = first.clone();
    Arrays.fill(other, 2, other.length, "77");
    String[] outside = first.clone();
    outside[1] = first[1].replace("09:30:00", "09:25:00");
    lines.add(4, String.join(",", first));
    lines.add(5, String.join(",", first));
    lines.add(6, String.join(",", other));
    lines.add(7, String.join(",", outside));

    Run pipe = pipedAll(lines);

    assertThat(pipe.status()).as(pipe.err()).isZero();
    assertThat(pipe.out()).isEqualTo(decideAll().out());
    assertThat(pipe.err())
        .containsOnlyOnce("had come before;")
        .containsOnlyOnce("had come before with other values")
        .containsOnlyOnce("is not of a tick and day that orders want")
        .contains("warning: standard input:5: the bar of ", "; 4 bars left out");
  }

  @Test
  void barsThatEndEarlyLeaveOrdersOpen() {
    List<String> lines = barLines(false);

    Run pipe = pipedAll(lines.subList(0, 41));

    assertThat(pipe.status()).as(pipe.err()).isZero();
    assertThat(pipe.err()).contains("were not over when the bars ended");
    assertThat(decideAll().out()).startsWith(pipe.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          nothing                                     | 3 | standard input: expected bars, was nothing
          a,b\\n                                      | 3 | standard input:1: expected columns instrument and datetime, was [a, b]
          instrument,datetime\\nA,2020-01-02 09:30\\n | 3 | standard input:1: expected a field
          HEAD\\nA,noon,REST                          | 3 | standard input:2: expected a date and time, was 'noon'
          HEAD\\nA,2020-01-02 09:30,1,2               | 3 | standard input:2: expected
          HEAD\\nA,2020-01-02 09:30,x,REST            | 3 | standard input:2: expected
          HEAD\\nA,"2020-01-02 09:30,REST             | 3 | standard input:2: expected a quote that ends on its line
          {"instrument":"A","datetime":[1]}           | 3 | standard input:1: expected a number or text as datetime
          {"instrument":"A",                          | 3 | standard input:1: expected a JSON object
          """)
  void badLinesAreNamed(String text, int status, String message) {
    String header = barLines(false).getFirst();
    String rest = "1" + ",1".repeat(header.split(",").length - 3);
    String lines =
        text.equals("nothing")
            ? ""
            : text.replace("HEAD", header).replace("REST", rest).replace("\\n", "\n");

    Run result = piped(lines, "--orders", orders.toString());

    assertThat(result.err()).contains(message).doesNotContain("\tat ");
    assertThat(result.status()).isEqualTo(status);
  }

  @Test
  void barsOfAnotherWidthAreRefused() {
    List<String> lines = new ArrayList<>(barLines(false).subList(0, 2));
    lines.add(lines.get(1).replace("09:30:00", "09:31:00"));

    Run result = pipedAll(lines);

    assertThat(result.status()).isEqualTo(ExitCode.DATA);
    assertThat(result.err())
        .contains("standard input:3: expected a time at which a bar of 5min begins, was ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          instrument,side,amount,date;A,sell,100,2020-01-02          | order.csv: row 1: expected an order with bars in
          instrument,side,amount,date;FIRST,hold,100,DATE            | order.csv: row 1: expected buy or sell in side, was hold
          instrument,side,amount,date;FIRST,sell,-1,DATE             | order.csv: row 1: expected a positive amount, was -1.0
          instrument,side,amount,date;FIRST,sell,1,DATE;FIRST,sell,x,DATE | order.csv: row 2: expected a number in amount, was x
          instrument,side,date;FIRST,sell,DATE                       | order.csv: expected a column amount
          instrument,side,amount;FIRST,sell,1                        | order.csv: expected one of [date, datetime]
          id,instrument,side,amount,date;x,FIRST,sell,1,DATE;x,FIRST,buy,1,DATE | order.csv: row 2: expected an id of its own, was x
          instrument,side,amount,start,end;FIRST,sell,1,DATE 14:59:00,DATE 15:00:00 | order.csv: row 1: expected an order with bars in
          instrument,side,amount,date                                | order.csv: expected orders, was none
          """)
  void badOrdersAreNamed(String text, String message) throws IOException {
    String date = "" + OrderFiles.read(orders, OPEN, CLOSE).getFirst().date();
    String first = barLines(false).get(1).split(",")[0];
    Path order =
        Files.writeString(
            folder.resolve("order.csv"),
            text.replace("DATE", date).replace("FIRST", first).replace(';', '\n') + "\n");

    Run result = decide("--bars", bars.toString(), "--orders", order.toString());

    assertThat(result.err()).contains(message).doesNotContain("\tat ");
    assertThat(result.status()).isEqualTo(ExitCode.DATA);
    assertThat(result.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          id,datetime,volume;1,DATE 09:31,5            | fills.csv:1: expected the columns [id, datetime, volume, price]
          id,datetime,volume,price;no,DATE 09:31,5,10  | fills.csv:2: expected the id of an order, was 'no'
          id,datetime,volume,price;1,noon,5,10         | fills.csv:2: expected a date and time, was 'noon'
          id,datetime,volume,price;1,DATE 09:31,5e9,10 | fills.csv:2: expected a fill of what is working
          id,datetime,volume,price;1,DATE 09:31,5,0    | fills.csv:2: expected a fill of what is working
          id,datetime,volume,price;1,DATE 09:31,x,10   | fills.csv:2: expected a number as volume, was 'x'
          """)
  void badFillsAreNamed(String text, String message) throws IOException {
    String date = "" + OrderFiles.read(orders, OPEN, CLOSE).getFirst().date();
    Path fills =
        Files.writeString(
            folder.resolve("fills.csv"), text.replace("DATE", date).replace(';', '\n') + "\n");

    Run result = decideAll("--fills", fills.toString());

    assertThat(result.err()).contains(message).doesNotContain("\tat ");
    assertThat(result.status()).isEqualTo(ExitCode.DATA);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          BUNDLE --orders ORDERS                                    | 2 | Missing required option: '--bars=FILE'
          BUNDLE --bars BARS                                        | 2 | Missing required option: '--orders=FILE'
          BUNDLE --bars BARS --orders ORDERS --history BARS         | 2 | --history: expected bars that come line by line
          BUNDLE --bars - --follow --orders ORDERS                  | 2 | --follow: expected a file
          BUNDLE --bars BARS --orders ORDERS --format xml           | 2 | xml
          BUNDLE --bars BARS/none --orders ORDERS                   | 3 | none: expected a file or folder, was none
          BUNDLE --bars BARS/none --follow --orders ORDERS          | 3 | none: expected a file, was none
          BUNDLE --bars BARS --orders ORDERS/none                   | 3 | none: expected an order file or a folder of them, was none
          BUNDLE --bars BARS --orders ORDERS --fills BARS/none      | 3 | none: expected a file, was none
          BUNDLE --bars BARS --orders ORDERS --out BARS/none/x.csv  | 3 | x.csv: expected a place that can be written
          CONFIG --bars BARS --orders ORDERS                        | 4 | config.yml: expected
          BARS/none --bars BARS --orders ORDERS                     | 4 | none: expected a file, was nothing there
          """)
  void wrongUsageIsOneMessage(String line, int status, String message) {
    String[] words =
        ("decide " + line)
            .replace("BUNDLE", bundle.toString())
            .replace("BARS", bars.toString())
            .replace("ORDERS", orders.toString())
            .replace("CONFIG", run.resolve("config.yml").toString())
            .split(" +");

    Run result = Run.of(words);

    assertThat(result.err()).contains(message).doesNotContain("\tat ");
    assertThat(result.status()).isEqualTo(status);
    assertThat(result.out()).isEmpty();
  }

  @Test
  void linesWithAnyByteChangedAreTakenOrNamed() {
    String text = String.join("\n", barLines(false).subList(0, 30));
    var random = new SplittableRandom(1);
    for (int i = 0; i < Cases.count(20, 2_000); i++) {
      char[] changed = text.toCharArray();
      changed[random.nextInt(changed.length)] = (char) random.nextInt(32, 127);

      Run result = piped(new String(changed), "--orders", orders.toString());

      assertThat(result.status()).as(result.err()).isIn(ExitCode.OK, ExitCode.DATA);
      assertThat(Arrays.asList(result.err().split("\n")))
          .noneMatch(line -> line.startsWith("\tat"));
    }
  }
}

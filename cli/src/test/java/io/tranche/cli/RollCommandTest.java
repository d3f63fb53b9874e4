package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.config.ConfigFiles;
import io.tranche.serving.app.DecisionServer;
import io.tranche.serving.app.DecisionServerConfig;
import io.tranche.testkit.MarketBars;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RollCommandTest {

  private static final String PARTS =
      """
      env: {concurrency: 4}
      runtime: {threads: 1}
      network: {class: RecurrentNetwork, kwargs: {hidden: 4, output: 2}}
      policy: {kwargs: {learning_rate: 0.02}}
      trainer: {max_iterations: 3, episodes_per_iteration: 12, repeat: 1, start_near_twap: false}
      validation: {every: 1, judge: false}
      """;

  @TempDir Path folder;

  @Test
  void eachWindowTrainsBeforeItChoosesAndChoosesBeforeItIsJudged() throws IOException {
    Run run = roll("{market: {instruments: 1, days: 18}}", "--next-days", "3");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("all windows: ").contains("on 9 days that no window had seen");
    assertThat(run.out()).contains("verdict: TWAP: no guard opened");
    for (int window = 1; window <= 3; window++) {
      Path place = folder.resolve("out/windows/00" + window);
      List<String> train = dates(place.resolve("orders/train"));
      List<String> valid = dates(place.resolve("orders/valid"));
      List<String> judged = dates(place.resolve("orders/test"));
      assertThat(train).hasSize(6);
      assertThat(valid).hasSize(3);
      assertThat(judged).hasSize(3);
      assertThat(train.getLast()).isLessThan(valid.getFirst());
      assertThat(valid.getLast()).isLessThan(judged.getFirst());
      assertThat(place.resolve("result.csv")).content().contains(judged.getFirst());
      Run inspected =
          Run.of(
              "inspect", folder.resolve("out/models/roll@%d.tranche".formatted(window)).toString());
      assertThat(inspected.status()).as(inspected.err()).isZero();
    }
    assertThat(folder.resolve("out/roll.csv")).content().hasLineCount(4);
    assertThat(folder.resolve("out/report.md")).content().contains("all windows: ");

    Run other = roll("{market: {instruments: 1, days: 18}}", "--next-days", "2");
    assertThat(other.status()).isEqualTo(2);
    assertThat(other.err()).contains("--out: expected the roll that ");
  }

  @Test
  void aWindowOfAnEarlierVersionIsJudgedAgainWhereItsFilesAreDeleted() throws IOException {
    String data = "{market: {instruments: 1, days: 15}}";
    Run run = roll(data, "--set", "validation.guard=false");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("verdict: not enough days to tell from TWAP: 6 of at least 10");
    Map<String, Integer> straight = hashes();
    Path judged = folder.resolve("out/windows/001/judged.csv");
    Files.write(
        judged,
        Files.readAllLines(judged).stream()
            .map(line -> line.split(",", -1))
            .map(cells -> "%s,%s".formatted(cells[0], cells[4]))
            .toList());

    Run refused = roll(data, "--set", "validation.guard=false");
    assertThat(refused.status()).isEqualTo(3);
    assertThat(refused.err()).contains(judged + ": expected the columns ", "delete this file");

    Files.delete(judged);
    Files.delete(folder.resolve("out/models/roll@1.tranche"));
    Run again = roll(data, "--set", "validation.guard=false");
    assertThat(again.status()).as(again.err()).isZero();
    assertThat(hashes()).isEqualTo(straight);
  }

  @Test
  void goesOnWhereItStoppedWithTheSameBytes() throws IOException {
    String data = "{market: {instruments: 1, days: 15}}";
    assertThat(roll(data).status()).isZero();
    Map<String, Integer> straight = hashes();

    for (String lost :
        List.of(
            "models/roll@2.tranche",
            "windows/002/judged.csv",
            "windows/002/run/selected.ckpt",
            "windows/002/run/checkpoints/best-003.ckpt",
            "windows/002/run/checkpoints/003.ckpt",
            "windows/002/run/checkpoints/002.ckpt",
            "roll.csv")) {
      Files.delete(folder.resolve("out").resolve(lost));
    }
    Run resumed = roll(data);

    assertThat(resumed.status()).as(resumed.err()).isZero();
    assertThat(resumed.err()).contains("window 2: ").doesNotContain("window 1: ");
    assertThat(hashes()).isEqualTo(straight);
  }

  @Test
  @Tag("full")
  void aRollThatIsKilledInAnyWindowLeavesTheSameBytes() throws Exception {
    String data = "{market: {instruments: 1, days: 15}}";
    assertThat(roll(data).status()).isZero();
    Map<String, Integer> straight = hashes();
    for (String mark :
        List.of(
            "windows/001/run/checkpoints/001.ckpt",
            "windows/001/judged.csv",
            "models/roll@1.tranche",
            "windows/002/orders",
            "windows/002/run/checkpoints/002.ckpt",
            "windows/002/run/selected.ckpt")) {
      Process removed = new ProcessBuilder("rm", "-rf", folder.resolve("out").toString()).start();
      assertThat(removed.waitFor()).isZero();
      Process killed = SmallTraining.start(folder, arguments(data));
      while (killed.isAlive() && !Files.exists(folder.resolve("out").resolve(mark))) {
        Thread.sleep(2);
      }
      killed.destroyForcibly().waitFor();

      Run resumed = roll(data);

      assertThat(resumed.status()).as(resumed.err()).isZero();
      assertThat(hashes()).as(mark).isEqualTo(straight);
    }
  }

  @Test
  void saysOnceWhatCanBeSeenOnBarsOfOnesOwn() throws IOException {
    var market = new MarketBars(MarketBars.Kind.US_STOCKS, 30, MarketBars.Columns.NEITHER, 19, 7);

    Run run = roll("{bars: '%s'}".formatted(market.write(folder)), "--train-days", "10");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err()).contains("window 2: ").containsOnlyOnce("to see 1 bps over TWAP takes ");
  }

  /// What a model could know of the judged days, it could only have from a leak: here those days
  /// become others, and not a bit of training, validation or choice changes.
  @Test
  void theJudgedDaysCannotBeKnown() throws IOException {
    var market = new MarketBars(MarketBars.Kind.US_STOCKS, 30, MarketBars.Columns.QUOTES, 12, 7);
    Path bars = market.write(folder);
    String data = "{bars: '%s'}".formatted(bars);
    Path chosen = folder.resolve("out/windows/001/run/selected.ckpt");
    assertThat(roll(data, "--windows", "1").status()).isZero();
    List<String> judged = dates(folder.resolve("out/windows/001/orders/test"));
    List<String> trained = dates(folder.resolve("out/windows/001/orders/train"));
    byte[] known = Files.readAllBytes(chosen);
    String results = Files.readString(folder.resolve("out/windows/001/result.csv"));

    again(bars, judged.getFirst(), null, data);
    assertThat(Files.readAllBytes(chosen)).isEqualTo(known);
    assertThat(Files.readString(folder.resolve("out/windows/001/result.csv")))
        .isNotEqualTo(results);

    again(bars, trained.getFirst(), judged.getFirst(), data);
    assertThat(Files.readAllBytes(chosen)).isNotEqualTo(known);
  }

  /// Rolls again with other prices from one day on, until before another.
  private void again(Path bars, String from, @Nullable String to, String data) throws IOException {
    var changed = new ArrayList<String>();
    List<String> lines = Files.readAllLines(bars);
    List<String> head = Arrays.asList(lines.getFirst().split(","));
    int row = 0;
    for (String line : lines) {
      String[] cells = line.split(",", -1);
      String date =
          Arrays.stream(cells)
              .filter(c -> c.matches("\\d{4}-\\d\\d-\\d\\d.*"))
              .findFirst()
              .orElse("");
      if (!date.isEmpty() && date.compareTo(from) >= 0 && (to == null || date.compareTo(to) < 0)) {
        row++;
        for (String field : List.of("open", "close", "bid", "ask")) {
          int cell = head.indexOf(field);
          if (!cells[cell].isEmpty()) {
            cells[cell] = Double.toString(Double.parseDouble(cells[cell]) * (1 + 0.01 * (row % 7)));
          }
        }
      }
      changed.add(String.join(",", cells));
    }
    Files.write(bars, changed);
    try (var files = Files.walk(folder.resolve("out"))) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
    Run run = roll(data, "--windows", "1");
    assertThat(run.status()).as(run.err()).isZero();
  }

  @Test
  void theNextVersionBecomesAShadowOfAService() throws IOException {
    String data = "{market: {instruments: 1, days: 12}}";
    assertThat(roll(data).status()).isZero();
    Path models = folder.resolve("out/models");
    Path main = Files.copy(models.resolve("roll@1.tranche"), models.resolve("main@1.tranche"));
    Path token = Files.writeString(folder.resolve("token"), "0123456789abcdef0123456789abcdef");
    var node =
        ConfigFiles.parse(
            "test",
            "{journal: journal, http: {port: 0, token_file: token}, engine: {limits: none,"
                + " needs_earlier_days: false}}");
    try (var server =
        DecisionServer.start(DecisionServerConfig.of(List.of(main), node, folder), _ -> {})) {
      Run run = roll(data, "--shadow", server.http().url(), "--token-file", token.toString());

      assertThat(run.status()).as(run.err()).isZero();
      assertThat(run.out()).contains("main@1 decides in ").contains("roll@1 is its shadow");
    }
  }

  @Test
  void refusesWhatCannotBeRolled() {
    assertThat(roll("{market: {instruments: 1, days: 8}}").err())
        .contains(
            "--train-days, --valid-days and --next-days: expected together at most the 8 days with"
                + " orders, was 12");
    assertThat(roll("{market: {instruments: 1, days: 12}}", "--name", "a b").status()).isEqualTo(2);
    assertThat(roll("{market: {}, features: somewhere}").err())
        .contains("data.features: expected features that are computed from the bars");
  }

  private Run roll(String data, String... more) {
    return Run.of(arguments(data, more).toArray(String[]::new));
  }

  private List<String> arguments(String data, String... more) {
    try {
      Path config =
          Files.writeString(
              folder.resolve("roll.yml"), "tranche: 1\ndata: %s\n%s".formatted(data, PARTS));
      var arguments = new ArrayList<>(List.of("roll", config.toString()));
      arguments.addAll(List.of("--out", folder.resolve("out").toString()));
      arguments.addAll(List.of("--valid-days", "3"));
      if (!List.of(more).contains("--train-days")) {
        arguments.addAll(List.of("--train-days", "6"));
      }
      if (!List.of(more).contains("--next-days")) {
        arguments.addAll(List.of("--next-days", "3"));
      }
      arguments.addAll(List.of(more));
      return arguments;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> dates(Path orders) throws IOException {
    var dates = new TreeSet<String>();
    try (var files = Files.list(orders)) {
      for (Path file : files.toList()) {
        Files.readAllLines(file).stream()
            .skip(1)
            .forEach(line -> dates.add(line.split(",", -1)[0].substring(0, 10)));
      }
    }
    return List.copyOf(dates);
  }

  /// Returns everything but what says when something happened.
  private Map<String, Integer> hashes() throws IOException {
    var hashes = new TreeMap<String, Integer>();
    try (var files = Files.walk(folder.resolve("out"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = folder.resolve("out").relativize(file).toString();
        if (!name.matches(".*(lock|process.jsonl|events.out.tfevents.*)")) {
          hashes.put(name, Arrays.hashCode(Files.readAllBytes(file)));
        }
      }
    }
    return hashes;
  }
}

package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.cli.console.ExitCode;
import io.tranche.config.ConfigFiles;
import io.tranche.serving.app.DecisionServer;
import io.tranche.serving.app.DecisionServerConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayCommandTest {

  private static final String TOKEN = "0123456789abcdef0123";
  private static final long NEVER_LATE_MICROS = 60_000_000;

  @TempDir static Path runs;
  @TempDir Path folder;

  private static DecideCase made =
      new DecideCase(Path.of(""), Path.of(""), Path.of(""), Path.of(""));
  private static Path bundle = Path.of("");
  private static String decided = "";

  @BeforeAll
  static void make() throws IOException {
    made = DecideCase.in(runs);
    bundle = Files.createDirectory(runs.resolve("models")).resolve("demo@1.tranche");
    Files.copy(made.bundle(), bundle);
    decided = made.decideAll().out();
  }

  private DecisionServer serve(String... assignments) throws IOException {
    Files.writeString(folder.resolve("token"), TOKEN);
    var node =
        ConfigFiles.parse(
            "test",
            "{journal: journal, http: {port: 0, token_file: token}, engine: {limits: {slice: 1e9}}}");
    for (String each : assignments) {
      node = node.with(each);
    }
    return DecisionServer.start(DecisionServerConfig.of(List.of(bundle), node, folder), _ -> {});
  }

  private Run replay(String target, String... more) {
    var arguments = new ArrayList<>(List.of("replay", target));
    arguments.addAll(List.of(more));
    return Run.of(arguments.toArray(String[]::new));
  }

  private Run replayAll(String target, String... more) {
    var arguments =
        new ArrayList<>(
            List.of("--bars", made.bars().toString(), "--orders", made.orders().toString()));
    arguments.addAll(List.of(more));
    return replay(target, arguments.toArray(String[]::new));
  }

  private static String withoutChoices(String rows) {
    return rows.lines()
        .map(line -> line.substring(0, line.lastIndexOf(',')))
        .reduce("", (one, other) -> one + other + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"max", "1000000", "100000"})
  void aModelTakesTheDecisionsOfDecideAtAnySpeed(String speed) {
    Path out = folder.resolve("decisions.csv");

    Run run = replayAll(bundle.toString(), "--speed", speed, "--decisions", out.toString());

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(out).hasContent(decided);
    assertThat(run.out())
        .contains("%d done  filled 100.00 %%".formatted(made.readOrders().size()))
        .contains("by TWAP 0  switched off 0  limited 0  asked again 0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"max", "100000"})
  void aServiceTakesTheDecisionsOfAModelAtAnySpeed(String speed) throws IOException {
    Path out = folder.resolve("decisions.csv");
    try (var server = serve()) {
      Run run =
          replayAll(
              server.http().url(),
              "--speed",
              speed,
              "--deadline-micros",
              "" + NEVER_LATE_MICROS,
              "--decisions",
              out.toString());

      assertThat(run.status()).as(run.err()).isZero();
      assertThat(withoutChoices(Files.readString(out))).isEqualTo(withoutChoices(decided));
      assertThat(advantages(run)).isEqualTo(advantages(replayAll(bundle.toString(), "--quiet")));
    }
  }

  @Test
  void whatTheServiceHoldsBackIsNotFilled() throws IOException {
    try (var server = serve("engine.limits.slice_share=0.05")) {
      Run run =
          replay(
              server.http().url(),
              "--generate",
              "--days",
              "1",
              "--instruments",
              "2",
              "--deadline-micros",
              "" + NEVER_LATE_MICROS);

      assertThat(run.status()).as(run.err()).isZero();
      assertThat(run.out()).doesNotContain("limited 0").doesNotContain("filled 100");
    }
  }

  private static String advantages(Run run) {
    return run.out().lines().filter(line -> line.startsWith("advantage")).findFirst().orElseThrow();
  }

  @Test
  void theAdvantageIsThatOfDecide() throws IOException {
    Path json = folder.resolve("out.json");
    Path csv = folder.resolve("out.csv");

    Run figures = replayAll(bundle.toString(), "--quiet", "--out", json.toString());
    Run rows = replayAll(bundle.toString(), "--quiet", "--out", csv.toString());

    assertThat(figures.err()).isEmpty();
    assertThat(rows.status()).isZero();
    List<String> lines = Files.readAllLines(csv);
    assertThat(lines).hasSize(made.readOrders().size() + 1);
    double mean =
        lines.stream()
            .skip(1)
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(',') + 1)))
            .average()
            .orElseThrow();
    assertThat(made.decideAll().err()).contains("advantage %.2f bps".formatted(mean));
    assertThat(Files.readString(json))
        .contains("\"orders_done\" : " + made.readOrders().size(), "\"latency_p99_micros\" : ");
  }

  @Test
  void generatedBarsAndOrdersAreTheSameForTheSameSeed() throws IOException {
    List<String> generated =
        List.of("--generate", "--days", "2", "--instruments", "2", "--orders-a-day", "5", "--seed");
    var rows = new ArrayList<String>();
    for (String seed : List.of("3", "3", "4")) {
      Path out = folder.resolve("out.csv");
      var arguments = new ArrayList<>(generated);
      arguments.addAll(List.of(seed, "--out", out.toString(), "--quiet"));
      Run run = replay(bundle.toString(), arguments.toArray(String[]::new));
      assertThat(run.status()).as(run.err()).isZero();
      rows.add(Files.readString(out));
    }

    assertThat(rows.get(1)).isEqualTo(rows.get(0));
    assertThat(rows.get(2)).isNotEqualTo(rows.get(0));
    assertThat(rows.get(0).lines()).hasSize(11);
  }

  @Test
  void aServiceThatHasHadTheDaysTakesThemOnOtherDates() throws IOException {
    try (var server = serve("engine.days_ahead=200")) {
      String late = "" + NEVER_LATE_MICROS;
      Run first = replayAll(server.http().url(), "--deadline-micros", late);
      Run again = replayAll(server.http().url(), "--deadline-micros", late);
      Run later = replayAll(server.http().url(), "--deadline-micros", late, "--shift-weeks", "20");

      assertThat(first.status()).as(first.err()).isZero();
      assertThat(again.status()).isEqualTo(ExitCode.DATA);
      assertThat(again.err()).contains("--shift-weeks").doesNotContain("\tat ");
      assertThat(later.status()).as(later.err()).isZero();
      assertThat(advantages(later)).isEqualTo(advantages(first));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          BUNDLE                                                | 2 | --bars and --generate: expected one of them, was none
          BUNDLE --generate --bars BARS                         | 2 | --bars and --generate: expected one of them, was both
          BUNDLE --generate --speed 0                           | 2 | --speed: expected a number above 0, or max, was 0
          BUNDLE --generate --speed fast                        | 2 | --speed: expected a number above 0, or max, was fast
          BUNDLE --generate --for ever                          | 2 | --for: expected a time such as 90s, 10m or 8h, was ever
          BUNDLE --generate --days 0                            | 2 | --days: expected at least 1, was 0
          BUNDLE --generate --out x.xml                         | 2 | --out: expected a file .json or .csv
          BUNDLE --generate --patience 3s                       | 2 | expected a service, was
          BUNDLE --bars BARS --orders ORDERS --days 3           | 2 | expected something to generate
          BUNDLE --generate --orders ORDERS --orders-a-day 3    | 2 | --orders-a-day: expected orders to generate
          localhost:8700 --generate                             | 2 | expected a bundle, or an address such as http://127.0.0.1:8700
          http://127.0.0.1:x --generate                         | 2 | expected a bundle, or an address such as http://127.0.0.1:8700
          http://127.0.0.1:1/path --generate                    | 2 | expected a bundle, or an address such as http://127.0.0.1:8700
          http://127.0.0.1:1 --generate --token-file none       | 2 | none: expected a file that can be read
          http://127.0.0.1:1 --generate                         | 3 | http://127.0.0.1:1: expected a service that answers, was
          none.tranche --generate                               | 4 | none.tranche
          BUNDLE --bars none                                    | 3 | none
          BUNDLE --generate --frequency 1min                    | 2 | --mapping, --frequency and --session: expected bars of a file
          BUNDLE --bars BARS --orders FOREIGN                   | 3 | expected an order with bars in
          BUNDLE --bars EMPTY                                   | 3 | EMPTY
          BUNDLE --bars MINUTES                                 | 3 | expected bars of 5min, was 1min
          """)
  void whatIsWrongIsSaidInOneLine(String line, int status, String message) throws IOException {
    Path foreign = folder.resolve("foreign.csv");
    Files.writeString(foreign, "instrument,side,amount,date\nNOBODY,sell,100,2024-01-02\n");
    Path empty = Files.createDirectory(folder.resolve("EMPTY"));
    Path minutes = folder.resolve("minutes.csv");
    if (line.contains("MINUTES")) {
      Run data =
          Run.of(
              "data",
              "generate",
              minutes.toString(),
              "--frequency",
              "1min",
              "--days",
              "3",
              "--instruments",
              "1");
      assertThat(data.status()).as(data.err()).isZero();
    }
    var words = new ArrayList<>(List.of("replay"));
    for (String word : line.split(" +", -1)) {
      words.add(
          switch (word) {
            case "BUNDLE" -> bundle.toString();
            case "BARS" -> made.bars().toString();
            case "ORDERS" -> made.orders().toString();
            case "FOREIGN" -> foreign.toString();
            case "EMPTY" -> empty.toString();
            case "MINUTES" -> minutes.toString();
            default -> word;
          });
    }

    Run run = Run.of(words.toArray(String[]::new));

    assertThat(run.err()).contains(message).doesNotContain("\tat ");
    assertThat(run.status()).isEqualTo(status);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void aWrongTokenIsNamed() throws IOException {
    Path wrong = Files.writeString(folder.resolve("wrong"), "fedcba98765432100000");
    try (var server = serve("http.bind=0.0.0.0")) {
      String url = "http://127.0.0.1:" + URI.create(server.http().url()).getPort();

      Run none = replayAll(url);
      Run other = replayAll(url, "--token-file", wrong.toString());
      Run right =
          replayAll(
              url,
              "--token-file",
              folder.resolve("token").toString(),
              "--deadline-micros",
              "" + NEVER_LATE_MICROS);

      assertThat(none.status()).isEqualTo(ExitCode.CONFIG);
      assertThat(none.err()).contains("--token-file: expected the token of http://127.0.0.1:");
      assertThat(other.status()).isEqualTo(ExitCode.CONFIG);
      assertThat(right.status()).as(right.err()).isZero();
    }
  }

  @Test
  void ctrlCEndsItWithItsSummary() throws Exception {
    Path rows = folder.resolve("rows.csv");
    Process process =
        SmallTraining.start(
            folder,
            List.of(
                "replay",
                bundle.toString(),
                "--generate",
                "--loop",
                "--decisions",
                rows.toString()));
    try {
      while (process.isAlive() && (!Files.exists(rows) || Files.size(rows) == 0)) {
        process.waitFor(20, TimeUnit.MILLISECONDS);
      }
      new ProcessBuilder("kill", "-INT", "" + process.pid()).start().waitFor();

      assertThat(process.onExit().join().exitValue())
          .as(Files.readString(folder.resolve("log.txt")))
          .isEqualTo(ExitCode.INTERRUPTED);
      assertThat(Files.readString(folder.resolve("log.txt")))
          .contains("  ended  pass ", "advantage  ", "latency    p50 ");
    } finally {
      process.destroyForcibly();
    }
  }
}

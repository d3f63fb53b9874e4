package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {

  private static final Path GOLDEN = Shared.root().resolve("conformance/golden");
  private static final String STORE = GOLDEN.resolve("dataset/bin_5min").toString();

  @TempDir Path folder;

  @Test
  void helpsWithoutArguments() {
    Run run = Run.of();

    assertThat(run.status()).isZero();
    assertThat(run.out())
        .contains("Verbs:", "demo", "train", "data", "orders", "conformance", "bench");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "--version",
        "demo --help",
        "train --help",
        "export --help",
        "inspect --help",
        "tune --help",
        "decide --help",
        "components --help",
        "data --help",
        "data check --help",
        "data convert --help",
        "data features --help",
        "data generate --help",
        "orders --help",
        "orders generate --help",
        "orders merge --help",
        "conformance --help",
        "serve --help"
      })
  void helpsWithEveryVerb(String line) {
    Run run = Run.of(line.split(" "));

    assertThat(run.status()).isZero();
    assertThat(run.out()).isNotBlank();
    assertThat(run.err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dmo",
        "demo --seed x",
        "demo extra",
        "data check",
        "data convert one",
        "data check x --most 0",
        "data check x --frequency fortnight",
        "data check x --session mars",
        "data check x --mapping none.yml",
        "data features none.yml target",
        "orders generate x y --format xls",
        "orders generate x y --train-until 2021-01-01",
        "orders generate x y --train-until 2021-02-01 --valid-until 2021-01-01"
      })
  void answersWrongUsageInOneOrTwoLines(String line) {
    Run run = Run.of(line.split(" "));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines().count()).isBetween(1L, 2L);
    assertThat(run.err()).doesNotContain("Exception");
  }

  @ParameterizedTest
  @CsvSource({
    "trian, did you mean train?",
    "data chek, did you mean check?",
    "train x --ouut y, did you mean --out?"
  })
  void guessesWhatWasMeant(String line, String guess) {
    Run run = Run.of(line.split(" "));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains(guess);
  }

  @Test
  void helpVerbIsVerbHelp() {
    assertThat(Run.of("help", "train").out()).isEqualTo(Run.of("train", "--help").out());
    assertThat(Run.of("help", "nosuch").status()).isEqualTo(2);
  }

  @Test
  void oldSpellingsWorkWithAWarning() {
    Run old = Run.of("export", "none", "--to", "x.tranche");
    Run now = Run.of("export", "none", "--out", "x.tranche");

    assertThat(old.err())
        .isEqualTo("warning: write --out instead of --to, which means the same\n" + now.err());
    assertThat(old.status()).isEqualTo(now.status());
  }

  @Test
  void theTargetAfterTheInputWorksWithAWarning() {
    Path file = folder.resolve("bars.csv");
    Run old = Run.of("data", "generate", file.toString(), "--days", "3", "--instruments", "1");

    assertThat(old.status()).isZero();
    assertThat(old.err())
        .isEqualTo(
            "warning: write --out %s instead of %s, which means the same%n".formatted(file, file));
    Run both = Run.of("data", "convert", "a", "b", "--out", "c");
    assertThat(both.status()).isEqualTo(2);
    assertThat(both.err()).isEqualTo("--out: expected one place to write to, was c and b\n");
  }

  @Test
  void saysLessOrMore() {
    Path file = folder.resolve("bars.csv");
    String[] generate = {"data", "generate", "--out", file.toString(), "--days", "3"};
    String[] convert = {"data", "convert", file.toString(), "--out", folder + "/b.parquet"};

    Run quiet = Run.of(with(generate, "--quiet"));
    Run usual = Run.of(convert);
    Run silent = Run.of(with(convert, "--quiet"));
    Run verbose = Run.of(with(convert, "--verbose"));
    Run failed = Run.of("data", "convert", "none", "--out", "x", "--verbose");

    assertThat(quiet.err()).isEmpty();
    assertThat(quiet.out()).contains("60 instruments");
    assertThat(usual.err()).contains("session: ").doesNotContain("MB of memory");
    assertThat(silent.err()).isEmpty();
    assertThat(silent.out()).isEqualTo(usual.out());
    assertThat(verbose.err())
        .contains("session: ")
        .containsPattern("\\d+\\.\\d s, at most \\d+ MB of memory, tranche .*Java");
    assertThat(failed.err()).contains("none: expected a file or folder", "at io.tranche.");
    assertThat(failed.status()).isEqualTo(3);
  }

  private static String[] with(String[] words, String word) {
    return Stream.concat(Stream.of(words), Stream.of(word)).toArray(String[]::new);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void completesEveryVerbAndOption(String shell) {
    Run run = Run.of("completion", shell);

    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("judge", "generate", "iterations", "time-zone");
  }

  @Test
  void writesAManualPageForEveryVerb() throws IOException {
    Run run = Run.of("man", "--out", folder.resolve("man1").toString());

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(folder.resolve("man1/tranche.1")).content().contains(".SH VERBS", "EXIT STATUS");
    assertThat(folder.resolve("man1/tranche-data-check.1"))
        .content()
        .contains(".TH \"TRANCHE-DATA-CHECK\" 1", "\\fB\\-\\-session\\fR \\fISESSION\\fR")
        .doesNotContain("${DEFAULT-VALUE}");
  }

  @Test
  void writesTheDemoAndReplacesAnEarlierOne() throws IOException {
    String out = folder.resolve("demo").toString();

    Run first = Run.of("demo", "--out", out, "--iterations", "4");
    Run second = Run.of("demo", "--out", out, "--signal", "0", "--iterations", "1");

    assertThat(first.status()).as(first.err()).isZero();
    assertThat(first.out()).contains("seed 1: 60 instruments, 150 days of 48 bars");
    assertThat(first.out()).containsPattern("An agent can gain up to \\d+\\.\\d ± \\d\\.\\d bps");
    assertThat(first.out()).containsPattern("the visible-information optimum +14\\.1 ± +2\\.6");
    assertThat(first.out()).contains("The agent ", "(judged: 004.ckpt, the best by val/pa)");
    assertThat(second.out()).contains("There is nothing to learn in this market");
    // The verdict on the agent, after training.
    assertThat(second.out())
        .containsPattern("\nthe agent +-?\\d+\\.\\d ± ")
        .containsPattern("\nthe visible-information optimum +0\\.0 ± +0\\.0 ")
        .containsPattern("\nThe agent .*no difference from TWAP")
        .doesNotContain("better than TWAP")
        .contains("(judged: 001.ckpt, the last, none was validated)");
    assertThat(Files.readString(Path.of(out, "report.html"))).contains("The agent ");
    assertThat(Files.readString(Path.of(out, "demo.yml"))).contains("signal: 0.0");
    assertThat(Files.readString(Path.of(out, "market.svg"))).startsWith("<svg").contains("</svg>");
    assertThat(Run.of("data", "check", out + "/data/bars").status()).isZero();
    assertThat(entries(folder)).containsExactly("demo");
  }

  @Test
  void givesTheSameDemoForTheSameSeed() throws IOException {
    for (String name : List.of("one", "two")) {
      String out = folder.resolve(name).toString();
      Run.of("demo", "--out", out, "--seed", "7", "--iterations", "1");
    }

    for (String file :
        List.of(
            "market.svg",
            "data/orders/all/SYN0001.csv",
            "metrics.jsonl",
            "report.html",
            "checkpoints/001.ckpt")) {
      assertThat(Files.mismatch(folder.resolve("one/" + file), folder.resolve("two/" + file)))
          .as(file)
          .isEqualTo(-1);
    }
  }

  @Test
  void doesNotReplaceWhatIsNoDemo() throws IOException {
    Files.writeString(folder.resolve("mine.txt"), "mine");

    Run run = Run.of("demo", "--out", folder.toString());

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("--out: expected a new or empty folder, or an earlier demo");
    assertThat(entries(folder)).containsExactly("mine.txt");
  }

  @Test
  void convertsFromAnyFormToAnyOther() {
    String parquet = folder.resolve("bars.parquet").toString();
    String csv = folder.resolve("bars.csv").toString();
    String store = folder.resolve("store").toString();

    assertThat(Run.of("data", "convert", STORE, "--out", parquet).status()).isZero();
    assertThat(Run.of("data", "convert", parquet, "--out", csv).status()).isZero();
    Run run = Run.of("data", "convert", csv, "--out", store, "--frequency", "5min");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("3 instruments, 2592 bars");
    Run again = Run.of("data", "convert", csv, "--out", store);
    assertThat(again.status()).isEqualTo(3);
    assertThat(again.err()).contains("a folder in use");
  }

  @Test
  void generatesBarsInTheShapeOfAnySession() {
    String target = folder.resolve("night.parquet").toString();

    Run run =
        Run.of(
            ("data generate TARGET --instruments 2 --days 3 --session cn_futures"
                    + " --frequency 5min --book depth")
                .replace("TARGET", target)
                .split(" "));

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("2 instruments, ");
    assertThat(Run.of("data", "check", target, "--session", "cn_futures").status()).isZero();
    assertThat(Run.of("data", "generate", "--out", target, "--days", "0").status()).isEqualTo(2);
  }

  @Test
  void doesNotTakeFeaturesForPrices() throws IOException {
    Path config = featureConfig();
    String target = folder.resolve("features").toString();
    Run.of("data", "features", config.toString(), "--out", target, "--bars", STORE);

    assertThat(Run.of("data", "check", target).status()).isZero();
    assertThat(Run.of("data", "check", target + "/feature").status()).isZero();
  }

  @Test
  void saysWhyATargetCannotBeWritten() {
    Run run = Run.of("data", "convert", STORE, "--out", folder.resolve("none/x.csv").toString());

    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err())
        .contains("none/x.csv: expected a place that can be written, was one without its folder");
  }

  @Test
  void writesPicklesThatItReadsBack() {
    String pickle = folder.resolve("x.pkl").toString();
    String csv = folder.resolve("x.csv").toString();

    Run run = Run.of("data", "convert", STORE, "--out", pickle);

    assertThat(run.status()).as(run.err()).isZero();
    Run back = Run.of("data", "convert", pickle, "--out", csv, "--frequency", "5min");
    assertThat(back.status()).as(back.err()).isZero();
    assertThat(back.out()).contains("3 instruments, 2592 bars");
  }

  @Test
  void saysWhatIsWrongWithAFile() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("bad.csv"),
            """
            symbol,datetime,open,high,low,close,volume
            A,2021-03-01 09:30,10,11,9,10,100
            A,2021-03-01 09:31,10,9,11,10,100
            A,2021-03-01 09:31,10,11,9,10,-5
            """);

    Run run = Run.of("data", "check", file.toString());

    assertThat(run.status()).isEqualTo(3);
    assertThat(run.out())
        .contains("bad.csv:3")
        .contains("A at 2021-03-01 09:31:00: expected high not below low")
        .contains("expected one bar per time")
        .contains("expected no volume below zero")
        .contains("errors");
    assertThat(entries(folder)).containsExactly("bad.csv");
  }

  @Test
  void generatesAndMergesOrders() {
    String orders = folder.resolve("orders").toString();
    String merged = folder.resolve("test.parquet").toString();

    Run generated = Run.of("orders", "generate", STORE, "--out", orders);
    Run run = Run.of("orders", "merge", orders + "/test", "--out", merged);

    assertThat(generated.status()).as(generated.err()).isZero();
    assertThat(generated.out()).contains("train: ", "valid: ", "test: ", "all: ");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).containsPattern("test.parquet: [1-9]\\d* orders");
    assertThat(Run.of("data", "check", merged).status()).isZero();
    assertThat(Run.of("orders", "generate", STORE, "--out", orders).status()).isEqualTo(3);
  }

  @Test
  void generatesOrdersByQlibsRule() throws IOException {
    var bars = new StringBuilder("symbol,datetime,$close0,$volume0\n");
    for (int day = 1; day <= 3; day++) {
      for (int bar = 0; bar < 48; bar++) {
        bars.append("A,2021-03-0%d %02d:%02d,10,500\n".formatted(day, 10 + bar / 12, bar % 12 * 5));
      }
    }
    Path file = Files.writeString(folder.resolve("backtest.csv"), bars);
    String target = folder.resolve("orders").toString();

    Run run = Run.of("orders", "generate", file.toString(), "--out", target, "--rule", "qlib");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("all: 3 orders");
    Run stocksWithHoles =
        Run.of("orders", "generate", STORE, "--out", target + "2", "--rule", "qlib");
    assertThat(stocksWithHoles.status()).isEqualTo(3);
    assertThat(stocksWithHoles.err()).contains("a stock with a price and volume in each of its");
  }

  @Test
  void saysSoInsteadOfWritingNoOrders() throws IOException {
    Path bars =
        Files.writeString(
            folder.resolve("quiet.csv"),
            """
            symbol,datetime,close,volume
            A,2021-03-01 09:30,10,0
            A,2021-03-02 09:30,10,0
            A,2021-03-03 09:30,10,0
            """);
    Path none = Files.createDirectory(folder.resolve("none"));

    Run generated =
        Run.of("orders", "generate", bars.toString(), "--out", folder.resolve("orders").toString());
    Run merged =
        Run.of("orders", "merge", none.toString(), "--out", folder.resolve("all.csv").toString());

    assertThat(generated.status()).isEqualTo(3);
    assertThat(generated.err()).contains("quiet.csv: expected a day with a price and volume");
    assertThat(merged.status()).isEqualTo(3);
    assertThat(merged.err()).contains("none: expected order files, was a folder without any");
    assertThat(entries(folder)).containsExactly("none", "quiet.csv");
  }

  @Test
  void convertsNothingOutOfAnEmptyStore() throws IOException {
    Path store = folder.resolve("store");
    for (String part : List.of("calendars", "instruments", "features")) {
      Files.createDirectories(store.resolve(part));
    }
    Files.createFile(store.resolve("calendars/5min.txt"));
    Files.createFile(store.resolve("instruments/all.txt"));

    for (String target : List.of("target", "target.csv", "target.parquet")) {
      Run run =
          Run.of("data", "convert", store.toString(), "--out", folder.resolve(target).toString());

      assertThat(run.status()).isEqualTo(3);
      assertThat(run.err()).contains("store: expected bars of at least one instrument, was none");
    }
    assertThat(entries(folder)).containsExactly("store");
  }

  @Test
  void makesFeaturesOfANativeConfiguration() throws IOException {
    Path config = featureConfig();
    String target = folder.resolve("features").toString();

    Run run = Run.of("data", "features", config.toString(), "--out", target, "--bars", STORE);
    Run again = Run.of("data", "features", config.toString(), "--out", target, "--bars", STORE);
    Run without = Run.of("data", "features", config.toString(), "--out", target);

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("3 instruments, 10 columns, 5 days").contains("price");
    assertThat(again.out()).isEqualTo(run.out());
    assertThat(without.status()).isEqualTo(2);
    assertThat(without.err()).startsWith("--bars: expected the bars");
  }

  @Test
  void replaysTheGoldenCases() {
    Run run = Run.of("conformance", GOLDEN.toString());

    assertThat(run.status()).as(run.out()).isZero();
    assertThat(run.out())
        .contains("qlib_data: 130 passed, 0 failed")
        .contains("data_features: 37 passed, 0 failed")
        .contains("data_orders: 50 passed, 0 failed")
        .contains("config_parser: 18 passed, 0 failed")
        .contains("deviation Q24");
    assertThat(run.out().lines().toList().getLast()).matches("\\d+ passed, 0 failed");
  }

  @Test
  void answersAMissingGoldenFolder() {
    Run run = Run.of("conformance", folder.resolve("none").toString());

    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).contains("expected a directory of golden files, was missing");
  }

  private Path featureConfig() throws IOException {
    return Files.writeString(
        folder.resolve("config.yml"),
        """
            start: 2021-02-25
            end: 2021-03-03
            fit_end: 2021-03-01
            day_length: 48
            columns: [$open, $high, $low, $close]
            norm_groups: {price: 8, volume: 2}
            """);
  }

  private static List<String> entries(Path root) throws IOException {
    try (Stream<Path> paths = Files.list(root)) {
      return paths.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }
}

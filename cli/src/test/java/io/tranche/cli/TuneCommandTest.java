package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.MarketBars.Columns;
import io.tranche.testkit.MarketBars.Kind;
import io.tranche.testkit.MarketBars;
import io.tranche.testkit.Skip;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Searches over small runs, some in processes that are killed.
class TuneCommandTest {

  private static final long MAX_SECONDS = 300;

  private static final String SEARCH =
      """
      tune: 1
      config: small.yml
      metric: reward
      space:
        policy.kwargs.learning_rate: {range: [1.0e-4, 1.0e-1], scale: log}
        network.kwargs.hidden: {values: [4, 8]}
      trials: 4
      iterations: 4
      reduction: 2
      save_every: 1
      """;

  @TempDir Path folder;

  @BeforeEach
  void writeTheFiles() throws IOException {
    SmallTraining.write(folder);
    write(SEARCH);
  }

  private void write(String text) throws IOException {
    Files.writeString(folder.resolve("tune.yml"), text);
  }

  @Test
  void findsTheBestAndSaysWhatToDoWithIt() throws IOException {
    Run run = tune("one");
    Run again = tune("one", "--threads", "1");
    Run other = tune("two", "--threads", "3");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out())
        .contains(
            "best of 5: trial ", "reward ", " after 4 iterations: policy.kwargs.learning_rate=")
        .contains("leaderboard.csv", "report.html", "config.yml", "its model: tranche export ");
    assertThat(again.out()).endsWith(run.out().substring(run.out().indexOf("best of 5")));
    assertThat(other.status()).as(other.err()).isZero();
    assertSame("one", "two");
    assertThat(folder.resolve("one/report.html")).isNotEmptyFile();
    String best = run.out().replaceAll("(?s).*its model: tranche export (\\S+).*", "$1");
    Run export = Run.of("export", best, "--out", folder.resolve("model.tranche").toString());
    assertThat(export.status()).as(export.err()).isZero();
    Run trained =
        Run.of("train", best + "/config.yml", "--out", folder.resolve("trained").toString());
    assertThat(trained.status()).as(trained.err()).isZero();
    assertThat(Files.readString(folder.resolve("trained/metrics.jsonl")))
        .contains("\"reward\":" + bestReward("one"));
  }

  @Test
  void headsRatesAndAlgorithmsOfContinuousActionsAreTuned() throws IOException {
    write(
        SEARCH
            .replace(
                "  network.kwargs.hidden: {values: [4, 8]}",
                "  policy.kwargs.head: {values: [gaussian, beta]}\n"
                    + "  action_interpreter.kwargs.max_rate: {range: [2, 8]}")
            .replace("metric: reward", "metric: pa"));
    Files.writeString(
        folder.resolve("small.yml"),
        "\naction_interpreter: {class: TwapRelativeInterpreter, kwargs: {max_rate: 4}}\n",
        StandardOpenOption.APPEND);

    Run run = tune("one");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("policy.kwargs.head=", "action_interpreter.kwargs.max_rate=");
    String best = run.out().replaceAll("(?s).*its model: tranche export (\\S+).*", "$1");
    Run judged = judge(best, "judged");
    assertThat(judged.status()).as(judged.err()).isZero();
    Run trained =
        Run.of("train", best + "/config.yml", "--out", folder.resolve("trained").toString());
    assertThat(trained.status()).as(trained.err()).isZero();
    Run again = judge(folder.resolve("trained").toString(), "again");
    assertThat(MarketVerbs.reported(folder.resolve("again")))
        .as(again.err())
        .isNotEmpty()
        .isEqualTo(MarketVerbs.reported(folder.resolve("judged")));
  }

  private Run judge(String run, String to) {
    return Run.of("judge", run, "--weights", "last", "--out", folder.resolve(to).toString());
  }

  /// The metric of the first row.
  private String bestReward(String name) throws IOException {
    return Files.readAllLines(folder.resolve(name).resolve("leaderboard.csv"))
        .get(1)
        .split(",", -1)[4];
  }

  @Test
  void aKilledSearchGoesOnAsIfNothingHadHappened() throws Exception {
    Run straight = tune("straight");
    assertThat(straight.status()).as(straight.err()).isZero();

    for (int lines : List.of(0, 1, 5)) {
      Process process = start("killed");
      await(process, "killed", lines);
      process.destroyForcibly().waitFor();
    }
    Run resumed = tune("killed");

    assertThat(resumed.status()).as(resumed.err()).isZero();
    assertSame("straight", "killed");
  }

  @Test
  void anInterruptedSearchSavesAndGoesOn() throws Exception {
    write(SEARCH.replace("iterations: 4", "iterations: 400"));
    Process process = start("one");

    await(process, "one", 1);
    int status = new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    Skip.unless(status == 0, "no signals here");
    assertThat(process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();

    assertThat(process.exitValue()).isEqualTo(130);
    assertThat(Files.readString(folder.resolve("log.txt")))
        .contains("interrupted; run the same command to continue");
    assertThat(folder.resolve("one/leaderboard.csv")).doesNotExist();
  }

  @Test
  void mistakesAreNamedWithTheirPlaces() throws IOException {
    assertFails(tune("out", "--on", "moon"), 2, "--on: expected local, ", "was moon");
    assertFails(tune("out", "--threads", "0"), 2, "--threads: expected at least 1, was 0");
    assertFails(tune("out", "--spark-conf", "x"), 2, "--spark-conf: expected KEY=VALUE, was x");
    write(SEARCH.replace("trials: 4", "trils: 4"));
    assertFails(tune("out"), 2, "tune.yml:7: expected a key", "trils");
    write(SEARCH.replace("reward", "rewart"));
    assertFails(tune("metric"), 2, "all trials failed", "the metric rewart was never logged");
    write(SEARCH.replace("learning_rate", "learning_rat"));
    assertFails(tune("kwargs"), 2, "all trials failed", "learning_rat");
    write(SEARCH.replace("[1.0e-4, 1.0e-1]", "[1.0e+37, 1.0e+38]"));
    assertFails(tune("diverged"), 6, "all trials failed, the first because of iteration ");
  }

  @Test
  void ordersThatCannotBeExecutedStopItOrAreLeftOut() throws IOException {
    var market = new MarketBars(Kind.US_STOCKS, 15, Columns.NEITHER, 8, 7);
    Path bars = market.write(folder);
    String good = "USSTOCKS0,sell,%s,100\n".formatted(market.dates().get(2));
    String bad = "USSTOCKS0,sell,2030-01-01,100\n";
    for (String stage : List.of("train", "valid")) {
      Path orders = Files.createDirectories(folder.resolve("orders").resolve(stage));
      Files.writeString(orders.resolve("own.csv"), "instrument,side,date,amount\n" + good + bad);
    }
    Files.writeString(
        folder.resolve("small.yml"),
        """
        tranche: 1
        data: {bars: '%s', orders: '%s'}
        network: {class: RecurrentNetwork, kwargs: {hidden: 4, output: 4}}
        trainer: {episodes_per_iteration: 2, repeat: 1}
        """
            .formatted(bars, folder.resolve("orders")));
    write(SEARCH.replace("trials: 4", "trials: 2").replace("iterations: 4", "iterations: 1"));

    assertFails(tune("strict"), 3, "all trials failed", "own.csv: row 2", "--skip-bad");

    Run run = tune("tolerant", "--skip-bad");
    assertThat(run.status()).as(run.err()).isEqualTo(5);
    assertThat(run.out()).contains("skipped: ", "2030-01-01", "best of 3");
    assertThat(run.out().split("train/own.csv: row 2", -1)).as(run.out()).hasSize(2);
    assertThat(tune("tolerant", "--skip-bad").status()).as("the same again").isEqualTo(5);
  }

  private static void assertFails(Run run, int status, String... words) {
    assertThat(run.err()).contains(words);
    assertThat(run.status()).isEqualTo(status);
  }

  private void assertSame(String one, String other) throws IOException {
    assertThat(folder.resolve(other).resolve("leaderboard.csv"))
        .hasSameBinaryContentAs(folder.resolve(one).resolve("leaderboard.csv"));
    Path trials = folder.resolve(one).resolve("trials");
    try (Stream<Path> files = Files.walk(trials)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(folder.resolve(other).resolve("trials").resolve(trials.relativize(file)))
            .hasSameBinaryContentAs(file);
      }
    }
  }

  /// Waits until a search has finished so many stretches of trials.
  private void await(Process process, String name, int lines) throws Exception {
    Path log = folder.resolve(name).resolve("trials.jsonl");
    while (process.isAlive() && (!Files.exists(log) || count(log) < lines)) {
      process.waitFor(20, TimeUnit.MILLISECONDS);
    }
  }

  private static long count(Path log) throws IOException {
    return Files.readString(log).chars().filter(c -> c == '\n').count();
  }

  private Process start(String name) throws IOException {
    return SmallTraining.start(folder, List.of(arguments(name)));
  }

  private Run tune(String name, String... more) {
    return Run.of(arguments(name, more));
  }

  private String[] arguments(String name, String... more) {
    var arguments =
        new ArrayList<>(
            List.of(
                "tune",
                folder.resolve("tune.yml").toString(),
                "--out",
                folder.resolve(name).toString()));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }
}

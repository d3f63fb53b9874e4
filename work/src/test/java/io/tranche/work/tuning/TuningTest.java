package io.tranche.work.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.config.ConfigException;
import io.tranche.market.DataException;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.testkit.Cases;
import io.tranche.work.WorkException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whole searches over trials that learn at once.
class TuningTest {

  /// The data section is searched too, so that no data are made.
  private static final String SEARCH =
      """
      tune: 1
      config: {tranche: 1, data: {bars: nowhere}, validation: {every: null}}
      metric: reward
      iterations: 18
      parallel: 5
      save_every: 7
      trials: 12
      median_stopping: {after: 4, every: 5}
      space:
        policy.kwargs.learning_rate: {range: [1.0e-4, 1.0], scale: log}
        trainer.batch_size: {values: [12, 13, 14, 15, 16]}
        data.orders.seed: {values: [1]}
      """;

  @TempDir Path folder;

  @BeforeEach
  void writeTheFile() throws IOException {
    write(SEARCH);
  }

  private void write(String text) throws IOException {
    Files.writeString(folder.resolve("tune.yml"), text);
  }

  @Test
  void anyNumberOfWorkersFindsTheSame() throws IOException {
    TuneOutcome one = run("one", new FakeTraining(1));

    for (int width : List.of(2, 5)) {
      run("wide" + width, new FakeTraining(width));

      assertSame("one", "wide" + width);
    }
    assertThat(one.isComplete()).isTrue();
    assertThat(one.leaderboard().rows()).hasSize(13);
    assertThat(one.leaderboard().rows().stream().map(Leaderboard.Row::state).distinct())
        .contains(TrialState.COMPLETED, TrialState.WAITING, TrialState.FAILED);
    Leaderboard seen = Tuning.look(one.folder());
    assertThat(seen.paths()).isEqualTo(one.leaderboard().paths());
    assertThat(seen.rows().stream().map(row -> List.of(row.trial(), row.value(), row.values())))
        .containsExactlyElementsOf(
            one.leaderboard().rows().stream()
                .map(row -> List.of(row.trial(), row.value(), row.values()))
                .toList());
  }

  @Test
  void aSearchThatBreaksDownAnywhereGoesOnAndFindsTheSame() throws IOException {
    var whole = new FakeTraining(2);
    run("whole", whole);
    int pieces = whole.pieces.get();

    for (int most = 0; most < pieces; most += Cases.count(11, 1)) {
      String name = "broken" + most;
      var broken = new FakeTraining(2, most);
      assertThatExceptionOfType(WorkException.class)
          .isThrownBy(() -> run(name, broken))
          .withMessage("the place broke down");
      var again = new FakeTraining(3);
      run(name, again);

      assertSame("whole", name);
      assertThat(again.pieces.get()).isEqualTo(pieces - most);
    }
  }

  @Test
  void whatIsDoneIsNotDoneAgain() throws IOException {
    run("out", new FakeTraining(2));
    String before = Files.readString(folder.resolve("out/leaderboard.csv"));
    Files.delete(folder.resolve("out/leaderboard.csv"));

    var again = new FakeTraining(2, 0);
    run("out", again);

    assertThat(again.pieces.get()).isZero();
    assertThat(folder.resolve("out/leaderboard.csv")).hasContent(before);
  }

  @Test
  void settingsThatMakeNoRunFailTheirTrialOnly() throws IOException {
    write(SEARCH.replace("12, 13, 14, 15, 16", "-1, 16"));

    TuneOutcome outcome = run("out", new FakeTraining(2));

    List<Failure> failures =
        outcome.leaderboard().rows().stream()
            .map(Leaderboard.Row::failure)
            .filter(Objects::nonNull)
            .toList();
    assertThat(failures).isNotEmpty().hasSizeLessThan(outcome.leaderboard().rows().size());
    assertThat(failures)
        .allSatisfy(
            failure -> {
              assertThat(failure.kind()).isEqualTo(Failure.Kind.CONFIG);
              assertThat(failure.reason()).contains("trainer.batch_size: expected an integer");
            });
  }

  @Test
  void aLineThatWasCutOffIsForgotten() throws IOException {
    run("whole", new FakeTraining(1));
    run("cut", new FakeTraining(1));
    Path log = folder.resolve("cut/trials.jsonl");
    List<String> lines = Files.readAllLines(log);
    // The checkpoint is there already, the line is not.
    String last = lines.getLast();
    Files.writeString(log, String.join("\n", lines.subList(0, lines.size() - 1)) + "\n");
    Files.writeString(log, last.substring(0, last.length() / 2), StandardOpenOption.APPEND);
    keepCheckpointOf(last);

    var again = new FakeTraining(1);
    run("cut", again);

    assertThat(again.pieces.get()).isEqualTo(1);
    assertSame("whole", "cut");
    // Not those of the other search: lines are in the order in which segments finished.
    assertThat(Files.readString(log)).isEqualTo(String.join("\n", lines) + "\n");
  }

  /// A search that was killed before its line was written has the checkpoint before it still.
  private void keepCheckpointOf(String line) throws IOException {
    int trial = number(line, "trial");
    int from = number(line, "from");
    if (from > 0) {
      List<String> earlier =
          Files.readAllLines(folder.resolve("whole/trials.jsonl")).stream()
              .filter(each -> number(each, "trial") == trial)
              .toList();
      double learnt =
          Double.parseDouble(earlier.get(earlier.size() - 2).replaceAll(".*,([^,\\]]*)]].*", "$1"));
      Files.write(
          new TuneDirectory(folder.resolve("cut")).checkpoint(trial, from),
          ByteBuffer.allocate(12).putInt(from).putDouble(learnt).array());
    }
  }

  private static int number(String line, String field) {
    return Integer.parseInt(line.replaceAll(".*\"" + field + "\":(\\d+).*", "$1"));
  }

  @Test
  void moreTrialsGoOnWithWhatIsThere() throws IOException {
    write(SEARCH.replace("trials: 12", "trials: 5"));
    var few = new FakeTraining(2);
    run("grown", few);
    write(SEARCH);
    var whole = new FakeTraining(2);
    run("whole", whole);

    var more = new FakeTraining(2);
    run("grown", more);

    assertSame("whole", "grown");
    assertThat(more.pieces.get()).isLessThan(whole.pieces.get());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"trial\":1}",
        "nonsense",
        "{\"trial\":1,\"settings\":{},\"from\":0,\"iterations\":1,\"ended\":false,\"points\":[],\"failure\":null}"
      })
  void aDamagedLogIsNamed(String line) throws IOException {
    run("out", new FakeTraining(1));
    Path log = folder.resolve("out/trials.jsonl");
    Files.writeString(log, line + "\n" + Files.readString(log));

    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> run("out", new FakeTraining(1)))
        .withMessageContaining("trials.jsonl:1");
  }

  @Test
  void aLostCheckpointIsNamed() throws IOException {
    assertThatExceptionOfType(WorkException.class)
        .isThrownBy(() -> run("out", new FakeTraining(1, 10)));
    try (Stream<Path> files = Files.walk(folder.resolve("out/trials"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".ckpt")).toList()) {
        Files.delete(file);
      }
    }

    assertThatExceptionOfType(CheckpointException.class)
        .isThrownBy(() -> run("out", new FakeTraining(1)))
        .withMessageContaining(".ckpt: expected a file, was nothing there");
  }

  @Test
  void anotherSearchIsRefusedOrReplaced() throws IOException {
    run("out", new FakeTraining(1));
    write(SEARCH.replace("trials: 12", "trials: 5\nseed: 2"));

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> run("out", new FakeTraining(1)))
        .withMessageContaining("--out: expected a directory without a search, or with this one");
    TuneOutcome replaced = run("out", true, new FakeTraining(1));
    run("fresh", new FakeTraining(1));

    assertThat(replaced.leaderboard().rows()).hasSize(6);
    assertSame("fresh", "out");
  }

  @Test
  void aRunIsNotOverwritten() throws IOException {
    Files.createDirectories(folder.resolve("out"));
    Files.writeString(folder.resolve("out/config.yml"), "tranche: 1");

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> run("out", true, new FakeTraining(1)))
        .withMessageContaining("--out: expected a directory without a run");
    assertThat(folder.resolve("out/config.yml")).hasContent("tranche: 1");
    assertThat(folder.resolve("out/trials.jsonl")).doesNotExist();
  }

  @Test
  void aFolderIsOneSearchsAtATime() {
    Path file = folder.resolve("tune.yml");
    Path out = folder.resolve("out");

    try (Tuning _ = Tuning.open(file, out, false, _ -> {})) {
      assertThatExceptionOfType(ConfigException.class)
          .isThrownBy(() -> Tuning.open(file, out, false, _ -> {}))
          .withMessageContaining(
              "out: expected a folder that no other process is working in, was in use by this");
    }
  }

  @Test
  void failuresAreReportedAndTheSearchGoesOn() {
    var messages = new ArrayList<String>();
    TuneOutcome outcome = run("out", false, new FakeTraining(2), messages);

    assertThat(messages)
        .anyMatch(line -> line.contains("failed") && line.endsWith("thirteen"))
        .anyMatch(line -> line.endsWith("fourteen"));
    assertThat(outcome.leaderboard().failureOfAll()).isNull();
    Leaderboard.Row best = Objects.requireNonNull(outcome.leaderboard().best());
    assertThat(best.iterations()).isEqualTo(18);
    assertThat(best.failure()).isNull();
    assertThat(folder.resolve("out/report.html")).content().contains("thirteen", "trial");
  }

  @Test
  void whenAllTrialsFailTheFirstReasonIsKnown() throws IOException {
    write(SEARCH.replace("[12, 13, 14, 15, 16]", "[13, 14]"));

    TuneOutcome outcome = run("out", new FakeTraining(2));

    Failure failure = Objects.requireNonNull(outcome.leaderboard().failureOfAll());
    assertThat(failure.reason()).isIn("thirteen", "fourteen");
    assertThat(outcome.leaderboard().rows().getLast().failure()).isNotNull();
  }

  @Test
  void aSearchThatIsStoppedGoesOn() throws IOException {
    run("whole", new FakeTraining(2));
    Path file = folder.resolve("tune.yml");
    TuneOutcome stopped;
    try (Tuning tuning = Tuning.open(file, folder.resolve("out"), false, _ -> {})) {
      stopped =
          tuning.run(
              new FakeTraining(2),
              false,
              listener(
                  status -> {
                    if (status.begun() >= 6) {
                      tuning.requestStop();
                    }
                  },
                  _ -> {}));
    }
    TuneOutcome after = run("out", new FakeTraining(2));

    assertThat(stopped.isComplete()).isFalse();
    assertThat(after.isComplete()).isTrue();
    assertSame("whole", "out");
  }

  private void assertSame(String one, String other) throws IOException {
    for (String file : List.of("leaderboard.csv", "report.html", "report.md", "tune.yml")) {
      assertThat(Files.readString(folder.resolve(other).resolve(file)))
          .as(other + "/" + file)
          .isEqualTo(Files.readString(folder.resolve(one).resolve(file)));
    }
    assertThat(checkpoints(other)).isEqualTo(checkpoints(one));
    for (String file : checkpoints(one)) {
      assertThat(folder.resolve(other).resolve(file))
          .hasSameBinaryContentAs(folder.resolve(one).resolve(file));
    }
  }

  private List<String> checkpoints(String name) throws IOException {
    Path out = folder.resolve(name);
    try (Stream<Path> files = Files.walk(out.resolve("trials"))) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> out.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  private TuneOutcome run(String name, FakeTraining place) {
    return run(name, false, place);
  }

  private TuneOutcome run(String name, boolean overwrites, FakeTraining place) {
    return run(name, overwrites, place, new ArrayList<>());
  }

  private TuneOutcome run(
      String name, boolean overwrites, FakeTraining place, List<String> messages) {
    Path file = folder.resolve("tune.yml");
    try (Tuning tuning = Tuning.open(file, folder.resolve(name), overwrites, _ -> {})) {
      return tuning.run(place, false, listener(_ -> {}, messages::add));
    }
  }

  private static TuneListener listener(
      Consumer<TuneListener.Status> statuses, Consumer<String> messages) {
    return new TuneListener() {
      @Override
      public void making(String what, long done, long total) {}

      @Override
      public void on(Status status) {
        statuses.accept(status);
      }

      @Override
      public void message(String text) {
        messages.accept(text);
      }
    };
  }
}

package io.tranche.work.rollout;

import static io.tranche.testkit.Troubleshooting.assertDocumented;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.config.ConfigNode;
import io.tranche.market.DataException;
import io.tranche.work.JobBackend;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Training with the help of others leaves what training alone leaves, to the byte.
class DistributedTrainingTest {

  private static final String DQN =
      "policy={class: Dqn, kwargs: {learning_rate: 1.0e-3, minibatches: 2,"
          + " exploration: {start: 0.9, end: 0.1, duration: 4}}}";
  private static final String TAUGHT = "distillation={teacher: 'TEACHER', weight: 0.2}";

  private static final String MISSING = "all data must have the same paths on every machine";
  private static final String DIFFERENT = "played elsewhere on data that must be the same";

  @TempDir Path folder;

  private Path at(String name) {
    return folder.resolve(name);
  }

  @Test
  void anyNumberOfWorkersLeavesTheSameRun() throws IOException {
    ConfigNode config = SmallRuns.config();
    SmallRuns.train(config, at("alone"), null, null);
    assertThat(at("alone/checkpoints/003.ckpt")).exists();

    for (int workers : List.of(1, 2, 7)) {
      Path together = at("together-" + workers);
      try (JobBackend place = SmallRuns.threads(workers)) {
        SmallRuns.train(config, together, place, null);
      }
      SmallRuns.assertSame(at("alone"), together);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "runtime.seed=5",
        "network={class: DualAttention, kwargs: {hidden: 8, output: 4}}",
        "network={class: CausalTransformer, kwargs: {hidden: 8, output: 4, heads: 2}}",
        "hindsight=true",
        DQN,
        TAUGHT
      })
  void whoWorksInWhichOrderChangesNothing(String setting) throws IOException {
    ConfigNode config = SmallRuns.config(withTeacher(setting));
    SmallRuns.train(config, at("alone"), null, null);

    SmallRuns.train(config, at("disorder"), new Disorder(2), null);

    SmallRuns.assertSame(at("alone"), at("disorder"));
  }

  private String withTeacher(String setting) {
    if (setting.equals(TAUGHT)) {
      SmallRuns.train(SmallRuns.config("hindsight=true"), at("teacher"), null, null);
    }
    return setting.replace("TEACHER", at("teacher/checkpoints/latest.ckpt").toString());
  }

  @Test
  void aRunGoesOnAtAnotherPlace() throws IOException {
    ConfigNode whole = SmallRuns.config();
    SmallRuns.train(whole, at("alone"), null, null);

    Path moved = at("moved");
    SmallRuns.train(whole.with("trainer.max_iterations=1"), moved, new Disorder(3), null);
    SmallRuns.train(
        whole.with("trainer.max_iterations=2"), moved, null, moved.resolve("checkpoints/001.ckpt"));
    SmallRuns.train(whole, moved, new Disorder(2), moved.resolve("checkpoints/002.ckpt"));

    assertThat(Files.mismatch(at("alone/metrics.jsonl"), at("moved/metrics.jsonl"))).isEqualTo(-1);
    assertThat(Files.mismatch(at("alone/checkpoints/003.ckpt"), at("moved/checkpoints/003.ckpt")))
        .isEqualTo(-1);
  }

  @Test
  void theTestOrdersAreWorkedTheSameWay() throws IOException {
    for (String run : List.of("alone", "disorder")) {
      JobBackend place = run.equals("alone") ? null : new Disorder(2);
      try (var experiment = SmallRuns.open(SmallRuns.config(), at(run), place)) {
        assertThat(experiment.test().metrics()).containsKey("pa");
      }
    }

    assertThat(Files.mismatch(at("alone/result.csv"), at("disorder/result.csv"))).isEqualTo(-1);
  }

  /// Orders of an instrument that has no bars cannot be worked anywhere.
  @Test
  void ordersThatCannotBeExecutedAreLeftOutEverywhere() throws IOException {
    SmallRuns.train(
        SmallRuns.config("trainer.max_iterations=1", "validation.every=null"),
        at("made"),
        null,
        null);
    Path orders = at("made/data/orders");
    try (Stream<Path> files = Files.walk(orders)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        List<String> lines = Files.readAllLines(file);
        String last = lines.getLast();
        Files.writeString(
            file,
            String.join("\n", lines) + "\n" + last.replaceFirst("[A-Z]+[0-9]+", "NOSUCH1") + "\n");
      }
    }
    ConfigNode config =
        SmallRuns.config("data={bars: '%s', orders: '%s'}".formatted(at("made/data/bars"), orders));

    try (var alone = SmallRuns.open(config, at("alone"), null, true);
        var helped = SmallRuns.open(config, at("disorder"), new Disorder(2), true)) {
      alone.train(null);
      helped.train(null);

      assertThat(alone.skipped()).isNotEmpty();
      assertThat(helped.skipped()).isEqualTo(alone.skipped());
    }
    SmallRuns.assertSame(at("alone"), at("disorder"));
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> SmallRuns.train(config, at("strict"), null, null))
        .withMessageContaining("NOSUCH1")
        .withMessageContaining("row ");
  }

  /// Returns a workplace that finds `elsewhere` under the name of this run's data.
  private JobBackend reading(Path elsewhere) {
    return new Disorder(
        2,
        1,
        setup ->
            new String(setup, StandardCharsets.UTF_8)
                .replace(at("one/data").toString(), elsewhere.toString())
                .getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void dataThatAreMissingElsewhereAreNamed() {
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(
            () -> SmallRuns.train(SmallRuns.config(), at("one"), reading(at("nowhere")), null))
        .withMessageStartingWith(MISSING)
        .withMessageContaining(at("nowhere").toString());
    assertDocumented(MISSING);
  }

  @Test
  void dataThatDifferElsewhereAreNoticed() {
    SmallRuns.train(
        SmallRuns.config("data.market.seed=77", "trainer.max_iterations=1"), at("two"), null, null);

    assertThatExceptionOfType(DataException.class)
        .isThrownBy(
            () -> SmallRuns.train(SmallRuns.config(), at("one"), reading(at("two/data")), null))
        .withMessageContaining("Order[instrument=")
        .withMessageContaining(DIFFERENT);
    assertDocumented(DIFFERENT);
  }
}

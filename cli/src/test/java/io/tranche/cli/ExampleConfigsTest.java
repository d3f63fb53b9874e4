package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The configurations in `examples/configs`, on a small market and for two iterations each.
class ExampleConfigsTest {

  private static final List<String> SMALL =
      List.of(
          "data.market.instruments=8",
          "data.market.days=20",
          "env.concurrency=10",
          "trainer.max_iterations=2",
          "trainer.episodes_per_iteration=20",
          "trainer.repeat=1",
          "validation.every=2");

  private final TreeSet<String> tried = new TreeSet<>();

  @TempDir Path folder;

  @Test
  void allOfThemTrain() throws IOException {
    train("quick");
    train("ppo");
    train("opds");
    train("dqn");
    train("quantile-dqn");
    train("opd-teacher");
    String student = train("opd", "distillation.teacher=" + latest("opd-teacher"));
    String tuned = train("fine-tune", "policy.kwargs.weight_file=" + latest("ppo"));

    tried.add("tune"); // by what docs/tuning.md shows
    assertThat(student).contains("loss/teacher");
    assertThat(tuned).contains("\"val/pa\"");
    try (Stream<Path> files = Files.list(configs())) {
      assertThat(files.map(file -> file.getFileName().toString().replace(".yml", "")))
          .containsExactlyInAnyOrderElementsOf(tried);
    }
  }

  @Test
  void fineTuningNamesInstrumentsThatHaveNoOrders() {
    Run run =
        run("fine-tune", List.of("data.instruments=[SYN9999]", "policy.kwargs.weight_file=null"));

    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err())
        .contains("data.instruments: expected instruments that the bars have, was [SYN9999]");
  }

  /// Returns the metrics.
  private String train(String name, String... more) throws IOException {
    Run run = run(name, List.of(more));
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("done after 2 iterations and 40 episodes");
    tried.add(name);
    return Files.readString(folder.resolve(name).resolve("metrics.jsonl"));
  }

  private Run run(String name, List<String> more) {
    var arguments =
        new ArrayList<>(
            List.of(
                "train",
                configs().resolve(name + ".yml").toString(),
                "--out",
                folder.resolve(name).toString()));
    Stream.concat(SMALL.stream(), more.stream())
        .forEach(assignment -> arguments.addAll(List.of("--set", assignment)));
    return Run.of(arguments.toArray(String[]::new));
  }

  private static Path configs() {
    return Shared.root().resolve("examples/configs");
  }

  private Path latest(String name) {
    return folder.resolve(name).resolve("checkpoints/latest.ckpt");
  }
}

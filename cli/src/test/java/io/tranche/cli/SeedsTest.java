package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.analysis.report.OrderRow;
import io.tranche.analysis.report.Reports;
import io.tranche.execution.DeviationGuard;
import io.tranche.run.RunFolder;
import io.tranche.run.play.GuardFile;
import io.tranche.runtime.BundleFile;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Several seeds of one run act together, in every verb.
class SeedsTest {

  private static final String CONFIG =
      """
      tranche: 1
      data: {market: {instruments: 2, days: 40}}
      env: {concurrency: 4}
      runtime: {threads: 1}
      network: {class: RecurrentNetwork, kwargs: {hidden: 4, output: 2}}
      policy: {kwargs: {learning_rate: 0.02}}
      trainer: {max_iterations: 3, episodes_per_iteration: 12, repeat: 1, start_near_twap: false}
      validation: {every: 1, judge: false}
      """;

  @TempDir private Path folder = Path.of("");

  private Run train(String out, String... more) throws IOException {
    Path config = Files.writeString(folder.resolve("seeds.yml"), CONFIG);
    var arguments = new ArrayList<>(List.of("train", config.toString(), "--out", path(out)));
    arguments.addAll(List.of(more));
    return Run.of(arguments.toArray(String[]::new));
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void seedsAreJudgedExportedAndResumedTogether() throws IOException {
    Run training = train("run", "--seeds", "3");

    assertThat(training.status()).as(training.err()).isZero();
    assertThat(training.out() + training.err()).contains("seed 3 of 3: ", "and those of 2 more");
    GuardFile guard = guard("run");
    assertThat(guard.others())
        .hasSize(2)
        .allMatch(each -> each.matches("seeds/[23]/checkpoints/.*ckpt"));
    assertThat(guard.guard()).isEqualTo(new DeviationGuard(1, "the run has no guard"));
    assertThat(weights("run/checkpoints/003.ckpt"))
        .isNotEqualTo(weights("run/seeds/2/checkpoints/003.ckpt"));
    // A seed is what it would be alone.
    assertThat(train("alone", "--seed", "2").status()).isZero();
    assertThat(weights("alone/checkpoints/003.ckpt"))
        .isEqualTo(weights("run/seeds/2/checkpoints/003.ckpt"));

    Run judged = Run.of("judge", path("run"), "--no-sensitivity", "--record", "3");
    assertThat(judged.status()).as(judged.err()).isZero();
    assertThat(judged.out())
        .containsPattern("each of 3 seeds alone, without a guard: [+-][0-9.]+, ");
    assertThat(folder.resolve("run/judge/report.md")).content().contains("each of 3 seeds alone");

    Run exported = Run.of("export", path("run"), "--out", path("model.tranche"));
    assertThat(exported.status()).as(exported.err()).isZero();
    assertThat(BundleFile.read(folder.resolve("model.tranche")).members()).hasSize(3);
    Run bundle =
        Run.of(
            "judge",
            path("model.tranche"),
            "--bars",
            path("run/data/bars"),
            "--orders",
            path("run/data/orders/test"),
            "--no-sensitivity",
            "--record",
            "0",
            "--out",
            path("bundle"));
    assertThat(bundle.status()).as(bundle.err()).isZero();
    List<OrderRow> alone = Reports.read(folder.resolve("bundle")).results().orders();
    assertThat(Reports.read(folder.resolve("run/judge")).results().orders()).containsAll(alone);

    for (String lost : List.of("run/checkpoints/003.ckpt", "run/seeds/3/checkpoints/003.ckpt")) {
      Files.delete(folder.resolve(lost));
    }
    assertThat(train("run", "--seeds", "3", "--resume").status()).isZero();
    assertThat(guard("run")).isEqualTo(guard);
  }

  @Test
  void aGuardIsFittedToTheSeedsTogether() throws IOException {
    Run training = train("guarded", "--seeds", "2", "--set", "validation.guard=true");

    assertThat(training.status()).as(training.err()).isZero();
    assertThat(guard("guarded").guard().reason()).contains("not enough validation days: 4");
    Run tested = Run.of("backtest", path("guarded"), "--out", path("tested"));
    assertThat(tested.status()).as(tested.err()).isZero();
    Run stressed = Run.of("stress", path("guarded"));
    assertThat(stressed.status()).as(stressed.err()).isZero();
    assertThat(folder.resolve("guarded/stress/certificate.md"))
        .content()
        .containsOnlyOnce(
            "trained as %s | all orders ".formatted(folder.resolve("guarded/seeds/2")))
        .doesNotContain("seeds/3");
  }

  @Test
  void eachWindowOfAWalkMayHaveSeveral() throws IOException {
    Path config = Files.writeString(folder.resolve("seeds.yml"), CONFIG);
    Run run =
        Run.of(
            "roll",
            config.toString(),
            "--out",
            path("out"),
            "--train-days",
            "20",
            "--valid-days",
            "10",
            "--next-days",
            "10",
            "--seeds",
            "2");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).containsPattern("each seed alone, without guards: [+-][0-9.]+, [+-]");
    assertThat(BundleFile.read(folder.resolve("out/models/roll@1.tranche")).members()).hasSize(2);
    assertThat(folder.resolve("out/windows/001/judged.csv"))
        .content()
        .startsWith(
            "date,side,filled,twap_filled,over_twap_bps,linear_bps,without_guard_bps,seed_1,seed_2\n");
  }

  @Test
  void refusesNumbersOfSeedsThatABundleCannotHold() throws IOException {
    Run none = train("none", "--seeds", "0");

    assertThat(none.status()).isEqualTo(2);
    assertThat(none.err()).contains("--seeds: expected 1 to ", ", was 0");
  }

  private GuardFile guard(String run) {
    return Objects.requireNonNull(GuardFile.read(new RunFolder(folder.resolve(run)).guard()));
  }

  private int weights(String checkpoint) {
    var values = new StringBuilder();
    CheckpointFile.policyState(folder.resolve(checkpoint))
        .tensors()
        .forEach((key, tensor) -> values.append(key).append(Arrays.hashCode(tensor.toArray())));
    return values.toString().hashCode();
  }
}

package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.cli.console.ExitCode;
import io.tranche.config.ConfigFiles;
import io.tranche.market.Session;
import io.tranche.policy.weights.Tensor;
import io.tranche.policy.weights.WeightFiles;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.ModelBundle;
import io.tranche.runtime.ModelSpec.Combination;
import io.tranche.testkit.Cases;
import io.tranche.testkit.Shared;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExportCommandTest {

  @TempDir static Path runs;
  @TempDir Path folder;

  private static Path run = Path.of("");

  @BeforeAll
  static void train() throws IOException {
    run = runs.resolve("run");
    train(run);
  }

  private static void train(Path target, String... more) throws IOException {
    var arguments =
        new ArrayList<>(
            List.of("train", SmallTraining.write(runs).toString(), "--out", target.toString()));
    arguments.addAll(List.of(more));
    Run training = Run.of(arguments.toArray(String[]::new));
    assertThat(training.status()).as(training.err()).isZero();
  }

  private Run export(Path source, String target, String... more) {
    var arguments =
        new ArrayList<>(
            List.of("export", source.toString(), "--out", folder.resolve(target).toString()));
    arguments.addAll(List.of(more));
    return Run.of(arguments.toArray(String[]::new));
  }

  private static Path checkpoint(String name) {
    return run.resolve("checkpoints").resolve(name);
  }

  @Test
  void theBestOfARunBecomesABundle() throws IOException {
    Run export = Run.of("export", run.toString());
    Path file = run.resolve("model/model.tranche");

    assertThat(export.status()).as(export.err()).isZero();
    assertThat(export.out())
        .contains("(the best by val/pa)")
        .contains("RecurrentNetwork, one set of weights; at most 8 decisions per day")
        .contains("wrote " + file)
        .contains("tranche inspect " + file);
    ModelBundle bundle = BundleFile.read(file);
    assertThat(bundle.spec().session()).isEqualTo(Session.CHINA_STOCKS);
    assertThat(bundle.spec().ticks()).isEqualTo(48);
    assertThat(bundle.spec().ticksPerStep()).isEqualTo(6);
    assertThat(bundle.spec().mirrors()).isTrue();
    assertThat(bundle.spec().isQlib()).isFalse();
    assertThat(bundle.metrics()).containsKey("val/pa");
    assertThat(bundle.lineage().firstDay()).isBefore(bundle.lineage().lastDay());
    Files.delete(file);
    Files.delete(file.getParent());
  }

  @Test
  void whatSelectChoseComesFirst() throws IOException {
    Path selected = run.resolve("selected.ckpt");
    Files.copy(checkpoint("001.ckpt"), selected);

    Run export = export(run, "model.tranche");
    Files.delete(selected);

    assertThat(export.out()).contains("selected.ckpt (the one that tranche select chose)");
    assertSameWeights(folder.resolve("model.tranche"), checkpoint("001.ckpt"));
  }

  @Test
  void aCheckpointAloneGivesTheSameBytesWhereverItLies() throws IOException {
    Path moved = Files.copy(checkpoint("003.ckpt"), folder.resolve("003.ckpt"));

    assertThat(export(checkpoint("003.ckpt"), "a.tranche").status()).isZero();
    assertThat(export(checkpoint("003.ckpt"), "b.tranche").status()).isZero();
    Run elsewhere = export(moved, "c.tranche");

    assertThat(elsewhere.status()).as(elsewhere.err()).isZero();
    assertThat(folder.resolve("b.tranche")).hasSameBinaryContentAs(folder.resolve("a.tranche"));
    assertThat(folder.resolve("c.tranche")).hasSameBinaryContentAs(folder.resolve("a.tranche"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"weights.pth", "weights.safetensors"})
  void weightsAloneComeBackWithTheirConfiguration(String name) {
    Path file = folder.resolve(name);

    Run out = export(checkpoint("002.ckpt"), name);
    Run back = export(file, "back.tranche", "--config", run.resolve("config.yml").toString());

    assertThat(out.status()).as(out.err()).isZero();
    assertThat(back.status()).as(back.err()).isZero();
    assertThat(WeightFiles.read(file).tensors().keySet())
        .containsExactlyInAnyOrderElementsOf(
            CheckpointFile.policyState(checkpoint("002.ckpt")).tensors().keySet());
    assertSameWeights(folder.resolve("back.tranche"), checkpoint("002.ckpt"));
  }

  private static void assertSameWeights(Path bundle, Path checkpoint) {
    Map<String, Tensor> found = BundleFile.read(bundle).members().getFirst().tensors();
    Map<String, Tensor> expected = CheckpointFile.policyState(checkpoint).tensors();
    assertThat(found.keySet()).containsExactlyInAnyOrderElementsOf(expected.keySet());
    expected.forEach(
        (name, tensor) ->
            assertThat(Objects.requireNonNull(found.get(name)).sameAs(tensor)).as(name).isTrue());
  }

  @Test
  void severalCheckpointsBecomeAnEnsemble() {
    Path file = folder.resolve("ensemble.tranche");

    Run export =
        Run.of(
            "export",
            checkpoint("001.ckpt").toString(),
            checkpoint("004.ckpt").toString(),
            "--combine",
            "majority",
            "--out",
            file.toString());

    assertThat(export.status()).as(export.err()).isZero();
    assertThat(export.out()).contains("2 sets of weights, majority");
    ModelBundle bundle = BundleFile.read(file);
    assertThat(bundle.members()).hasSize(2);
    assertThat(bundle.spec().combination()).isEqualTo(Combination.MAJORITY);
    assertThat(bundle.lineage().sources().getLast().iteration()).isEqualTo(4);
  }

  @Test
  void inspectSaysWhatIsInABundle() {
    export(run, "model.tranche");
    String file = folder.resolve("model.tranche").toString();

    Run inspect = Run.of("inspect", file);
    Run json = Run.of("inspect", file, "--json");

    assertThat(inspect.status()).as(inspect.err()).isZero();
    assertThat(inspect.out())
        .contains("a model bundle")
        .contains("RecurrentNetwork: hidden 8, output 4")
        .contains("shares of the order: 0.0, 0.25, 0.5, 0.75, 1.0")
        .contains("cn_stocks")
        .contains("09:30 to 11:30, 13:00 to 15:00")
        .contains("val/pa")
        .contains("weights/0.safetensors");
    assertThat(json.out()).startsWith("{\"file\":").contains("\"ticks\":48");
  }

  @Test
  void inspectSaysWhatIsInOtherFiles() {
    export(checkpoint("002.ckpt"), "weights.pth");

    Run ckpt = Run.of("inspect", checkpoint("002.ckpt").toString());
    Run pth = Run.of("inspect", folder.resolve("weights.pth").toString());

    assertThat(ckpt.status()).as(ckpt.err()).isZero();
    assertThat(ckpt.out()).contains("a checkpoint of Tranche").contains("val/pa");
    assertThat(pth.status()).as(pth.err()).isZero();
    assertThat(pth.out())
        .contains("weights alone")
        .contains("actor.extractor.raw_rnn.weight_ih_l0")
        .contains("float32 [24, 8]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          export RUN --out OUT/x.zip                            | 2 | --out: expected a name that ends in .tranche, .pth, .safetensors or .onnx
          export RUN --out OUT                                  | 2 | --out: expected a file, was the folder
          export RUN/config.yml --out OUT/x.tranche             | 2 | --config: expected the configuration that
          export RUN/nothing.ckpt --out OUT/x.tranche           | 4 | nothing.ckpt: expected a file, was nothing there
          export RUN/data --out OUT/x.tranche                   | 2 | RUN: expected a run directory of tranche train, or a checkpoint
          export RUN/checkpoints/001.ckpt                       | 2 | --out: expected a file, was missing
          export RUN RUN --out OUT/x.tranche                    | 2 | CKPT: expected one run, or checkpoints
          export RUN --out OUT/x.tranche --config RUN/no.yml    | 2 | no.yml: expected a file, was missing
          export RUN --out OUT/x.tranche --combine median       | 2 | median
          export CK/001.ckpt CK/002.ckpt --out OUT/x.pth        | 2 | CKPT: expected one checkpoint; only a bundle holds several, was 2
          inspect RUN/nothing                                   | 4 | nothing: expected a file, was nothing there
          inspect RUN                                           | 4 | expected a readable file
          inspect RUN/config.yml                                | 4 | config.yml: expected
          """)
  void wrongUsageIsOneMessageAndLeavesNothing(String line, int status, String message)
      throws IOException {
    String[] words =
        line.replace("RUN", run.toString())
            .replace("CK/", run + "/checkpoints/")
            .replace("OUT", folder.toString())
            .split(" +");

    Run result = Run.of(words);

    assertThat(result.err()).contains(message).doesNotContain("\tat ");
    assertThat(result.status()).isEqualTo(status);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void whatIsThereIsReplacedOnlyIfAsked() throws IOException {
    Path file = Files.writeString(folder.resolve("x.tranche"), "mine");

    Run refused = export(run, "x.tranche");
    assertThat(refused.status()).isEqualTo(ExitCode.CONFIG);
    assertThat(refused.err()).contains("--out: expected a new file, or --overwrite, was");
    assertThat(file).hasContent("mine");

    assertThat(export(run, "x.tranche", "--overwrite").status()).isZero();
    assertThat(BundleFile.read(file).members()).hasSize(1);
  }

  @Test
  void damageIsNamed() throws IOException {
    export(run, "x.tranche");
    Path file = folder.resolve("x.tranche");
    byte[] whole = Files.readAllBytes(file);

    Files.write(file, Arrays.copyOf(whole, whole.length - 100));
    Run cut = Run.of("inspect", file.toString());
    byte[] flipped = whole.clone();
    flipped[whole.length / 2] ^= 1; // amid the weights
    Files.write(file, flipped);
    Run damaged = Run.of("inspect", file.toString());

    assertThat(cut.status()).isEqualTo(ExitCode.CHECKPOINT);
    assertThat(cut.err()).contains("x.tranche: expected a whole zip file");
    assertThat(damaged.status()).isEqualTo(ExitCode.CHECKPOINT);
    assertThat(damaged.err()).contains("x.tranche: weights/0.safetensors: expected the checksum");
  }

  @Test
  void aTeacherAndAPolicyWithoutWeightsStayWhereTheyAre() throws IOException {
    train(runs.resolve("teacher"), "--set", "hindsight=true");
    Path other = runs.resolve("other.yml");
    Files.writeString(
        other,
        ConfigFiles.load(run.resolve("config.yml"))
            .with("network=null")
            .with("policy={class: AllOne}")
            .toYaml());

    Run teacher = export(runs.resolve("teacher"), "x.tranche");
    Run weights = export(runs.resolve("teacher"), "x.pth");
    Run rule = export(checkpoint("001.ckpt"), "x.tranche", "--config", other.toString());

    assertThat(teacher.status()).isEqualTo(ExitCode.CONFIG);
    assertThat(teacher.err())
        .contains("an export: expected a policy that does not see the future, was a teacher");
    assertThat(weights.err()).contains("an export: expected a policy that does not see the future");
    assertThat(rule.err()).contains("expected a policy with a network");
    assertThat(rule.status()).isEqualTo(ExitCode.CONFIG);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"run_train_opds.yml", "run_backtest_opds.yml"})
  void aQlibCheckpointAndItsConfigurationBecomeABundle(String name) throws IOException {
    Path qlib = Shared.orSkip("qlib-run");
    Path config = folder.resolve(name);
    Files.writeString(
        config,
        Files.readString(qlib.resolve("exp_configs").resolve(name))
            .replace("./data", qlib.resolve("data").toString()));
    Path checkpoint = qlib.resolve("outputs/opds/checkpoints/latest.pth");

    Run export = export(checkpoint, "qlib.tranche", "--config", config.toString());

    assertThat(export.status()).as(export.err()).isZero();
    ModelBundle bundle = BundleFile.read(folder.resolve("qlib.tranche"));
    assertThat(bundle.spec().isQlib()).isTrue();
    assertThat(bundle.spec().session()).isEqualTo(Session.CHINA_STOCKS);
    assertThat(bundle.spec().ticks()).isEqualTo(48);
    assertThat(bundle.spec().ticksPerStep()).isEqualTo(6);
    assertThat(bundle.spec().maxSteps()).isEqualTo(8);
    assertThat(bundle.spec().features().columns().today()).hasSize(5);
    assertThat(bundle.spec().toYaml()).doesNotContain("weight_file", qlib.toString());
    assertSameWeights(folder.resolve("qlib.tranche"), checkpoint);
  }

  @Test
  void aKillLeavesTheOldFileOrTheNewOne() throws Exception {
    Path file = folder.resolve("model.tranche");
    export(checkpoint("004.ckpt"), "new.tranche");
    byte[] after = Files.readAllBytes(folder.resolve("new.tranche"));
    export(checkpoint("001.ckpt"), "model.tranche");
    byte[] before = Files.readAllBytes(file);
    var random = new SplittableRandom(1);
    for (int i = 0; i < Cases.count(3, 50); i++) {
      Files.write(file, before);

      Process child =
          SmallTraining.start(
              folder,
              List.of(
                  "export",
                  checkpoint("004.ckpt").toString(),
                  "--out",
                  file.toString(),
                  "--overwrite"));
      child.waitFor(500 + random.nextInt(2_000), TimeUnit.MILLISECONDS);
      child.destroyForcibly().waitFor();

      assertThat(Files.readAllBytes(file)).isIn(before, after);
    }
  }
}

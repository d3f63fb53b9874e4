package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.tranche.cli.console.ExitCode;
import io.tranche.policy.weights.Precision;
import io.tranche.policy.weights.TorchFile;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ModelBundle;
import io.tranche.runtime.ReferenceStatistics;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantizeTest {

  @TempDir static Path runs;
  @TempDir Path folder;

  private static Path run = Path.of("");

  @BeforeAll
  static void train() throws IOException {
    run = runs.resolve("run");
    Run training = Run.of("train", SmallTraining.write(runs).toString(), "--out", run.toString());
    assertThat(training.status()).as(training.err()).isZero();
  }

  private Run export(String target, String... more) {
    var arguments =
        new ArrayList<>(
            List.of("export", run.toString(), "--out", folder.resolve(target).toString()));
    arguments.addAll(List.of(more));
    return Run.of(arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"int8", "half"})
  void sizeAgreementAdvantageAndLatencyAreSaid(String precision) throws IOException {
    Run plain = export("plain.tranche");
    Run small = export("small.tranche", "--quantize", precision, "--agreement", "0.5");
    Run again = export("again.tranche", "--quantize", precision, "--agreement", "0.5");

    assertThat(plain.status()).as(plain.err()).isZero();
    assertThat(small.status()).as(small.err()).isZero();
    assertThat(again.status()).as(again.err()).isZero();
    assertThat(small.out())
        .contains(precision + ": ")
        .containsPattern("[\\d,]+ bytes instead of [\\d,]+ \\(\\d+ %\\)")
        .containsPattern("against float32: [\\d.]+ % of [\\d,]+ decisions agree")
        .containsPattern(
            "advantage [+-][\\d.]+ bps \\(95 % [+-][\\d.]+ to [+-][\\d.]+, \\d days\\)")
        .containsPattern("a decision takes [\\d.]+ µs, in float32 [\\d.]+ µs \\(indicative");
    Path file = folder.resolve("small.tranche");
    assertThat(Files.size(file)).isLessThan(Files.size(folder.resolve("plain.tranche")));
    assertThat(file).hasSameBinaryContentAs(folder.resolve("again.tranche"));
    ModelBundle bundle = BundleFile.read(file);
    assertThat(bundle.precision().label()).isEqualTo(precision);
    assertThat(LoadedModel.open(file).members()).isOne();
    assertThat(Run.of("inspect", file.toString()).out()).containsPattern("precision +" + precision);
  }

  @Test
  void tooLittleAgreementIsRefusedUnlessForced() throws IOException {
    Path coarse = folder.resolve("coarse.tranche");

    Run refused = refusal();

    assertThat(refused.status()).isEqualTo(ExitCode.CONFIG);
    assertThat(refused.err())
        .contains("--quantize: expected an agreement of at least 1.0, or --force, was 0.9");
    assertThat(coarse).doesNotExist();
    Run forced = exportWeights("--agreement", "1", "--force");
    assertThat(forced.status()).as(forced.err()).isZero();
    assertThat(BundleFile.read(coarse).precision()).isEqualTo(Precision.INT8);
  }

  /// Draws weights until some decision changes with int8.
  private Run refusal() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      TorchFile.write(
          folder.resolve("weights.pth"),
          SmallTraining.drawn(
              CheckpointFile.policyState(run.resolve("checkpoints/004.ckpt")), seed));
      Run export = exportWeights("--agreement", "1");
      if (export.status() != ExitCode.OK) {
        return export;
      }
      Files.delete(folder.resolve("coarse.tranche"));
    }
    throw new AssertionError("no model changed its decisions");
  }

  private Run exportWeights(String... more) {
    var arguments =
        new ArrayList<>(
            List.of(
                "export",
                folder.resolve("weights.pth").toString(),
                "--config",
                run.resolve("config.yml").toString(),
                "--out",
                folder.resolve("coarse.tranche").toString(),
                "--quantize",
                "int8"));
    arguments.addAll(List.of(more));
    return Run.of(arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          x.tranche | --quantize float32            | --quantize: expected int8 or half, was float32
          x.tranche | --quantize int4               | int4
          x.pth     | --quantize int8               | --quantize: expected a bundle, was .pth
          x.tranche | --quantize int8 --agreement 2 | --agreement: expected a share in [0, 1], was 2.0
          x.tranche | --best 0                      | --best: expected 1 to 100, was 0
          x.onnx    | --best 2                      | CKPT: expected one checkpoint; ONNX has no ensembles, export each member, was 2
          """)
  void wrongUsageIsOneMessageAndLeavesNothing(String target, String more, String message)
      throws IOException {
    Run result = export(target, more.split(" "));

    assertThat(result.err()).contains(message).doesNotContain("\tat ");
    assertThat(result.status()).isEqualTo(ExitCode.CONFIG);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void theBestBecomeAnEnsembleThatIsHeldAgainstItsBestMember() {
    Run export =
        export("both.tranche", "--best", "2", "--combine", "majority", "--quantize", "half");

    assertThat(export.status()).as(export.err()).isZero();
    assertThat(export.out())
        .contains("(of the 2 best by val/pa)")
        .containsPattern(
            "against its best member, \\d+.ckpt: [\\d.]+ % of [\\d,]+ decisions agree");
    ModelBundle bundle = BundleFile.read(folder.resolve("both.tranche"));
    assertThat(bundle.members()).hasSize(2);
    assertThat(bundle.precision()).isEqualTo(Precision.HALF);
  }

  @Test
  void aBundleSaysWhatItSawAndDidInValidation() {
    export("plain.tranche");

    ModelBundle bundle = BundleFile.read(folder.resolve("plain.tranche"));
    ReferenceStatistics reference = Objects.requireNonNull(bundle.reference());

    assertThat(reference.orders()).isPositive();
    assertThat(reference.decisions()).isGreaterThan(reference.orders());
    assertThat(reference.features())
        .extracting(ReferenceStatistics.Feature::name)
        .isEqualTo(bundle.spec().features().columns().today());
    assertThat(reference.features()).anyMatch(feature -> feature.deviation() > 0);
    assertThat(reference.actions().stream().mapToDouble(share -> share).sum())
        .isCloseTo(1, offset(1e-9));
    assertThat(bundle.lineage().dataSha256()).isNotNull();
  }

  @Test
  void aFeatureStoreWithoutTheColumnsIsRefusedByName() throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("features.yml"),
            "{start: 2024-01-08, end: 2024-01-26, day_length: 48, columns: [$open, $close],"
                + " norm_groups: {price: 4, volume: 2}}");
    Path store = folder.resolve("store");
    Run made =
        Run.of(
            "data",
            "features",
            config.toString(),
            store.toString(),
            "--bars",
            run.resolve("data/bars").toString());
    assertThat(made.status()).as(made.err()).isZero();

    Run refused = export("x.tranche", "--features", store.toString());
    Run nowhere = export("x.tranche", "--features", folder.resolve("none").toString());

    assertThat(refused.status()).isEqualTo(ExitCode.DATA);
    assertThat(refused.err()).contains("expected a column of [$open, ").contains("was $momentum3");
    assertThat(nowhere.status()).isEqualTo(ExitCode.DATA);
    assertThat(nowhere.err()).contains("expected a feature store with features.yml, was none");
    assertThat(folder.resolve("x.tranche")).doesNotExist();
  }

  @Test
  void graphsAreWrittenBesideEachOther() {
    Run export = export("model.onnx");
    Run again = export("model.onnx");
    Run inspect = Run.of("inspect", folder.resolve("model.onnx").toString());

    assertThat(export.status()).as(export.err()).isZero();
    assertThat(export.out())
        .contains("wrote " + folder.resolve("model.onnx"))
        .contains("wrote " + folder.resolve("model.tick.onnx"))
        .contains("wrote " + folder.resolve("model.decision.onnx"));
    assertThat(again.status()).isEqualTo(ExitCode.CONFIG);
    assertThat(inspect.status()).isEqualTo(ExitCode.CHECKPOINT);
    assertThat(inspect.err())
        .contains("model.onnx: expected a bundle, a checkpoint, a .pth or a .safetensors file");
  }
}

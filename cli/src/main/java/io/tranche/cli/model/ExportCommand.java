package io.tranche.cli.model;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.Text;
import io.tranche.cli.console.Version;
import io.tranche.cli.option.Plugins;
import io.tranche.cli.option.WeightsOption;
import io.tranche.config.ConfigException;
import io.tranche.execution.DeviationGuard;
import io.tranche.market.DataException;
import io.tranche.policy.weights.Precision;
import io.tranche.policy.weights.SafeTensors;
import io.tranche.policy.weights.TorchFile;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.ModelBundle;
import io.tranche.runtime.ModelSpec;
import io.tranche.runtime.ModelSpec.Combination;
import io.tranche.runtime.onnx.OnnxModel;
import io.tranche.runtime.onnx.OnnxOrigin;
import io.tranche.work.export.ExportInput;
import io.tranche.work.export.ModelExport;
import io.tranche.work.export.OpenedModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "export",
    description = {
      "Write a trained model to one file, with everything its decisions depend on (docs/bundle.md).",
      "Several checkpoints become an ensemble."
    })
public final class ExportCommand implements Callable<Integer> {

  /// The formats of an exported model.
  enum Format {
    /// Everything, for `tranche` itself.
    BUNDLE(BundleFile.SUFFIX),
    /// Weights alone, for torch and Qlib.
    PTH(".pth"),
    /// Weights alone.
    SAFETENSORS(".safetensors"),
    /// Graphs for any ONNX runtime.
    ONNX(".onnx");

    private final String suffix;

    Format(String suffix) {
      this.suffix = suffix;
    }
  }

  @Parameters(
      arity = "1..*",
      paramLabel = "RUN|CKPT",
      description = {
        "A run directory, of which --weights says what to take.",
        "Or checkpoints: ours, or .pth and .safetensors with --config."
      })
  private List<Path> sources = new ArrayList<>();

  @Option(
      names = {"--out", "--to"},
      paramLabel = "FILE",
      description = "The file to write (default: RUN/model/model.tranche).")
  private @Nullable Path to;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "bundle, onnx, or weights alone as pth or safetensors (default: by the suffix of FILE).")
  private @Nullable Format format;

  @Option(
      names = "--config",
      paramLabel = "CONFIG",
      description =
          "The configuration of the training or of a backtest, ours or Qlib's (default: what the"
              + " checkpoint holds).")
  private @Nullable Path config;

  @Option(
      names = "--combine",
      paramLabel = "HOW",
      defaultValue = "mean",
      description =
          "How an ensemble decides: mean of the probabilities, or majority (default:"
              + " ${DEFAULT-VALUE}).")
  private Combination combination = Combination.MEAN;

  @Option(
      names = "--best",
      paramLabel = "K",
      description = "Export the K best checkpoints of a run in validation as one ensemble.")
  private @Nullable Integer best;

  @Option(
      names = "--features",
      paramLabel = "STORE",
      description =
          "A feature store made by tranche data features with the model's columns. It knows how they are"
              + " computed from bars, which the files of the configuration may not.")
  private @Nullable Path features;

  @Option(
      names = "--quantize",
      paramLabel = "PRECISION",
      description = "Store the weights as int8 or half, after a trial on the validation orders.")
  private @Nullable Precision quantize;

  @Option(
      names = "--agreement",
      paramLabel = "SHARE",
      defaultValue = "0.99",
      description =
          "Refuse quantised weights if a smaller share of decisions stays the same (default:"
              + " ${DEFAULT-VALUE}).")
  private double agreement = 0.99;

  @Option(names = "--force", description = "Write quantised weights even if many decisions change.")
  private boolean force;

  @Option(names = "--overwrite", description = "Replace FILE if it exists.")
  private boolean overwrites;

  @Mixin private WeightsOption weights = new WeightsOption();

  @Mixin private Plugins plugins = new Plugins();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    PrintWriter out = console.out();
    try (Plugins.Loaded _ = plugins.load()) {
      requireSense();
      Path target = target();
      requireFree(target);
      Format chosen = format(target);
      List<Path> files = chosen == Format.ONNX ? OnnxModel.files(target) : List.of(target);
      files.forEach(this::requireFree);
      if (quantize != null && chosen != Format.BUNDLE) {
        throw new ConfigException("--quantize", "a bundle", chosen.suffix);
      }
      ExportInput input = ExportInput.of(sources, best, weights.wanted());
      var export =
          new ModelExport(
              config,
              combination,
              Version.number(),
              Version.commit(),
              features,
              (_, _, _) -> {},
              console::warn);
      input.checkpoints().forEach(file -> out.printf("%s (%s)%n", file, input.choice()));
      for (Path file : write(export, input, chosen, target)) {
        out.println(Text.of("wrote %s, %,d bytes", file, size(file)));
      }
      if (chosen != Format.ONNX) {
        out.printf("look at it: tranche inspect %s%n", target);
      }
      return ExitCode.OK;
    }
  }

  private void requireSense() {
    if (quantize == Precision.FLOAT32) {
      throw new ConfigException("--quantize", "int8 or half", quantize.label());
    }
    if (!(agreement >= 0 && agreement <= 1)) {
      throw new ConfigException("--agreement", "a share in [0, 1]", agreement);
    }
    if (best != null && (best < 1 || best > ModelBundle.MAX_MEMBERS)) {
      throw new ConfigException("--best", "1 to %d".formatted(ModelBundle.MAX_MEMBERS), best);
    }
  }

  private List<Path> write(ModelExport export, ExportInput input, Format chosen, Path target) {
    switch (chosen) {
      case BUNDLE -> {
        try (OpenedModel model = export.open(input)) {
          ModelBundle bundle = tried(model);
          BundleFile.write(target, bundle);
          summarise(console.out(), bundle);
        }
      }
      case ONNX -> {
        warnOfGuard(input.guard());
        return writeOnnx(export, input, target);
      }
      case PTH, SAFETENSORS -> {
        warnOfGuard(input.guard());
        var weights = export.weights(input);
        makeFolder(target);
        if (chosen == Format.PTH) {
          TorchFile.write(target, weights);
        } else {
          new SafeTensors(weights, Map.of()).write(target);
        }
      }
    }
    return List.of(target);
  }

  private ModelBundle tried(OpenedModel model) {
    var trials = new ExportTrials(model, console);
    ModelBundle bundle = trials.withReference(model.bundle());
    trials.compareWithBest(bundle);
    return quantize == null ? bundle : trials.quantised(bundle, quantize, agreement, force);
  }

  private static List<Path> writeOnnx(ModelExport export, ExportInput input, Path target) {
    if (input.checkpoints().size() > 1) {
      throw new ConfigException(
          "CKPT",
          "one checkpoint; ONNX has no ensembles, export each member",
          input.checkpoints().size());
    }
    try (OpenedModel model = export.open(input)) {
      ModelBundle bundle = model.bundle();
      String version = Version.number();
      var origin =
          new OnnxOrigin(
              version == null ? "development" : version,
              bundle.lineage().sources().getFirst().file());
      var onnx = OnnxModel.of(bundle.spec(), bundle.members().getFirst(), origin);
      makeFolder(target);
      return onnx.write(target);
    }
  }

  /// Only a bundle has a guard: whoever uses something else must know.
  private void warnOfGuard(@Nullable DeviationGuard guard) {
    if (guard != null && guard.size() < 1) {
      console.warn(
          "only a bundle has the guard of the run, which is %s; apply it to what the network says"
              .formatted(guard));
    }
  }

  private Path target() {
    if (to != null) {
      return to;
    }
    if (sources.size() > 1 || !Files.isDirectory(sources.getFirst())) {
      throw new ConfigException("--out", "a file", "missing");
    }
    return sources.getFirst().resolve("model/model" + suffix());
  }

  private String suffix() {
    return format == null ? BundleFile.SUFFIX : format.suffix;
  }

  private Format format(Path target) {
    if (format != null) {
      return format;
    }
    for (Format each : Format.values()) {
      if (target.toString().endsWith(each.suffix)) {
        return each;
      }
    }
    throw new ConfigException(
        "--out",
        "a name that ends in .tranche, .pth, .safetensors or .onnx, or a --format",
        target);
  }

  private void requireFree(Path target) {
    if (Files.isDirectory(target)) {
      throw new ConfigException("--out", "a file", "the folder " + target);
    }
    if (!overwrites && Files.exists(target)) {
      throw new ConfigException("--out", "a new file, or --overwrite", target);
    }
  }

  private static void makeFolder(Path target) {
    try {
      Path folder = target.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
  }

  private static void summarise(PrintWriter out, ModelBundle bundle) {
    ModelSpec model = bundle.spec();
    out.println(
        Text.of(
            "%s, %s; at most %d decisions per day, one every %d ticks of %s (%s); %d features",
            model.network().required("class").asText(),
            bundle.members().size() == 1
                ? "one set of weights"
                : "%d sets of weights, %s"
                    .formatted(
                        bundle.members().size(),
                        model.combination().name().toLowerCase(Locale.ROOT)),
            model.maxSteps(),
            model.ticksPerStep(),
            model.frequency(),
            model.session().name(),
            model.features().columns().today().size()));
    if (model.guard() != null) {
      out.println("guard: " + model.guard());
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }
}

package io.tranche.cli.training;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.option.Arguments;
import io.tranche.cli.option.Plugins;
import io.tranche.config.Catalog;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.files.FolderLock;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.run.ExecutionRun;
import io.tranche.run.PreparedData;
import io.tranche.run.RunFolder;
import io.tranche.run.RunParts;
import io.tranche.trainer.ProblemRun;
import io.tranche.work.ConfigPaths;
import io.tranche.work.gym.EnvironmentHost;
import io.tranche.work.gym.EnvironmentServer;
import io.tranche.work.gym.HostSettings;
import io.tranche.work.gym.HostSettings.Autoreset;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "gym",
    description = {
      "Host the environments of a training for another program (docs/python.md).",
      "Commands come through standard input and answers go through standard output; observations and"
          + " actions are in FILE. The Python package 'tranche' starts this verb by itself."
    })
public final class GymCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "CONFIG",
      description = "A YAML file, as for 'train', or one that names a 'problem' of a plug-in.")
  private Path config = Path.of("");

  @Option(
      names = "--file",
      paramLabel = "FILE",
      required = true,
      description = "An empty file that both programs map into memory.")
  private Path file = Path.of("");

  @Option(
      names = "--environments",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many environments (default: ${DEFAULT-VALUE}).")
  private int environments;

  @Option(
      names = "--stage",
      paramLabel = "STAGE",
      defaultValue = "train",
      description =
          "Whose orders: train (shuffled), valid or test, both in their order; all begin again at"
              + " their end (default: ${DEFAULT-VALUE}).")
  private String stage = "train";

  @Option(
      names = "--autoreset",
      paramLabel = "MODE",
      defaultValue = "next-step",
      description =
          "When an environment begins its next episode: next-step, same-step or disabled, as in"
              + " Gymnasium (default: ${DEFAULT-VALUE}).")
  private String autoreset = "next-step";

  @Option(
      names = "--flat",
      description = "Observations are one row of numbers, those that our Mlp reads.")
  private boolean flat;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Replaces a value of the file; may be repeated.")
  private List<String> assignments = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where data that CONFIG asks to be made are put (default: as for 'train').")
  private @Nullable Path out;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of threads; does not change the result (default: the number of cores).")
  private @Nullable Integer threads;

  @Mixin private Plugins plugins = new Plugins();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() throws IOException {
    HostSettings settings =
        new HostSettings(
            Arguments.atLeast("--environments", 1, environments),
            Tag.valueOf(
                Arguments.oneOf("--stage", List.of("train", "valid", "test"), stage)
                    .toUpperCase(Locale.ROOT)),
            Autoreset.valueOf(
                Arguments.oneOf(
                        "--autoreset", List.of("next-step", "same-step", "disabled"), autoreset)
                    .replace('-', '_')
                    .toUpperCase(Locale.ROOT)),
            flat,
            Arguments.atLeast(
                "--threads",
                1,
                threads == null ? Runtime.getRuntime().availableProcessors() : threads));
    try (Plugins.Loaded _ = plugins.load()) {
      ConfigNode node = read();
      ConfigNode problem = node.optional("problem");
      if (problem != null) {
        node.rejectUnknown(List.of("tranche", "problem"));
        try (var host = EnvironmentHost.open(problem(problem), settings, file)) {
          serve(host);
        }
        return ExitCode.OK;
      }
      ExecutionRun run = ExecutionRun.read(node, console::warn);
      RunFolder folder = out == null ? RunFolder.of(run, config) : new RunFolder(out);
      try (RunParts<?> parts = RunParts.of(run, prepared(run, folder));
          var host = EnvironmentHost.open(parts, settings, file)) {
        serve(host);
      }
    }
    return ExitCode.OK;
  }

  private static ProblemRun<?, ?> problem(ConfigNode node) {
    return Catalog.of(ProblemRun.class, List.of()).withInstalled().make(ComponentSpec.from(node));
  }

  private static void serve(EnvironmentHost<?, ?> host) throws IOException {
    new EnvironmentServer(
            host,
            new BufferedInputStream(new FileInputStream(FileDescriptor.in)),
            new FileOutputStream(FileDescriptor.out))
        .serve();
  }

  /// The folder is locked only while data are made: any number of programs may read them.
  private PreparedData prepared(ExecutionRun run, RunFolder folder) {
    try (FolderLock _ = folder.lock()) {
      return PreparedData.of(run, folder, (_, _, _) -> {});
    }
  }

  private ConfigNode read() {
    ConfigNode node = ConfigFiles.loadNamedAnyhow(config);
    for (String assignment : assignments) {
      node = node.with(assignment);
    }
    return ConfigPaths.staged(node);
  }
}

package io.tranche.cli.model;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.Version;
import io.tranche.cli.option.Arguments;
import io.tranche.cli.option.Plugins;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.DataException;
import io.tranche.run.ExecutionRun;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.ModelBundle;
import io.tranche.runtime.ModelSpec.Combination;
import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.Route;
import io.tranche.serving.client.TrancheClient;
import io.tranche.serving.http.Token;
import io.tranche.trainer.TrainingProgress;
import io.tranche.work.export.ExportInput;
import io.tranche.work.export.ModelExport;
import io.tranche.work.export.OpenedModel;
import io.tranche.work.roll.Roll;
import io.tranche.work.roll.RollPlan;
import io.tranche.work.roll.RollReport;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "roll",
    description = {
      "Walk forward: train on a window of days, choose on the next, judge on those after, export;"
          + " then move on.",
      "Run it again to go on after a stop, or when there are new days (docs/training.md)."
    })
public final class RollCommand implements Callable<Integer> {

  @Parameters(
      index = "0",
      paramLabel = "CONFIG",
      description = "A training configuration of our own dialect, with bars or a market.")
  private Path config = Path.of("");

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "The folder of all windows, their models and the report.")
  private Path out = Path.of("");

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Replaces a value of the file; may be repeated.")
  private List<String> assignments = new ArrayList<>();

  @Option(
      names = "--train-days",
      paramLabel = "N",
      defaultValue = "60",
      description = "Days to train on (default: ${DEFAULT-VALUE}).")
  private int train = 60;

  @Option(
      names = "--valid-days",
      paramLabel = "N",
      defaultValue = "20",
      description = "Days after those to choose on (default: ${DEFAULT-VALUE}).")
  private int valid = 20;

  @Option(
      names = "--next-days",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "Days after those that are judged; then the window moves on by as many (default:"
              + " ${DEFAULT-VALUE}).")
  private int next = 20;

  @Option(
      names = "--windows",
      paramLabel = "N",
      description = "At most so many windows, the latest (default: all).")
  private @Nullable Integer windows;

  @Option(
      names = "--candidates",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Checkpoints that are compared on the days to choose on (default: ${DEFAULT-VALUE}).")
  private int candidates = 3;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Seeds that each window trains; their scores are averaged, and the report shows how much"
              + " they differ (default: ${DEFAULT-VALUE}).")
  private int seeds = 1;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "roll",
      description = "Name of the models; the version is the window (default: ${DEFAULT-VALUE}).")
  private String name = "roll";

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of threads; does not change the result (default: all cores).")
  private @Nullable Integer threads;

  @Option(
      names = "--shadow",
      paramLabel = "URL",
      description =
          "Load the model of the last window into this service as a shadow. Its model folder must be"
              + " DIR/models.")
  private @Nullable URI service;

  @Option(
      names = "--beside",
      paramLabel = "MODEL",
      description =
          "The model of the service that decides (default: the only one of another name).")
  private @Nullable String beside;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "File with the operator's token of the service.")
  private @Nullable Path token;

  @Mixin private Plugins plugins = new Plugins();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    for (int days : List.of(train, valid, next)) {
      Arguments.atLeast("--train-days, --valid-days and --next-days", 1, days);
    }
    if (!name.matches("[A-Za-z0-9_-]{1,60}")) {
      throw new ConfigException("--name", "letters, digits, - and _", name);
    }
    if (token != null && service == null) {
      throw new ConfigException("--token-file", "a service to load into (--shadow)", token);
    }
    try (Plugins.Loaded _ = plugins.load();
        var progress = console.progress("roll")) {
      ConfigNode node = ConfigFiles.loadNamedAnyhow(config);
      for (String assignment : assignments) {
        node = node.with(assignment);
      }
      var plan =
          new RollPlan(
              train,
              valid,
              next,
              windows == null ? null : Arguments.atLeast("--windows", 1, windows),
              Arguments.atLeast("--candidates", 1, candidates),
              Arguments.between("--seeds", 1, ModelBundle.MAX_MEMBERS, seeds),
              name);
      var parts =
          new Roll.Parts(
              this::export,
              threads == null ? null : Arguments.atLeast("--threads", 1, threads),
              line -> console.err().println(line),
              (what, done, total) -> {
                if (what.equals(Roll.WINDOWS)) {
                  progress.measure(done, total);
                }
              },
              TrainingProgress.NONE,
              Clock.systemUTC());
      RollReport report = new Roll(ExecutionRun.read(node, console::warn), plan, out, parts).run();
      report.lines().forEach(console.out()::println);
      if (service != null) {
        shadow(service, plan.model(report.rows().getLast().window()));
      }
      console
          .out()
          .printf("models: %s, report: %s%n", out.resolve("models"), out.resolve("report.md"));
    }
    return ExitCode.OK;
  }

  private void export(Path run, Path target) {
    var export =
        new ModelExport(
            null,
            Combination.MEAN,
            Version.number(),
            Version.commit(),
            null,
            (_, _, _) -> {},
            console::warn);
    try (OpenedModel model = export.open(ExportInput.of(List.of(run), null, null))) {
      var trials = new ExportTrials(model, console);
      BundleFile.write(target, trials.withReference(model.bundle()));
    }
  }

  /// Lets a service decide with the model beside the one that it uses, without any effect.
  private void shadow(URI address, String model) {
    try (var plain = new TrancheClient(address)) {
      TrancheClient client = token == null ? plain : plain.withToken(read(token));
      List<String> others =
          client.models().models().stream()
              .map(Answer.Model::name)
              .filter(each -> !each.startsWith(name + "@"))
              .toList();
      if (beside == null && others.size() != 1) {
        throw new ConfigException("--beside", "the model that decides, one of " + others, "none");
      }
      String deciding = beside == null ? others.getFirst() : beside;
      client.administer(new Request.Load(model));
      client.administer(new Request.SetRoute(new Route(deciding, null, 0, List.of(model))));
      console.out().printf("%s decides in %s, %s is its shadow%n", deciding, address, model);
    } catch (IOException e) {
      throw new DataException(address.toString(), "a service that loads " + model, e.getMessage());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new DataException(address.toString(), "a service that answers", "interrupted");
    }
  }

  private static String read(Path file) {
    Token.read(file); // says what is wrong with it
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new ConfigException(file.toString(), "a file that can be read", e.getMessage());
    }
  }
}

package io.tranche.cli;

import io.tranche.cli.backtest.BacktestCommand;
import io.tranche.cli.backtest.JudgeCommand;
import io.tranche.cli.backtest.ReportCommand;
import io.tranche.cli.backtest.SelectCommand;
import io.tranche.cli.backtest.StressCommand;
import io.tranche.cli.config.ConfigCommand;
import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.Progress;
import io.tranche.cli.console.Version;
import io.tranche.cli.dashboard.DashboardCommand;
import io.tranche.cli.data.DataCommand;
import io.tranche.cli.data.OrdersCommand;
import io.tranche.cli.doctor.DoctorCommand;
import io.tranche.cli.journal.JournalCommand;
import io.tranche.cli.model.DecideCommand;
import io.tranche.cli.model.ExportCommand;
import io.tranche.cli.model.InspectCommand;
import io.tranche.cli.model.RollCommand;
import io.tranche.cli.model.ServeCommand;
import io.tranche.cli.model.SignCommand;
import io.tranche.cli.replay.ReplayCommand;
import io.tranche.cli.start.NewCommand;
import io.tranche.cli.start.StartCommand;
import io.tranche.cli.training.DemoCommand;
import io.tranche.cli.training.GymCommand;
import io.tranche.cli.training.TrainCommand;
import io.tranche.cli.training.TuneCommand;
import io.tranche.config.ConfigException;
import io.tranche.config.Installed;
import io.tranche.config.NearestName;
import io.tranche.env.space.SpaceException;
import io.tranche.env.vector.EnvironmentException;
import io.tranche.market.DataException;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.trainer.TrainingException;
import io.tranche.work.WorkException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine;

/// The root of all verbs.
@Command(
    name = "tranche",
    description = "Reinforcement learning for order execution on the JVM.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {
      DemoCommand.class,
      StartCommand.class,
      NewCommand.class,
      TrainCommand.class,
      TuneCommand.class,
      RollCommand.class,
      GymCommand.class,
      BacktestCommand.class,
      SelectCommand.class,
      JudgeCommand.class,
      StressCommand.class,
      ReportCommand.class,
      DashboardCommand.class,
      DoctorCommand.class,
      ExportCommand.class,
      InspectCommand.class,
      SignCommand.class,
      DecideCommand.class,
      ServeCommand.class,
      ReplayCommand.class,
      JournalCommand.class,
      DataCommand.class,
      OrdersCommand.class,
      ClusterCommand.class,
      ComponentsCommand.class,
      ConfigCommand.class,
      ConformanceCommand.class,
      CompletionCommand.class,
      ManCommand.class,
      CommandLine.HelpCommand.class
    },
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "%nVerbs:%n",
    footer = {
      "",
      "For developers:",
      "  test         Run the whole verification (test --help).",
      "  bench        List and run the benchmarks (bench --help).",
      "  release      Make an archive that needs only a JDK (release --help).",
      "  javadoc      Make the pages of all libraries (javadoc --help).",
      "  docs         Make the documentation as a site with search (docs --help).",
      "  api          Compare what libraries offer with the last release (api --help).",
      "",
      "Exit codes: 0 done, 1 internal error or failed check, 2 wrong usage or configuration,",
      "3 wrong data or a file that cannot be written, 4 damaged checkpoint, 5 done but some orders failed,",
      "6 training diverged, 130 interrupted."
    })
public final class Main {

  private Main() {}

  public static void main(String[] arguments) {
    var out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    var err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int status = run(out, err, arguments);
    out.flush();
    err.flush();
    System.exit(status);
  }

  /// Runs one command line and returns its exit code.
  static int run(PrintWriter out, PrintWriter err, String... arguments) {
    var commandLine =
        new CommandLine(new Main())
            .setOut(out)
            .setErr(err)
            .setUsageHelpAutoWidth(false)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setParameterExceptionHandler(usageError())
            .setExecutionExceptionHandler(roof());
    OldSpellings.in(arguments).forEach(err::println);
    if (arguments.length == 0) {
      commandLine.usage(out);
      return ExitCode.OK;
    }
    long started = System.nanoTime();
    int status;
    try {
      status = commandLine.execute(arguments);
    } catch (LinkageError e) {
      if (!Installed.isOfPlugIn(e)) {
        throw e;
      }
      status = report(err, Installed.anotherVersion("plug-in", e), ExitCode.CONFIG);
    }
    if (isVerbose(commandLine.getParseResult())) {
      err.printf(
          Locale.ROOT,
          "%.1f s, at most %d MB of memory, %s%n",
          (System.nanoTime() - started) / 1e9,
          Progress.peakMegabytes(),
          Version.text());
    }
    return status;
  }

  private static boolean isVerbose(CommandLine.@Nullable ParseResult parsed) {
    CommandLine.ParseResult verb = parsed;
    while (verb != null && verb.hasSubcommand()) {
      verb = verb.subcommand();
    }
    return verb != null && verb.hasMatchedOption(Console.VERBOSE);
  }

  private static IParameterExceptionHandler usageError() {
    return (e, _) -> {
      CommandLine failed = e.getCommandLine();
      failed.getErr().println(e.getMessage());
      failed
          .getErr()
          .println(meant(e) + "try: " + failed.getCommandSpec().qualifiedName() + " --help");
      return ExitCode.CONFIG;
    };
  }

  /// Returns the nearest verb or option, if the user mistyped one.
  private static String meant(CommandLine.ParameterException e) {
    if (!(e instanceof CommandLine.UnmatchedArgumentException unmatched)) {
      return "";
    }
    String written = unmatched.getUnmatched().getFirst();
    CommandLine failed = e.getCommandLine();
    var names = new ArrayList<String>();
    if (written.startsWith("-")) {
      failed.getCommandSpec().options().forEach(option -> names.addAll(List.of(option.names())));
    } else {
      names.addAll(failed.getSubcommands().keySet());
    }
    String nearest = NearestName.of(written, names);
    return nearest == null ? "" : "did you mean %s? ".formatted(nearest);
  }

  /// Handles the exceptions of every verb: a user's mistake prints one line, a defect of ours a
  /// stack trace.
  private static IExecutionExceptionHandler roof() {
    return (e, commandLine, parsed) -> {
      PrintWriter err = commandLine.getErr();
      if (isVerbose(parsed)) {
        e.printStackTrace(err);
      }
      return switch (e) {
        case EnvironmentException broken
            when broken.getCause() instanceof LinkageError cause && Installed.isOfPlugIn(cause) ->
            report(err, Installed.anotherVersion("plug-in", cause), ExitCode.CONFIG);
        case ConfigException config -> report(err, config, ExitCode.CONFIG);
        case DataException data -> report(err, data, ExitCode.DATA);
        case SpaceException data -> report(err, data, ExitCode.DATA);
        case EnvironmentException broken when broken.getCause() instanceof RuntimeException ->
            report(err, broken, ExitCode.DATA);
        case CheckpointException checkpoint -> report(err, checkpoint, ExitCode.CHECKPOINT);
        case WorkException work -> report(err, work, ExitCode.INTERNAL);
        case TrainingException diverged -> report(err, diverged, ExitCode.DIVERGED);
        default -> {
          e.printStackTrace(err);
          yield ExitCode.INTERNAL;
        }
      };
    };
  }

  private static int report(PrintWriter err, RuntimeException e, int status) {
    err.println(e.getMessage());
    return status;
  }
}

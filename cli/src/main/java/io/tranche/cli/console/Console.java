package io.tranche.cli.console;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Where a verb prints: results to standard output, everything else to standard error. Every verb
/// has it, and with it `--help` and how much it says.
@Command(mixinStandardHelpOptions = true)
public final class Console {

  public static final String VERBOSE = "--verbose";

  @Option(names = "--quiet", description = "Print results, warnings and errors only.")
  private boolean isQuiet;

  @Option(
      names = VERBOSE,
      description = "Print also the time and memory it took, and where an error comes from.")
  private boolean isVerbose;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec verb = CommandSpec.create();

  public PrintWriter out() {
    return verb.commandLine().getOut();
  }

  public PrintWriter err() {
    return verb.commandLine().getErr();
  }

  /// Whether progress, notes and estimates are unwanted.
  public boolean isQuiet() {
    return isQuiet && !isVerbose;
  }

  /// Prints something good to know, on standard error.
  public void note(String text) {
    if (!isQuiet()) {
      err().println(text);
    }
  }

  public Progress progress(String what) {
    return new Progress(err(), what, isQuiet());
  }

  public void warn(String text) {
    err().println("warning: " + text);
  }
}

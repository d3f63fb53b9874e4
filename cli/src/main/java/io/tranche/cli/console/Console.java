package io.tranche.cli.console;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Where a verb prints: results to standard output, everything else to standard error. Every verb
/// has it, and with it `--help`.
@Command(mixinStandardHelpOptions = true)
public final class Console {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec verb = CommandSpec.create();

  public PrintWriter out() {
    return verb.commandLine().getOut();
  }

  public PrintWriter err() {
    return verb.commandLine().getErr();
  }

  public void warn(String text) {
    err().println("warning: " + text);
  }
}

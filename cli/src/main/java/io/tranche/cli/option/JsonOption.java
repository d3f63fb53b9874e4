package io.tranche.cli.option;

import io.tranche.cli.console.Console;
import java.util.Map;
import picocli.CommandLine.Option;
import tools.jackson.databind.ObjectMapper;

/// Results for programs instead of people; the same option for every verb that prints results.
public final class JsonOption {

  @Option(names = "--json", description = "Print the result as JSON, and nothing else.")
  private boolean isWanted;

  public boolean isWanted() {
    return isWanted;
  }

  /// Prints a result.
  public static void print(Map<String, ?> result, Console console) {
    console
        .out()
        .println(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(result));
  }
}

package io.tranche.cli.start;

import io.tranche.config.ConfigException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Asks the user what the bars do not show.
///
/// @param in the answers, one line for each; null if there is nobody to ask
record Questions(@Nullable BufferedReader in, PrintWriter out) {

  /// Returns one of `choices`.
  ///
  /// @param option that answers the question without asking
  /// @param guess taken for an empty line, and if there is nobody to ask; null if there is none
  /// @throws ConfigException if there is neither an answer nor a guess
  String ask(String option, String question, List<String> choices, @Nullable String guess) {
    while (in != null) {
      String preset = guess == null ? "" : " [" + guess + "]";
      out.printf("%s (%s)%s: ", question, String.join(", ", choices), preset);
      out.flush();
      String line = line(in);
      if (line == null) {
        out.println();
        break;
      }
      String answer = line.isBlank() && guess != null ? guess : line.strip();
      if (choices.contains(answer)) {
        return answer;
      }
      out.printf("expected one of %s, was '%s'%n", choices, answer);
    }
    if (guess == null) {
      throw new ConfigException(
          option, "an answer to \"%s\" out of %s".formatted(question, choices), "none");
    }
    return guess;
  }

  private static @Nullable String line(BufferedReader in) {
    try {
      return in.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package io.tranche.cli.option;

import io.tranche.cli.console.Console;
import io.tranche.config.ConfigException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Bounds and choices of command line arguments.
public final class Arguments {

  private Arguments() {}

  public static int atLeast(String option, int least, int value) {
    if (value < least) {
      throw new ConfigException(option, "at least " + least, value);
    }
    return value;
  }

  /// Returns a number from `least` to `most`.
  ///
  /// @throws ConfigException if it is another
  public static int between(String option, int least, int most, int value) {
    if (value < least || value > most) {
      throw new ConfigException(option, "%d to %d".formatted(least, most), value);
    }
    return value;
  }

  /// Returns where to write.
  ///
  /// @param old the place as it was once given, without `--out`
  public static Path target(@Nullable Path out, @Nullable Path old, Console console) {
    if (out != null && old != null) {
      throw new ConfigException("--out", "one place to write to", out + " and " + old);
    }
    if (old != null) {
      console.warn("write --out %s instead of %s, which means the same".formatted(old, old));
      return old;
    }
    if (out == null) {
      throw new ConfigException("--out", "one place to write to", "none");
    }
    return out;
  }

  /// Returns `value`, one of `choices`.
  public static String oneOf(String option, List<String> choices, String value) {
    if (!choices.contains(value)) {
      throw new ConfigException(option, "one of " + choices, value);
    }
    return value;
  }
}

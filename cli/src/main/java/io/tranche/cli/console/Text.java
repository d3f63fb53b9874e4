package io.tranche.cli.console;

import java.util.Locale;

/// Formatted text that is the same in every locale.
public final class Text {

  private Text() {}

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be one more dependency
  public static String of(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}

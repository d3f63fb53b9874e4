package io.tranche.files;

/// The rule for names from data that become file names: they must stay within their folder on every
/// operating system.
public final class SafeFileName {

  public static final String RULE =
      "a name that can be a file name: no separators, no control characters, no leading dot";

  private static final int MAX_LENGTH = 200;

  private SafeFileName() {}

  public static boolean isSafe(String name) {
    return !name.isBlank()
        && name.length() <= MAX_LENGTH
        && !name.startsWith(".")
        && name.equals(name.strip())
        && name.chars().noneMatch(c -> c < ' ' || c == 127 || "/\\:*?\"<>|".indexOf(c) >= 0);
  }
}

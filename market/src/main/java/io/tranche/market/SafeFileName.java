package io.tranche.market;

/// The rule for names out of data that become names of files: they must stay within their folder on
/// every system.
public final class SafeFileName {

  private static final int LONGEST = 200;

  private SafeFileName() {}

  /// Returns `name`.
  ///
  /// @param kind what the name is of, such as `instrument`, for the message
  /// @throws DataException if it cannot be the name of a file
  public static String require(String kind, String name) {
    boolean safe =
        !name.isBlank()
            && name.length() <= LONGEST
            && !name.startsWith(".")
            && name.equals(name.strip())
            && name.chars().noneMatch(c -> c < ' ' || c == 127 || "/\\:*?\"<>|".indexOf(c) >= 0);
    if (!safe) {
      throw new DataException(
          kind,
          "a name that can be a file name: no separators, no control characters, no leading dot",
          "'" + name + "'");
    }
    return name;
  }
}

package io.tranche.run;

import java.util.List;

/// A key of our own dialect.
///
/// @param path dotted, such as `trainer.max_iterations`
/// @param type what it takes: `integer`, `number`, `boolean`, `string`, `list`, `mapping`,
///   `component`, words separated by `|`, or several of these joined by `or`
/// @param byDefault in Markdown
/// @param meaning in Markdown
public record ConfigKey(String path, String type, String byDefault, String meaning) {

  /// Returns all keys, in the order of the documentation.
  public static List<ConfigKey> all() {
    return ComponentTable.lines("keys.txt").stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split(" ; ", 4))
        .map(parts -> new ConfigKey(parts[0], parts[1], parts[2], parts[3]))
        .toList();
  }

  /// Returns the default and the meaning without Markdown.
  public String text() {
    return plain("%s (%s; default: %s)".formatted(meaning, type, byDefault));
  }

  private static String plain(String markdown) {
    return markdown
        .replaceAll(" \\(\\[[^\\]]*\\]\\([^)]*\\)\\)", "")
        .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
        .replace("`", "");
  }
}

package io.tranche.site.reference;

import io.tranche.run.ConfigKey;
import java.util.regex.Pattern;

/// Every key of our own dialect, from the table that `tranche config explain` reads.
final class KeysPage {

  private static final Pattern LINK = Pattern.compile("\\]\\((?!\\w+://)([^)#]*)(#[^)]*)?\\)");

  private KeysPage() {}

  static String text() {
    var page =
        new StringBuilder(
            Reference.top(
                "Configuration keys",
                "For everybody who writes or reads a configuration. After reading, you know what each key takes, its default, and what it"
                    + " does; [Configuration](../configuration.md) explains how they work together."));
    page.append(
        """
        `tranche config explain KEY` prints the same; `tranche config schema` writes a JSON schema for editors. Every key is optional.
        """);
    String section = "";
    for (ConfigKey key : ConfigKey.all()) {
      String head = section(key.path());
      if (!head.equals(section)) {
        section = head;
        page.append(
            "\n## %s\n| key | takes | default | meaning |\n|---|---|---|---|\n".formatted(head));
      }
      page.append(
          "| `%s` | %s | %s | %s |\n"
              .formatted(
                  key.path(), type(key.type()), links(key.byDefault()), links(key.meaning())));
    }
    return page.toString();
  }

  /// Returns the heading for a key: its section, or what keys of the first level are.
  private static String section(String path) {
    if (path.startsWith("data.orders")) {
      return "data.orders";
    }
    int dot = path.indexOf('.');
    return dot < 0 ? "parts of the run" : path.substring(0, dot);
  }

  private static String type(String type) {
    return type.contains("|") ? Reference.cell(type.replace("|", ", ")) : type;
  }

  /// Returns Markdown whose links start from the folder of the reference.
  private static String links(String markdown) {
    return LINK.matcher(markdown)
        .replaceAll(
            found -> {
              String anchor = found.group(2) == null ? "" : found.group(2);
              String file = found.group(1).isEmpty() ? "configuration.md" : found.group(1);
              return "](../" + file + anchor + ")";
            });
  }
}

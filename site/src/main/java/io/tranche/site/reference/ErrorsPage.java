package io.tranche.site.reference;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The messages that the troubleshooting page explains, each with the code that says it.
final class ErrorsPage {

  private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");

  private ErrorsPage() {}

  static String text(Path root) throws IOException {
    var page =
        new StringBuilder(
            Reference.top(
                "Messages",
                "For everybody who was stopped by a message, and for those who want to see the code behind it. After reading, you know where"
                    + " its cause and its fix are explained."));
    page.append(
        """
        A message has the form `WHERE: expected WHAT, was VALUE`. The words between are fixed, so search for them.

        | message or symptom | said by |
        |---|---|
        """);
    Map<String, String> sources = sources(root);
    var seen = new HashMap<String, Integer>();
    for (String line : Files.readAllLines(root.resolve("docs/troubleshooting.md"))) {
      if (line.startsWith("#")) {
        String message = line.replaceFirst("^#+ ", "").strip();
        String id =
            message.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
        int before = seen.merge(id, 1, Integer::sum) - 1;
        if (line.startsWith("## ")) {
          page.append(
              "| [%s](../troubleshooting.md#%s%s) | %s |\n"
                  .formatted(
                      escape(message),
                      id,
                      before == 0 ? "" : "-" + before,
                      said(sources, message)));
        }
      }
    }
    return page.toString();
  }

  private static Map<String, String> sources(Path root) throws IOException {
    var sources = new HashMap<String, String>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.toList()) {
        Path code = module.resolve("src/main/java");
        if (Files.isDirectory(code)) {
          try (Stream<Path> files = Files.walk(code)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
              sources.put(
                  root.relativize(file).toString().replace('\\', '/'),
                  JOINED.matcher(Files.readString(file)).replaceAll(""));
            }
          }
        }
      }
    }
    return sources;
  }

  /// Returns links to the files whose code has the message's longest fixed part.
  private static String said(Map<String, String> sources, String message) {
    List<String> parts = new ArrayList<>();
    for (String part : message.split(", was | \\(|\\[|\\d+|: |, or ", -1)) {
      parts.add(part.replaceFirst("^(?:expected|or|was) ", ""));
    }
    parts.sort(Comparator.comparingInt(String::length).reversed());
    String part = parts.getFirst().strip();
    List<String> files =
        part.length() < 12
            ? List.of()
            : sources.entrySet().stream()
                .filter(each -> each.getValue().contains(part))
                .map(Map.Entry::getKey)
                .sorted()
                .limit(3)
                .toList();
    var links = new StringBuilder();
    for (String file : files) {
      String name = file.substring(file.lastIndexOf('/') + 1).replace(".java", "");
      links.append(links.isEmpty() ? "" : ", ").append("[`%s`](../../%s)".formatted(name, file));
    }
    return links.toString();
  }

  private static String escape(String text) {
    return text.replace("|", "\\|").replace("[", "\\[").replace("]", "\\]").replace("_", "\\_");
  }
}

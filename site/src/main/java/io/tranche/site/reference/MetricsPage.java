package io.tranche.site.reference;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Every metric of the decision service, from the code that writes them. A test of module `serving`
/// compares the page with what a running service answers.
final class MetricsPage {

  private static final Pattern METRIC =
      Pattern.compile(
          "(counter|gauge|histogram|family|drift)\\(\\s*(?:engine, text, )?\"(tranche_[a-z0-9_]+)\",\\s*(?:\"(counter|gauge|histogram)\",\\s*)?(\"(?:[^\"]|\"\\s*\\+\\s*\")*\"|\\w+)");

  private MetricsPage() {}

  static String text(Path root) throws IOException {
    var page =
        new StringBuilder(
            Reference.top(
                "Metrics",
                "For operators who watch a decision service. After reading, you know what each metric of `GET /metrics` counts."));
    page.append(
        """
        The format is Prometheus' text. Labels and what to watch: [the service](../serving.md#figures); what to do when an alert comes:
        [runbook](../runbook.md). The metrics of training are in [Training](../training.md#which-numbers).

        | metric | kind | what |
        |---|---|---|
        """);
    metrics(root)
        .forEach(
            (name, row) -> page.append("| `%s` | %s | %s |\n".formatted(name, row[0], row[1])));
    return page.toString();
  }

  private static Map<String, String[]> metrics(Path root) throws IOException {
    var metrics = new TreeMap<String, String[]>();
    try (Stream<Path> files = Files.walk(root.resolve("serving/src/main/java"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        String code = Files.readString(file);
        Matcher found = METRIC.matcher(code);
        while (found.find()) {
          String kind =
              found.group(3) != null
                  ? found.group(3)
                  : found.group(1).equals("drift") ? "gauge" : found.group(1);
          metrics.putIfAbsent(found.group(2), new String[] {kind, literal(code, found.group(4))});
        }
      }
    }
    return metrics;
  }

  /// Returns the text of a literal, also of one that is joined from several or has a name.
  private static String literal(String code, String expression) {
    if (expression.startsWith("\"")) {
      return expression.replaceAll("\"\\s*\\+\\s*\"", "").replace("\"", "");
    }
    Matcher named =
        Pattern.compile("String %s =\\s*\"([^\"]*)\"".formatted(Pattern.quote(expression)))
            .matcher(code);
    return named.find() ? named.group(1) : "";
  }
}

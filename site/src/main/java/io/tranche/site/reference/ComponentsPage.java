package io.tranche.site.reference;

import io.tranche.run.ComponentTable;
import io.tranche.run.ComponentTable.Row;
import io.tranche.run.ComponentTable.Setting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/// Every component that a configuration may name, with its settings.
final class ComponentsPage {

  private ComponentsPage() {}

  static String text() {
    var page =
        new StringBuilder(
            Reference.top(
                "Components",
                "For everybody who names a simulator, reward, network, policy or other part in a configuration. After reading, you know"
                    + " which names exist and what their settings mean."));
    page.append(
        """
        A component is written as `{class: NAME, kwargs: {SETTING: VALUE}}`. `tranche components NAME` prints the same, and lists those of your plug-ins too.
        Names that come from Qlib have its module beside them and behave as in Qlib, quirks included.
        """);
    var kinds = new LinkedHashMap<String, List<Row>>();
    for (Row row : ComponentTable.all()) {
      kinds.computeIfAbsent(row.kind(), _ -> new ArrayList<>()).add(row);
    }
    kinds.forEach(
        (kind, rows) -> {
          rows.sort(Comparator.comparing(Row::name)); // those of modules come in any order
          page.append(
              "\n## %s\n| name | what it is | from Qlib's module |\n|---|---|---|\n"
                  .formatted(kind));
          for (Row row : rows) {
            page.append(
                "| `%s` | %s | %s |\n"
                    .formatted(
                        row.name(),
                        Reference.cell(row.summary()),
                        row.modulePaths().isEmpty()
                            ? ""
                            : "`" + String.join("`, `", row.modulePaths()) + "`"));
          }
          rows.stream().map(Row::name).distinct().forEach(name -> settings(page, name));
        });
    return page.toString();
  }

  private static void settings(StringBuilder page, String name) {
    List<Setting> settings = ComponentTable.settings(name);
    if (settings.isEmpty()) {
      return;
    }
    page.append("\n### %s\n| setting | default | meaning |\n|---|---|---|\n".formatted(name));
    for (Setting each : settings) {
      page.append(
          "| `%s` | %s | %s |\n"
              .formatted(
                  each.key(),
                  Reference.cell(each.byDefault()),
                  Reference.cell(each.meaning()).replace("<", "\\<")));
    }
  }
}

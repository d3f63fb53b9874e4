package io.tranche.serving.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.serving.JsonTree;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The alert rules and the dashboard use only metrics that are documented, and the runbook has
/// every rule.
class OperationsFilesTest {

  private static final Path FILES = Shared.root().resolve("examples/operations");

  private static Set<String> metrics(String text) {
    var names = new TreeSet<String>();
    Pattern.compile("tranche_[a-z0-9_]+")
        .matcher(text)
        .results()
        .forEach(found -> names.add(found.group().replaceAll("_bucket$", "")));
    return names;
  }

  @Test
  void theyUseMetricsThatExist() throws IOException {
    String page = Files.readString(Shared.root().resolve("docs/serving.md"));
    int from = page.indexOf("### Figures");
    var known = metrics(page.substring(from, page.indexOf("\n### ", from)));
    for (String name : new String[] {"alerts.yml", "grafana.json"}) {
      assertThat(known).containsAll(metrics(Files.readString(FILES.resolve(name))));
    }
    assertThat(JsonTree.read(Files.readString(FILES.resolve("grafana.json")))).isNotNull();
  }

  @Test
  void everyRuleIsInTheRunbook() throws IOException {
    ConfigNode rules =
        ConfigFiles.load(FILES.resolve("alerts.yml"))
            .required("groups")
            .asList()
            .getFirst()
            .required("rules");
    String runbook = Files.readString(Shared.root().resolve("docs/runbook.md"));
    assertThat(rules.asList()).hasSizeGreaterThan(10);
    for (ConfigNode rule : rules.asList()) {
      assertThat(runbook).contains("| `" + rule.required("alert").asText() + "`");
      assertThat(rule.required("expr").asText()).isNotEmpty();
    }
  }
}

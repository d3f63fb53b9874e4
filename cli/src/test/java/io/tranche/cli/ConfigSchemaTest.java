package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.tranche.run.ConfigKey;
import io.tranche.run.ExecutionRun;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class ConfigSchemaTest {

  private static final Path EXAMPLES = Shared.root().resolve("examples/configs");

  private final Schema schema =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(Run.of("config", "schema").out());

  @Test
  void takesEveryExampleAndEveryDefault() throws IOException {
    var texts = new ArrayList<>(List.of(ExecutionRun.DEFAULT.toConfig().toYaml()));
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      for (Path file : files.sorted().toList()) {
        String text = Files.readString(file);
        if (text.lines().anyMatch("tranche: 1"::equals)) {
          texts.add(text);
        }
      }
    }
    assertThat(texts).hasSizeGreaterThan(5);
    for (String text : texts) {
      assertThat(faults(text)).as(text).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tranche: 2                                                              | /tranche
          data: {market: {seed: 1}}                                               | tranche
          {tranche: 1, trainr: {}}                                                | trainr
          {tranche: 1, trainer: {max_iterations: many}}                           | /trainer/max_iterations
          {tranche: 1, trainer: {batching: episode}}                              | /trainer/batching
          {tranche: 1, data: {orders: {sizes: 1}}}                                | sizes
          {tranche: 1, policy: {class: Pqo}}                                      | /policy/class
          {tranche: 1, policy: {class: Ppo, kwargs: {learning_rat: 1}}}           | learning_rat
          """)
  void findsWhatTheProgramRefuses(String text, String place) {
    assertThat(faults(text)).isNotEmpty().anyMatch(fault -> fault.contains(place));
  }

  @Test
  void theTableOfKeysIsWhatIsRead() {
    var read = new TreeSet<String>();
    var tree = yaml(ExecutionRun.DEFAULT.toConfig().toYaml());
    tree.properties()
        .forEach(
            entry -> {
              if (List.of(
                      "augmentation",
                      "checkpoint",
                      "data",
                      "env",
                      "runtime",
                      "trainer",
                      "validation")
                  .contains(entry.getKey())) {
                entry
                    .getValue()
                    .propertyNames()
                    .forEach(key -> read.add(entry.getKey() + "." + key));
              } else {
                read.add(entry.getKey());
              }
            });
    tree.path("data").path("orders").propertyNames().forEach(key -> read.add("data.orders." + key));
    read.remove("tranche");
    assertThat(ConfigKey.all().stream().map(ConfigKey::path))
        .containsExactlyInAnyOrderElementsOf(read);
  }

  /// Whole configurations on the pages are valid; parts of one are YAML at least.
  @ParameterizedTest
  @MethodSource("io.tranche.cli.DocumentationTest#documents")
  void everyConfigurationOnAPageIsTaken(Path document) throws IOException {
    Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(document))
        .results()
        .map(block -> block.group(1))
        .forEach(
            text -> {
              if (text.startsWith("tranche: 1")) {
                assertThat(faults(text)).as(text).isEmpty();
              } else {
                assertThat(yaml(text).isObject()).as(text).isTrue();
              }
            });
  }

  @ParameterizedTest
  @CsvSource({
    "trainer.repeat, trainer.repeat: passes over",
    "max_iteratons, nearest: max_iterations"
  })
  void explainsKeys(String key, String text) {
    Run run = Run.of("config", "explain", key);
    assertThat(run.out() + run.err()).contains(text);
  }

  private List<String> faults(String text) {
    return schema.validate(yaml(text).toString(), InputFormat.JSON).stream()
        .map(Object::toString)
        .toList();
  }

  private static JsonNode yaml(String text) {
    return new ObjectMapper()
        .valueToTree(new Load(LoadSettings.builder().build()).loadFromString(text));
  }
}

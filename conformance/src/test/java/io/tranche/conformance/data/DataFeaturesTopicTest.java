package io.tranche.conformance.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.conformance.golden.Topic;
import io.tranche.testkit.Shared;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DataFeaturesTopicTest {

  private static final Path GOLDEN = Shared.root().resolve("conformance/golden");
  private static final JsonNode FILE =
      JsonMapper.shared().readTree(GOLDEN.resolve("data_features.json").toFile());

  private final Topic.Answers topic = new DataFeaturesTopic();

  // The tolerance is for the logarithm in volume features and for nothing else.
  @Test
  void everythingButVolumeFeaturesIsEqualToTheLastBit() {
    int matrices = 0;
    for (JsonNode testCase : FILE.get("cases")) {
      JsonNode expected = testCase.get("expected");
      if (!expected.has("dtype") && !expected.has("statistics")) {
        continue;
      }
      JsonNode answer = topic.answer(GOLDEN, FILE, testCase);
      assertThat(answer.path("statistics")).isEqualTo(asFloats(expected.path("statistics")));
      boolean features = expected.has("today_columns");
      for (String day : new String[] {"today", "yesterday"}) {
        for (int row = 0; row < expected.path(day).size(); row++) {
          JsonNode golden = expected.get(day).get(row);
          JsonNode own = answer.get(day).get(row);
          int volume = features ? golden.size() - 1 : golden.size();
          for (int column = 0; column < golden.size(); column++) {
            float difference = own.get(column).floatValue() - (float) golden.get(column).asDouble();
            assertThat(Math.abs(difference)).isLessThanOrEqualTo(column == volume ? 1e-6f : 0);
          }
        }
        matrices++;
      }
    }
    assertThat(matrices).isPositive();
  }

  private static JsonNode asFloats(JsonNode statistics) {
    if (statistics.isMissingNode()) {
      return statistics;
    }
    var floats = JsonMapper.shared().createObjectNode();
    statistics.forEachEntry((name, value) -> floats.put(name, (float) value.asDouble()));
    return floats;
  }
}

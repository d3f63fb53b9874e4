package io.tranche.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.conformance.data.DataOrdersTopic;
import io.tranche.conformance.golden.GoldenFile;
import io.tranche.testkit.Shared;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class DataOrdersTopicTest {

  private static final Path GOLDEN = Shared.root().resolve("conformance/golden");

  @Test
  void drawsTheRatiosThatTheCasesGive() {
    // The draws given are those of the script's own seed, so that leaving them out changes nothing.
    GoldenFile file = GoldenFile.read(GOLDEN.resolve("data_orders.json"));
    for (String name : List.of("gen_orders_two_stocks", "gen_orders_nan_stock_skipped")) {
      JsonNode testCase =
          file.cases().stream()
              .filter(one -> one.get("name").stringValue().equals(name))
              .findFirst()
              .orElseThrow()
              .deepCopy();
      ((ObjectNode) testCase.get("input")).putArray("lognormal_draws_in_order");

      JsonNode answer = DataOrdersTopic.answer(GOLDEN, file.root(), testCase);

      assertThat(Mismatch.find(name, testCase.get("expected"), answer, 1e-12)).isNull();
    }
  }
}

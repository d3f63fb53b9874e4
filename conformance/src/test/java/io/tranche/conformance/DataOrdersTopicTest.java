package io.tranche.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.config.ConfigException;
import io.tranche.market.DataException;
import io.tranche.market.TableFormat;
import io.tranche.testkit.Shared;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class DataOrdersTopicTest {

  private static final Path GOLDEN = Shared.root().resolve("conformance/golden");
  private static final JsonNode FILE =
      new JsonMapper().readTree(GOLDEN.resolve("data_orders.json").toFile());

  /// Qlib's script as shipped raises an IndexError (Q27); Tranche gives the orders it means.
  private static final String DEVIATION = "gen_orders_as_shipped";

  private final Topic topic = new DataOrdersTopic();

  static Stream<String> cases() {
    return FILE.get("cases").valueStream().map(one -> one.get("name").asString());
  }

  private static JsonNode testCase(String name) {
    return FILE.get("cases")
        .valueStream()
        .filter(one -> one.get("name").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void knowsAllCases() {
    assertThat(cases()).hasSize(50).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void answersAsQlibDid(String name) {
    JsonNode testCase = testCase(name);
    JsonNode expected = testCase.get("expected");

    if (name.equals(DEVIATION)) {
      assertTheOrdersThatTheScriptMeans(testCase);
    } else if (expected.hasNonNull("error")) {
      assertThatThrownBy(() -> topic.answer(GOLDEN, FILE, testCase))
          .isInstanceOfAny(DataException.class, ConfigException.class);
    } else {
      assertSame("$", expected, topic.answer(GOLDEN, FILE, testCase));
    }
  }

  private void assertTheOrdersThatTheScriptMeans(JsonNode testCase) {
    JsonNode bars = testCase.get("input").get("data").get("ST01");

    JsonNode answer = topic.answer(GOLDEN, FILE, testCase);

    // numpy.random.seed(1234); lognormal(-3.28, 1.14): one stock, so the shuffle draws nothing
    double ratio = 0.0644050061692991;
    assertThat(answer.get("error").isNull()).isTrue();
    assertThat(answer.get("files").propertyNames())
        .containsExactlyInAnyOrder("train/ST01.pkl.target", "all/ST01.pkl.target");
    for (JsonNode file : answer.get("files")) {
      JsonNode row = file.get("rows").get(0);
      assertThat(file.get("rows")).hasSize(1);
      assertThat(row.get(0).asString()).isEqualTo("2021-06-29 00:00:00");
      assertThat(row.get(1).asString()).isEqualTo("ST01");
      assertThat(row.get(2).doubleValue()).isCloseTo(mean(bars.get("$close0")), within(1e-9));
      assertThat(row.get(3).doubleValue())
          .isCloseTo(ratio * mean(bars.get("$volume0")), within(1e-9));
      assertThat(row.get(4).doubleValue()).isZero();
    }
  }

  private static double mean(JsonNode values) {
    return values
        .valueStream()
        .limit(47)
        .mapToDouble(JsonNode::doubleValue)
        .average()
        .orElseThrow();
  }

  private void assertSame(String path, JsonNode expected, JsonNode actual) {
    if (expected.isObject()) {
      assertThat(actual.propertyNames())
          .as(path)
          .containsExactlyInAnyOrderElementsOf(expected.propertyNames());
      expected
          .propertyNames()
          .forEach(key -> assertSame(path + "." + key, expected.get(key), actual.get(key)));
    } else if (expected.isArray()) {
      assertThat(actual.size()).as(path).isEqualTo(expected.size());
      for (int i = 0; i < expected.size(); i++) {
        assertSame(path + "[" + i + "]", expected.get(i), actual.get(i));
      }
    } else if (expected.isNumber()) {
      double number = expected.doubleValue();
      assertThat(actual.isNumber()).as(path).isTrue();
      assertThat(actual.doubleValue())
          .as(path)
          .isCloseTo(number, within(topic.tolerance() * Math.abs(number)));
    } else {
      assertThat(actual).as(path).isEqualTo(expected);
    }
  }

  @Test
  void findsThePickleFormatOnTheClassPathToo() {
    assertThat(TableFormat.of(Path.of("orders.pkl")).name()).isEqualTo("pickle");
  }

  @Test
  void drawsTheRatiosThatTheCasesGive() {
    // The draws given are those of the script's own seed, so that leaving them out changes nothing.
    for (String name : List.of("gen_orders_two_stocks", "gen_orders_nan_stock_skipped")) {
      JsonNode testCase = testCase(name).deepCopy();
      ((ObjectNode) testCase.get("input")).putArray("lognormal_draws_in_order");

      assertSame("$", testCase.get("expected"), topic.answer(GOLDEN, FILE, testCase));
    }
  }
}

package io.tranche.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

class MismatchTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'a': 1, 'b': [1, 2]}|{'b': [1, 2], 'a': 1}|0|",
        "{'a': 1}|{}|0|$.a",
        "{}|{'a': null}|0|$.a",
        "{'a': [1, 2]}|{'a': [1]}|0|$.a[1]",
        "[1]|[1, 2]|0|$[1]",
        "[[1, 2], [3, 4]]|[[1, 2], [3, 5]]|0.5|$[1][1]",
        "1|1.0|0|",
        "1|1.0000001|0.1|$",
        "null|0|0|$",
        "['1']|[1]|0|$[0]",
        "true|1|0|$",
        "['a']|['b']|0|$[0]",
        "['float', 'float64']|['float64', 'float']|0|",
        "['float']|['float32']|0|$[0]",
        "{'a': 1}|[1]|0|$",
        "1.0|1.0000000001|1e-9|",
        "1.0|1.00000001|1e-9|$",
        "-2.0|-2.000000001|1e-9|",
        "0.0|1e-300|1e-9|$",
        "9007199254740993|9007199254740992|0|$",
      })
  void comparesByValue(String expected, String was, double tolerance, @Nullable String path) {
    Mismatch mismatch = Mismatch.find("case", json(expected), json(was), tolerance);

    assertThat(mismatch == null ? null : mismatch.path()).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'a': [1e-5, 0.5]}|{'a': [2e-5, 0.5]}|",
        "{'a': [1e-5, 0.01]}|{'a': [2e-5, 0.01]}|$.a[0]",
        "{'a': [1e-5, 2e-5], 'b': [9.0]}|{'a': [0.0, 2e-5], 'b': [9.0]}|$.a[0]",
        "{'a': [[1e-5], [9.0]]}|{'a': [[0.0], [9.0]]}|$.a[0][0]",
        "{'a': 1e-5}|{'a': 0.0}|$.a",
      })
  void slackMayFollowTheLargestNumberOfATensor(String expected, String was, @Nullable String path) {
    Mismatch mismatch =
        Mismatch.find("case", json(expected), json(was), 0, (_, largest) -> 1e-4 * largest);

    assertThat(mismatch == null ? null : mismatch.path()).isEqualTo(path);
  }

  @Test
  void comparesAsTheTypeOfTheGoldenNumber() {
    JsonNode single = json("0.1");
    JsonNode real = json("0.30000000000000004");
    JsonNodeFactory make = JsonNodeFactory.instance;

    assertThat(Mismatch.find("c", single, make.numberNode(0.1f), 0)).isNull();
    assertThat(Mismatch.find("c", single, make.numberNode((double) 0.1f), 0)).isNull();
    assertThat(Mismatch.find("c", single, make.numberNode(0.1), 0)).isNull();
    assertThat(Mismatch.find("c", single, make.numberNode(0.10000000000000002), 0)).isNotNull();
    assertThat(Mismatch.find("c", single, make.numberNode(Math.nextUp(0.1f)), 0)).isNotNull();
    assertThat(Mismatch.find("c", real, make.numberNode(0.1 + 0.2), 0)).isNull();
    assertThat(Mismatch.find("c", real, make.numberNode(0.3f), 0)).isNotNull();
  }

  @Test
  void notANumberAndInfinitiesAreTextsInGoldenFiles() {
    JsonNodeFactory make = JsonNodeFactory.instance;

    assertThat(Mismatch.find("c", json("'NaN'"), make.numberNode(Double.NaN), 0)).isNull();
    assertThat(Mismatch.find("c", json("'NaN'"), make.numberNode(Float.NaN), 0)).isNull();
    assertThat(
            Mismatch.find("c", json("'-Infinity'"), make.numberNode(Double.NEGATIVE_INFINITY), 0))
        .isNull();
    assertThat(Mismatch.find("c", json("'Infinity'"), make.numberNode(Double.NEGATIVE_INFINITY), 0))
        .isNotNull();
    assertThat(Mismatch.find("c", json("1.5"), make.numberNode(Double.NaN), 1)).isNotNull();
    assertThat(Mismatch.find("c", json("1"), make.numberNode(Double.NaN), 1)).isNotNull();
    assertThat(Mismatch.find("c", json("'1.5'"), make.numberNode(1.5), 0)).isNotNull();
  }

  private static JsonNode json(String text) {
    return new JsonMapper().readTree(text.replace('\'', '"'));
  }
}

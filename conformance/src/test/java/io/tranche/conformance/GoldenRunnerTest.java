package io.tranche.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.config.ConfigException;
import io.tranche.conformance.deviation.Deviation;
import io.tranche.conformance.golden.Topic;
import io.tranche.market.DataException;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class GoldenRunnerTest {

  private static final JsonMapper MAPPER = new JsonMapper();

  @TempDir Path folder;

  @Test
  void anAlteredNumberIsTheOneMismatch() throws IOException {
    String golden =
        Files.readString(Shared.root().resolve("conformance/golden/config_parser.json"));
    String altered = golden.replaceFirst("\"open_cost\": 4,", "\"open_cost\": 4.5,");
    Files.writeString(folder.resolve("config_parser.json"), altered);

    Report report = new GoldenRunner(Topics.all()).run(folder);

    assertThat(altered).isNotEqualTo(golden);
    assertThat(report.lines())
        .hasSize(6)
        .contains(
            "config_parser: 17 passed, 1 failed",
            "  case base_of_base at $.config.exchange.open_cost",
            "    expected 4.5",
            "    was      4",
            "17 passed, 1 failed");
    assertThat(report.lines().get(4))
        .startsWith(
            "  deviation Q42 py_file (a Python config is refused by name, never executed): ")
        .endsWith(
            "main.py: expected YAML or JSON, because Python configs are never executed, was .py");
  }

  @Test
  void deviationsAreAssertedAndPrinted() throws IOException {
    write(
        "t.json",
        "{'cases': [{'name': 'a_1', 'expected': {'x': 1}}, {'name': 'b', 'expected': {'x': 1}}]}");
    var table =
        List.of(
            deviation(
                "a_.*",
                new Deviation.Answered(
                    (_, testCase) ->
                        json("{'x': %d}".formatted(testCase.get("name").stringValue().length())))),
            deviation("b", new Deviation.Refused()),
            deviation("gone", new Deviation.Refused()),
            new Deviation(
                "other", Pattern.compile(".*"), "Q8", "of another topic", new Deviation.Refused()));

    Report sound =
        new GoldenRunner(List.of(topic(testCase -> answerOrRefuse(testCase, "{'x': 3}"))), table)
            .run(folder);
    Report asQlib = new GoldenRunner(List.of(topic(_ -> json("{'x': 1}"))), table).run(folder);

    assertThat(sound.lines())
        .containsExactly(
            "t: 2 passed, 0 failed",
            "  deviation Q7 a_1 (better): {\"x\":3}",
            "  deviation Q7 b (better): io.tranche.config.ConfigException: b: expected x, was y",
            "  deviation without a case: Q7 gone",
            "2 passed, 0 failed");
    assertThat(asQlib.failed()).isEqualTo(2);
  }

  @Test
  void whereQlibFailsANamedExceptionIsTheAnswer() throws IOException {
    write(
        "t.json",
        "{'cases': [{'name': 'text', 'expected': {'error': 'KeyError', 'x': 1}}, {'name': 'typed', 'expected': {'error': {'type': 'E', 'message': 'm'}}}, {'name': 'none', 'expected': {'error': null}}]}");

    assertThat(
            run(testCase -> refuseUnless(testCase, "none", new ConfigException("a", "b", "c")))
                .failed())
        .isZero();
    assertThat(
            run(testCase -> refuseUnless(testCase, "none", new DataException("a", "b", "c")))
                .failed())
        .isZero();
    assertThat(
            run(testCase -> refuseUnless(testCase, "none", new IllegalArgumentException("x")))
                .failed())
        .isZero();
    assertThat(
            run(testCase -> refuseUnless(testCase, "none", new IllegalStateException("x")))
                .failed())
        .isZero();
    assertThat(
            run(testCase -> refuseUnless(testCase, "none", new NumberFormatException("x")))
                .failed())
        .isEqualTo(2);
    assertThat(
            run(testCase -> refuseUnless(testCase, "none", new NullPointerException("x"))).lines())
        .contains(
            "  case text at $",
            "    expected an error, as Qlib's \"KeyError\"",
            "    was      java.lang.NullPointerException: x");
    assertThat(
            run(testCase -> refuseUnless(testCase, "", new ConfigException("a", "b", "c")))
                .failed())
        .isEqualTo(1);
    assertThat(run(_ -> json("{}")).failed()).isEqualTo(2);
  }

  @Test
  void filesWithoutATopicAreListed() throws IOException {
    write("t.json", "{'cases': []}");
    write("later.json", "not read");
    write("README.md", "not golden");

    assertThat(run(_ -> json("{}")).lines())
        .containsExactly("t: 0 passed, 0 failed", "not answered yet: later", "0 passed, 0 failed");
  }

  @Test
  void gzippedFilesAreRead() throws IOException {
    try (var out = new GZIPOutputStream(Files.newOutputStream(folder.resolve("t.json.gz")))) {
      out.write(
          "{\"cases\": [{\"name\": \"a\", \"expected\": [1]}]}".getBytes(StandardCharsets.UTF_8));
    }

    assertThat(run(_ -> json("[1]")).passed()).isEqualTo(1);

    write("t.json", "{'cases': []}");
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> run(_ -> json("[1]")))
        .withMessageEndingWith("expected one golden file per topic, was two");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[1]",
        "{'cases': 3}",
        "{'cases': [3]}",
        "{'cases': [{'name': 'a'}]}",
        "{'cases': [{'expected': 1}]}",
        "{'cases': []} x",
        "{'cases': [], 'cases': []}",
        "{'cases': [{'name': 'a', 'expected': 1}, {'name': 'a', 'expected': 1}]}"
      })
  void damagedFilesAreAnswered(String damaged) throws IOException {
    write("t.json", damaged);

    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> run(_ -> json("{}")))
        .withMessageContaining(folder.resolve("t.json").toString());
  }

  @Test
  void hostileFilesAreAnswered() throws IOException {
    Files.writeString(folder.resolve("t.json"), "[".repeat(1_000_000));
    assertThatExceptionOfType(DataException.class).isThrownBy(() -> run(_ -> json("{}")));
    Files.writeString(folder.resolve("t.json"), "{\"cases\": [\n  truth]}");
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> run(_ -> json("{}")))
        .withMessageStartingWith(folder.resolve("t.json") + ":2:");
    Files.delete(folder.resolve("t.json"));
    Files.write(folder.resolve("t.json.gz"), new byte[] {31, -117, 8, 0, 0});
    assertThatExceptionOfType(DataException.class).isThrownBy(() -> run(_ -> json("{}")));
  }

  @Test
  void missingAndEmptyDirectoriesAreAnswered() throws IOException {
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> run(_ -> json("{}")))
        .withMessage(folder + ": expected golden files NAME.json or NAME.json.gz, was none");
    Path missing = folder.resolve("missing");
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> new GoldenRunner(Topics.all()).run(missing))
        .withMessage(missing + ": expected a directory of golden files, was missing");
    Path file = Files.createFile(folder.resolve("file"));
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> new GoldenRunner(Topics.all()).run(file))
        .withMessage(file + ": expected a directory of golden files, was a file");
  }

  @Test
  void casesCannotWriteOutsideTheirFolder() throws IOException {
    write(
        "config_parser.json",
        "{'cases': [{'name': 'a', 'expected': {'config': 1}, 'input': {'files': {'../escaped.yml': 'x'}, 'main': 'a.yml'}}]}");

    assertThat(new GoldenRunner(Topics.all()).run(folder).lines().get(3))
        .contains("expected names of files without folders, was ../escaped.yml");
  }

  private Report run(Function<JsonNode, JsonNode> answer) {
    return new GoldenRunner(List.of(topic(answer))).run(folder);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text.replace('\'', '"'));
  }

  private static Topic topic(Function<JsonNode, JsonNode> answer) {
    return new Topic("t", 0, (_, _, testCase) -> answer.apply(testCase));
  }

  private static Deviation deviation(String cases, Deviation.Instead instead) {
    return new Deviation("t", Pattern.compile(cases), "Q7", "better", instead);
  }

  private static JsonNode answerOrRefuse(JsonNode testCase, String answer) {
    if (testCase.get("name").stringValue().equals("b")) {
      throw new ConfigException("b", "x", "y");
    }
    return json(answer);
  }

  private static JsonNode refuseUnless(JsonNode testCase, String name, RuntimeException refusal) {
    if (!testCase.get("name").stringValue().equals(name)) {
      throw refusal;
    }
    return json("{}");
  }

  private static JsonNode json(String text) {
    return MAPPER.readTree(text.replace('\'', '"'));
  }
}

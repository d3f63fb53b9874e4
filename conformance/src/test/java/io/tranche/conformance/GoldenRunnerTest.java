package io.tranche.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.config.ConfigException;
import io.tranche.conformance.deviation.Deviation;
import io.tranche.conformance.deviation.ExpectedError;
import io.tranche.conformance.golden.ErrorKind;
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
import tools.jackson.databind.node.ObjectNode;

class GoldenRunnerTest {

  private static final JsonMapper MAPPER = new JsonMapper();

  private static final Deviation.Refused REFUSED =
      new Deviation.Refused(ErrorKind.of(ConfigException.class, "b: expected x"));

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
            deviation("b", REFUSED),
            deviation("gone", REFUSED),
            new Deviation("other", Pattern.compile(".*"), "Q8", "of another topic", REFUSED));

    Report sound =
        new GoldenRunner(
                List.of(topic(testCase -> answerOrRefuse(testCase, "{'x': 3}"))), table, List.of())
            .run(folder);
    Report asQlib =
        new GoldenRunner(List.of(topic(_ -> json("{'x': 1}"))), table, List.of()).run(folder);
    Report otherwise =
        new GoldenRunner(
                List.of(topic(_ -> refuse(new ConfigException("b", "z", "y")))), table, List.of())
            .run(folder);

    assertThat(sound.lines())
        .containsExactly(
            "t: 2 passed, 0 failed",
            "  deviation Q7 a_1 (better): {\"x\":3}",
            "  deviation Q7 b (better): ConfigException: b: expected x, was y",
            "  without a case: deviation Q7 gone",
            "2 passed, 0 failed");
    assertThat(asQlib.failed()).isEqualTo(2);
    assertThat(otherwise.failed()).isEqualTo(2);
  }

  @Test
  void anErrorIsMetByItsCounterpartOnly() throws IOException {
    write(
        "t.json",
        "{'cases': [{'name': 'text', 'expected': {'error': 'KeyError', 'x': null}}, {'name': 'typed', 'expected': {'error': {'type': 'KeyError', 'message': 'm'}}}, {'name': 'none', 'expected': {'error': null}}]}");
    var counterpart = new ConfigException("a", "b", "c");

    assertThat(errors("text|typed", "KeyError", counterpart).failed()).isZero();
    assertThat(errors("text|typed", "ValueError", counterpart).failed()).isEqualTo(2);
    assertThat(errors("typed", "KeyError", counterpart).lines())
        .contains(
            "  case text at $",
            "    expected an error with a row in the table of refusals, as Qlib's KeyError",
            "    was      ConfigException: a: expected b, was c");
    assertThat(errors("text|typed", "KeyError", new ConfigException("a", "d", "c")).failed())
        .isEqualTo(2);
    assertThat(errors("text|typed", "KeyError", new DataException("a", "b", "c")).lines())
        .contains(
            "  case text at $",
            "    expected ConfigException: ...expected b..., as Qlib's KeyError",
            "    was      DataException: a: expected b, was c");
    assertThat(errors("text|typed", "KeyError", new NullPointerException("expected b")).failed())
        .isEqualTo(2);
    assertThat(run(_ -> refuse(counterpart)).failed()).isEqualTo(3);
    assertThat(run(_ -> json("{}")).failed()).isEqualTo(2);
    assertThat(errors("gone", "KeyError", counterpart).topics().getFirst().unused())
        .containsExactly("refusal gone");
  }

  @Test
  void whatWasRecordedBesidesAnErrorIsCompared() throws IOException {
    write(
        "t.json",
        "{'cases': [{'name': 'a', 'expected': {'error': 'KeyError', 'error_message': 'm', 'x': [1], 'y': null}}]}");
    var cause = new ConfigException("a", "b", "c");

    assertThat(errors("a", "KeyError", cause).lines())
        .contains("  case a at $.x", "    expected [1]", "    was      nothing");
    assertThat(errors("a", "KeyError", stopped(cause, "{'x': [2]}")).lines())
        .contains("  case a at $.x[0]");
    assertThat(errors("a", "KeyError", stopped(cause, "{'x': [1], 'z': 1}")).lines())
        .contains("  case a at $.z");
    assertThat(errors("a", "KeyError", stopped(cause, "{'x': [1], 'y': null}")).failed()).isZero();
    assertThat(
            errors("a", "KeyError", stopped(new DataException("a", "b", "c"), "{'x': [1]}"))
                .failed())
        .isEqualTo(1);
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

  /// Runs a topic that answers every case but `none` with an error.
  private Report errors(String cases, String qlib, RuntimeException error) {
    var row =
        new ExpectedError(
            "t", Pattern.compile(cases), qlib, ErrorKind.of(ConfigException.class, "expected b"));
    Topic topic =
        topic(
            testCase ->
                testCase.get("name").stringValue().equals("none") ? json("{}") : refuse(error));
    return new GoldenRunner(List.of(topic), List.of(), List.of(row)).run(folder);
  }

  private static Topic.Stopped stopped(RuntimeException cause, String beside) {
    return new Topic.Stopped(cause, (ObjectNode) json(beside));
  }

  private static JsonNode refuse(RuntimeException error) {
    throw error;
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

  private static JsonNode json(String text) {
    return MAPPER.readTree(text.replace('\'', '"'));
  }
}

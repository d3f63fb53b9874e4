package io.tranche.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlReaderTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "yes",
        "no",
        "on",
        "14:54",
        "1:2:3",
        "2021-01-04",
        "0x_",
        "1e",
        ".5e3",
        "+.nan",
        "1.2.3",
        "0b12",
        "tRue",
        "nULL",
        "=",
        "$close"
      })
  void keepsWhatYaml12DoesNotKnowAsText(String plain) {
    assertThat(scalar(plain)).isEqualTo(plain);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "010, 10",
    "-7, -7",
    "+7, 7",
    "0x1F, 31",
    "-0x10, -16",
    "0o17, 15",
    "0b101, 5",
    "1_000, 1000",
    "9223372036854775807, 9223372036854775807"
  })
  void readsIntegers(String plain, long value) {
    assertThat(scalar(plain)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "1e-3, 0.001",
    "1E5, 1e5",
    "5., 5",
    "1.5, 1.5",
    ".5, 0.5",
    "-.5e-1, -0.05",
    "1_0.2_5, 10.25",
    ".inf, Infinity",
    "-.INF, -Infinity",
    ".nan, NaN",
    "1e999, Infinity"
  })
  void readsNumbers(String plain, double value) {
    assertThat(scalar(plain)).isEqualTo(value);
  }

  @Test
  void readsNullsAndTruths() {
    assertThat(scalar("")).isNull();
    assertThat(scalar("~")).isNull();
    assertThat(scalar("Null")).isNull();
    assertThat(scalar("TRUE")).isEqualTo(true);
    assertThat(scalar("False")).isEqualTo(false);
    assertThat(scalar("'true'")).isEqualTo("true");
    assertThat(scalar("\"010\"")).isEqualTo("010");
  }

  @Test
  void writesAnchorsAndMergeKeysOut() {
    var node =
        ConfigFiles.parse(
            "t",
            """
            a: &a {x: 1, y: 2}
            b: &b {y: 3, z: 4}
            one: {<<: *a, x: 9}
            two: {x: 8, <<: [*b, *a]}
            text: {"<<": 1}
            """);

    assertThat(node.required("one").toYaml()).isEqualTo("x: 9\ny: 2\n");
    assertThat(node.required("two").toYaml()).isEqualTo("x: 8\ny: 3\nz: 4\n");
    assertThat(node.required("text").keys()).containsExactly("<<");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a: 1\\nb: 2\\na: 3|t:3: expected each key once, was 'a' twice",
        "a: !!python/object/apply:os.system ['x']|t:1: expected no tag, was 'tag:yaml.org,2002:python/object/apply:os.system'",
        "a: !!int '3'|t:1: expected no tag, was 'tag:yaml.org,2002:int'",
        "? {a: 1}\\n: 2|t:1: expected a name as the key, was none",
        "? *a\\n: 2|t:1: expected a name as the key, was none",
        "a: &a [*a]|t:1: expected an anchor defined before, was '*a'",
        "a: *b|t:1: expected an anchor defined before, was '*b'",
        "a: 1\\n---\\nb: 2|t:2: expected one document, was a second",
        "%YAML 1.1\\n---\\na: yes|t:1: expected YAML 1.2, was 1.1",
        "a: 9223372036854775808|t:1: expected an integer of 64 bits, was '9223372036854775808'",
        "<<: 3|t:1: expected a mapping or a list of mappings after <<, was 3",
      })
  void refusesByLine(String yaml, String message) {
    refuses(yaml.replace("\\n", "\n"), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: [1, 2",
        "a: b: c",
        "{",
        "a:\n\t- 1",
        "\"",
        "a: \u0007",
        "%YAML 9",
        "- a\nb",
        "@"
      })
  void refusesWhatIsNotYaml(String yaml) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> YamlReader.read("t", yaml))
        .withMessageMatching("(?s)t(:\\d+)?: expected YAML, was .*");
  }

  @Test
  void boundsNesting() {
    String deepest = "[".repeat(YamlReader.MAX_DEPTH) + "]".repeat(YamlReader.MAX_DEPTH);

    assertThat(YamlReader.read("t", deepest)).isInstanceOf(Tree.Sequence.class);
    refuses("[" + deepest + "]", "t:1: expected at most 64 levels, was a deeper nesting");
    refuses("[".repeat(1_000_000), "t:1: expected at most 64 levels, was a deeper nesting");
    refuses("{a: ".repeat(200_000), "t:1: expected at most 64 levels, was a deeper nesting");
    refuses("- ".repeat(200_000), "t:1: expected at most 64 levels, was a deeper nesting");
    refuses("a: &a %s\nb: [*a]".formatted(deepest.substring(1, 127)), null);
  }

  @Test
  void refusesAliasBombs() {
    var laughs = new StringBuilder("a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]\n");
    for (int i = 1; i < 30; i++) {
      String alias = "*a" + (i - 1);
      laughs.append("a%d: &a%d [%s]\n".formatted(i, i, String.join(", ", alias, alias, alias)));
    }
    String longText = "a: &a " + "x".repeat(500_000) + "\nb: [" + "*a, ".repeat(10) + "*a]";

    refuses(laughs.toString(), null);
    refuses(longText, null);
  }

  @Test
  void refusesEscapesThatAreNoCharacters() {
    refuses("\"\\Ue0001F60\"", null);
    refuses("\"\\U00110000\"", null);
  }

  @Test
  void boundsLength() {
    refuses(
        "? " + "k".repeat(1025), "t:1: expected keys of at most 1024 characters, was a longer one");
    refuses(
        "#".repeat(YamlReader.MAX_CHARACTERS + 1),
        "t: expected at most 1048576 characters, was 1048577");
    assertThat(YamlReader.read("t", "#".repeat(YamlReader.MAX_CHARACTERS)).describe())
        .isEqualTo("null");
  }

  /// @param message the whole message, or null for any
  private static void refuses(String yaml, @Nullable String message) {
    var refusal =
        assertThatExceptionOfType(ConfigException.class)
            .isThrownBy(() -> YamlReader.read("t", yaml));
    if (message != null) {
      refusal.withMessage(message);
    }
  }

  private static @Nullable Object scalar(String yaml) {
    return ConfigFiles.parse("t", "a: " + yaml).required("a").scalar();
  }

  @Test
  void knowsTheTwoTagsOfQlibsOwnFiles() {
    ConfigNode node =
        ConfigFiles.parse(
            "t",
            "start: !!str &start 2020-01-01\ntrain: !!python/tuple [*start, *start]\nn: !!str 7\n");

    assertThat(node.required("train").isTuple()).isTrue();
    assertThat(node.required("train").asList().getFirst().asText()).isEqualTo("2020-01-01");
    assertThat(node.required("n").asText()).isEqualTo("7");
  }
}

package io.tranche.work.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SearchSpaceTest {

  @Test
  void aGridHasEveryCombinationOnceTheLastSettingChangingFastest() {
    SearchSpace space =
        space(
            """
            a: {values: [1, x]}
            b.c: {range: [0.1, 0.3], step: 0.1}
            """);

    assertThat(space.size()).isEqualTo(6);
    assertThat(space.grid().stream().map(Trial::description))
        .containsExactly(
            "a=1 b.c=0.1",
            "a=1 b.c=0.2",
            "a=1 b.c=0.3",
            "a=x b.c=0.1",
            "a=x b.c=0.2",
            "a=x b.c=0.3");
    assertThat(space.grid().stream().map(Trial::number)).containsExactly(1, 2, 3, 4, 5, 6);
  }

  @Test
  void wholeMappingsAndListsAreValuesToo() {
    SearchSpace space =
        space("network: {values: [{class: A, kwargs: {sizes: [1, 2], name: 'x, y'}}, null]}");

    Trial trial = space.grid().getFirst();

    String value = "{class: A, kwargs: {sizes: [1, 2], name: \"x, y\"}}";
    assertThat(trial.settings()).containsExactly(new Setting("network", value));
    assertThat(ConfigFiles.parse("x", "{}").with(trial.settings().getFirst().assignment()).toYaml())
        .isEqualTo(ConfigFiles.parse("x", "network: " + value).toYaml());
  }

  @Test
  void numbersAreDrawnWithinTheirRangesOnTheirScales() {
    SearchSpace space =
        space(
            """
            log: {range: [1.0e-4, 1.0e-1], scale: log}
            linear: {range: [-1.0, 3.0]}
            integer: {range: [2, 5]}
            steps: {range: [16, 64], step: 16}
            many: {range: [1, 1000], scale: log}
            written: {range: [0, 1], type: float}
            """);

    List<Trial> trials = space.random(2_000, 7);

    List<Double> logs = values(trials, 0);
    assertThat(logs).allMatch(value -> value >= 1e-4 && value <= 1e-1);
    // A third of the draws in each of the three decades.
    assertThat(logs.stream().filter(value -> value < 1e-3).count()).isBetween(550L, 790L);
    assertThat(logs.stream().filter(value -> value > 1e-2).count()).isBetween(550L, 790L);
    List<Double> linear = values(trials, 1);
    assertThat(linear).allMatch(value -> value >= -1 && value <= 3);
    assertThat(linear.stream().mapToDouble(Double::doubleValue).average().orElseThrow())
        .isBetween(0.9, 1.1);
    for (double each : List.of(2.0, 3.0, 4.0, 5.0)) {
      assertThat(values(trials, 2).stream().filter(value -> value == each).count())
          .isBetween(400L, 600L);
    }
    assertThat(texts(trials, 2)).doesNotContain("2.0");
    assertThat(texts(trials, 3).stream().distinct())
        .containsExactlyInAnyOrder("16", "32", "48", "64");
    List<Double> many = values(trials, 4);
    assertThat(many).allMatch(value -> value >= 1 && value <= 1000);
    assertThat(many.stream().filter(value -> value < 10).count()).isBetween(540L, 800L);
    assertThat(values(trials, 5)).anyMatch(value -> value > 0.4 && value < 0.6);
  }

  @Test
  void aTrialDependsOnItsNumberAlone() {
    SearchSpace space = space("a: {range: [0.0, 1.0]}");
    SearchSpace wider = space("b: {values: [1, 2, 3]}\na: {range: [0.0, 1.0]}");

    assertThat(space.random(20, 3).subList(0, 5)).isEqualTo(space.random(5, 3));
    assertThat(texts(wider.random(5, 3), 1)).isEqualTo(texts(space.random(5, 3), 0));
    assertThat(space.random(5, 4)).isNotEqualTo(space.random(5, 3));
  }

  @Test
  void noTwoTrialsAreAlike() {
    SearchSpace space = space("a: {values: [1, 2, 3, 4]}\nb: {values: [x, y, z]}");

    List<Trial> trials = space.random(12, 1);

    assertThat(trials.stream().map(Trial::settings)).doesNotHaveDuplicates().hasSize(12);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                          | expected settings to search, was an empty mapping",
        "{a: 1}                                      | a: expected a mapping, was 1",
        "{a: {}}                                     | a: expected either values or a range",
        "{a: {values: []}}                           | a.values: expected a list of different values",
        "{a: {values: [1, 1]}}                       | a.values: expected a list of different values",
        "{a: {values: [1], step: 1}}                 | a: expected a key",
        "{a: {range: [1, 2], vales: [1]}}            | a: expected a key",
        "{a: {range: [2, 1]}}                        | a.range: expected [low, high], the lower first",
        "{a: {range: [1]}}                           | a.range: expected [low, high]",
        "{a: {range: [0, 1], scale: log}}            | a.range: expected a range above 0",
        "{a: {range: [1, 2], scale: lin}}            | a.scale: expected a word",
        "{a: {range: [1, 2], scale: log, step: 1}}   | a.step: expected none, because the scale is log",
        "{a: {range: [1, 2], step: 0}}               | a.step: expected a number above 0",
        "{a: {range: [0, 1000000], step: 1}}         | a.step: expected a step that leaves at most 10000 values",
        "{a: {range: [0.5, 2], type: int}}           | a.range: expected integers, because its type is int",
        "{a: {range: [x, 2]}}                        | a.range.0: expected a number, was 'x'",
        "{a b: {values: [1]}}                        | expected a path such as",
        "{a: {values: [1]}, a.b: {values: [1]}}      | expected a setting that is not a part of a",
      })
  void whatIsNoSpaceIsRefused(String text, String complaint) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> space(text))
        .withMessageContaining(complaint);
  }

  private static SearchSpace space(String text) {
    return SearchSpace.from(ConfigFiles.parse("space", text));
  }

  private static List<Double> values(List<Trial> trials, int setting) {
    return texts(trials, setting).stream().map(Double::valueOf).toList();
  }

  private static List<String> texts(List<Trial> trials, int setting) {
    return trials.stream().map(trial -> trial.settings().get(setting).value()).toList();
  }
}

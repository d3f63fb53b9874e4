package io.tranche.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.conformance.Report.TopicReport;
import io.tranche.conformance.golden.GoldenFile;
import io.tranche.conformance.golden.Topic;
import io.tranche.testkit.Shared;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every golden case that Tranche answers, against what the real Qlib answered.
class GoldenTest {

  private static final Path GOLDEN = Shared.root().resolve("conformance/golden");

  static Stream<Topic> topics() {
    return Topics.all().stream();
  }

  @Test
  void everyGoldenFileHasATopic() {
    assertThat(GoldenFile.in(GOLDEN).keySet())
        .containsExactlyElementsOf(topics().map(Topic::name).sorted().toList());
  }

  @ParameterizedTest
  @MethodSource("topics")
  void everyCaseIsAnsweredAsQlibDoes(Topic topic) {
    Report report = new GoldenRunner(List.of(topic)).run(GOLDEN);

    assertThat(report.failed()).as(() -> String.join("\n", report.lines())).isZero();
    assertThat(report.topics()).hasSize(1).allMatch(found -> found.passed() > 0);
    assertThat(report.topics()).flatMap(TopicReport::unused).isEmpty();
  }
}

package io.tranche.dashboard.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricLogTest {

  private static final long LONG = Long.MAX_VALUE / 4;

  @TempDir Path folder;

  private Path file = Path.of("");
  private MetricLog log = new MetricLog(file);

  @BeforeEach
  void start() {
    file = folder.resolve("metrics.jsonl");
    log = new MetricLog(file);
  }

  private void append(String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private double[] values(String name) {
    log.refresh(LONG);
    return Objects.requireNonNull(log.curve(name)).values();
  }

  @Test
  void readsOnlyWhatIsNew() throws IOException {
    append("{\"iteration\":1,\"pa\":1.5}\n");
    assertThat(values("pa")).containsExactly(1.5);

    append("{\"iteration\":2,\"pa\":2.5,\"val/pa\":3}\n{\"iteration\":3,");

    assertThat(values("pa")).containsExactly(1.5, 2.5);
    append("\"pa\":\"NaN\"}\n");
    assertThat(values("pa")).containsExactly(1.5, 2.5, Double.NaN);
    assertThat(Objects.requireNonNull(log.curve("val/pa")).iterations()).containsExactly(2);
    assertThat(log.problem()).isNull();
    assertThat(log.iteration()).isEqualTo(3);
  }

  /// A resumed run cuts the lines off that its checkpoint does not know, and writes others.
  @Test
  void readsAgainWhatWasCutOrReplaced() throws IOException {
    append("{\"iteration\":1,\"pa\":1}\n{\"iteration\":2,\"pa\":2}\n");
    assertThat(values("pa")).containsExactly(1, 2);

    Files.writeString(file, "{\"iteration\":1,\"pa\":1}\n{\"iteration\":2,\"pa\":7}\n{\"iteration\":3,\"pa\":8}\n");
    assertThat(values("pa")).containsExactly(1, 7, 8);

    Files.writeString(file, "{\"iteration\":1,\"pa\":1}\n");
    assertThat(values("pa")).containsExactly(1);

    Files.delete(file);
    log.refresh(LONG);
    assertThat(log.isMissing()).isTrue();
    assertThat(log.names()).isEmpty();
  }

  @Test
  void tellsWhatIsWrongAndGoesOn() throws IOException {
    append("{\"iteration\":1,\"pa\":1}\nnonsense\n[1]\n{\"pa\":4}\n{\"iteration\":5,\"pa\":5}\n");

    assertThat(values("pa")).containsExactly(1, 5);
    assertThat(log.problem())
        .startsWith("metrics.jsonl: line 2: expected JSON, was ")
        .endsWith("; and 2 more lines");
  }

  @Test
  void keepsTheExtremesOfAVeryLongRun() throws IOException {
    try (var out = Files.newBufferedWriter(file)) {
      for (int i = 1; i <= 200_000; i++) {
        out.write("{\"iteration\":%d,\"pa\":%d}\n".formatted(i, i == 123_456 ? 1000 : i % 10));
      }
    }

    double[] kept = values("pa");

    assertThat(kept.length).isLessThanOrEqualTo(1 << 16);
    assertThat(kept).contains(1000);
    assertThat(log.lines()).isEqualTo(200_000);
    Curve thin = Objects.requireNonNull(log.curve("pa")).thinned(100);
    assertThat(thin.size()).isLessThanOrEqualTo(100);
    assertThat(thin.values()).contains(1000);
    assertThat(thin.iterations()[thin.size() - 1]).isEqualTo(200_000);
    assertThat(IntStream.range(1, thin.size()))
        .allMatch(i -> thin.iterations()[i] > thin.iterations()[i - 1]);
  }

  @Test
  void stopsReadingWhenTimeIsUpAndContinues() throws IOException {
    try (var out = Files.newBufferedWriter(file)) {
      for (int i = 1; i <= 100_000; i++) {
        out.write("{\"iteration\":%d,\"pa\":%d,\"x\":1.2345678901234567}\n".formatted(i, i));
      }
    }

    assertThat(log.refresh(0)).isFalse();
    long first = log.lines();
    while (!log.refresh(0)) {
      assertThat(log.lines()).isGreaterThan(first);
    }
    assertThat(log.iteration()).isEqualTo(100_000);
    assertThat(MetricLog.lastLines(file).last("pa")).isEqualTo(100_000);
  }
}

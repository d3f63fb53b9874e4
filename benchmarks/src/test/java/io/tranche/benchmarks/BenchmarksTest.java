package io.tranche.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.MatrixProduct;
import io.tranche.benchmarks.measure.Timing;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BenchmarksTest {

  /// Figures that count what a sound run has none of, or what a quick run may have none of.
  private static final Pattern MAY_BE_NONE =
      Pattern.compile(
          "bytes|alloc|growth|lost|late|fail|error|refus|fallback|gc|missed|_bps|hits|no_signal|guard");

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();

  static Stream<String> names() {
    return BenchmarksMain.BENCHMARKS.stream().map(Benchmark::name);
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyBenchmarkStillRunsAndReportsTheFiguresItLists(String name) {
    int code = bench(name, "--quick", "--json");

    assertThat(code).as(log.toString(StandardCharsets.UTF_8)).isZero();
    assertThat(figures()).containsExactlyElementsOf(benchmark(name).figures());
  }

  /// Minutes rather than seconds the first time: it installs the peers.
  @Tag("full")
  @ParameterizedTest
  @MethodSource("names")
  void everyPeerRunsOnTheSameData(String name) {
    int code = bench(name, "--quick", "--json", "--peers");

    assertThat(code).as(log.toString(StandardCharsets.UTF_8)).isZero();
    assertThat(figures()).containsAll(benchmark(name).figures());
  }

  @Test
  void listsNamesQuestionsAndFigures() {
    int code = bench();

    assertThat(code).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains(names().toList())
        .contains("frames.lookup.ns", "How long does a warm lookup");
  }

  @Test
  void answersAnUnknownNameWithTheList() {
    int code = bench("nothing");

    assertThat(code).isEqualTo(2);
    assertThat(out.size()).isZero();
    assertThat(log.toString(StandardCharsets.UTF_8))
        .contains("NAME must be all or one of these, was 'nothing'")
        .contains(names().toList());
  }

  @Test
  void answersAnUnknownOptionWithTheUsage() {
    int code = bench("--fast");

    assertThat(code).isEqualTo(2);
    assertThat(log.toString(StandardCharsets.UTF_8)).contains("--fast", "--quick");
  }

  @Test
  void figuresThatMeanNothingAreNotKept() {
    int code = bench("bin", "--quick", "--tables", "bench.json");

    assertThat(code).isEqualTo(2);
    assertThat(log.toString(StandardCharsets.UTF_8)).contains("--quick: expected neither --record");
  }

  @Test
  void explainsItself() {
    int code = bench("--help");

    assertThat(code).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("tranche bench", "--json", "--peers");
  }

  @Test
  void printsFiguresAsPlainJson() {
    assertThat(new Figure("bin.read.rows_per_s", 123_456_789.4, "rows/s").toJson())
        .isEqualTo("{\"figure\":\"bin.read.rows_per_s\",\"value\":123460000,\"unit\":\"rows/s\"}");
    assertThat(new Figure("frames.lookup.ns", 12.3456789, "ns").toJson())
        .isEqualTo("{\"figure\":\"frames.lookup.ns\",\"value\":12.346,\"unit\":\"ns\"}");
  }

  @Test
  void takesTheMedianOfEachPart() {
    var timings = List.of(new Timing(3, 1), new Timing(1, 9), new Timing(2, 5), new Timing(9, 7));

    assertThat(Timing.median(timings)).isEqualTo(new Timing(2.5, 6));
  }

  @Test
  void multipliesMatricesOnOneThreadAndTwo() {
    var matrix = new MatrixProduct(100);

    for (int threads = 1; threads <= 2; threads++) {
      matrix.compute(threads);

      for (int row = 0; row < 100; row++) {
        assertThat(matrix.error(row)).isLessThan(1e-4f);
      }
    }
  }

  private int bench(String... arguments) {
    return BenchmarksMain.run(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(log, true, StandardCharsets.UTF_8),
        arguments);
  }

  private static Benchmark benchmark(String name) {
    return BenchmarksMain.BENCHMARKS.stream()
        .filter(b -> b.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /// Every line of standard output must be a figure in JSON; returns their names.
  private List<String> figures() {
    var figures = new ArrayList<String>();
    for (String line : out.toString(StandardCharsets.UTF_8).lines().toList()) {
      JsonNode node = new JsonMapper().readTree(line);
      assertThat(node.propertyNames()).containsExactly("figure", "value", "unit");
      // A measurement that was not made is zero; only what is counted may really be none.
      String name = node.required("figure").stringValue();
      assertThat(node.required("value").doubleValue())
          .as(name)
          .isFinite()
          .satisfies(
              value -> {
                if (!name.matches(".*(growth|_bps|exponent)")) { // memory may shrink, orders may lose
                  assertThat(value).isNotNegative();
                }
                if (!MAY_BE_NONE.matcher(name).find()) {
                  assertThat(value).isPositive();
                }
              });
      assertThat(node.required("unit").stringValue()).isNotBlank();
      figures.add(node.required("figure").stringValue());
    }
    return figures;
  }
}

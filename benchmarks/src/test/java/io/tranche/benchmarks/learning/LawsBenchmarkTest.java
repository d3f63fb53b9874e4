package io.tranche.benchmarks.learning;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.benchmarks.learning.LawsBenchmark.Result;
import io.tranche.benchmarks.learning.LawsBenchmark.Run;
import io.tranche.benchmarks.learning.LawsBenchmark.Sight;
import io.tranche.benchmarks.measure.Options;
import io.tranche.market.synthetic.Law;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LawsBenchmarkTest {

  @TempDir private Path folder;

  /// Half a minute each: the agent has to learn before a guard can open.
  @Tag("full")
  @ParameterizedTest
  @CsvSource({"PULSE, RECIPE", "FLOW, FITTING"})
  void whereThereIsSignalTheGuardKeepsNineTenthsOfIt(Law law, Sight sight) {
    var options = new Options(false, false, folder, folder, System.err, _ -> {});

    Result result = LawsBenchmark.result(options, new Run(law, sight));

    assertThat(result.alone().low()).isPositive();
    assertThat(result.guarded().meanBps()).isGreaterThan(0.9 * result.alone().meanBps());
  }
}

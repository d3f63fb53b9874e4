package io.tranche.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private final StringWriter text = new StringWriter();

  @Test
  void longWorkBeginsWithAnEstimateOfTimeAndMemory() throws InterruptedException {
    try (var progress = new Progress(new PrintWriter(text, true), "tune", false);
        var quiet = new Progress(new PrintWriter(text, true), "train", true);
        var brief = new Progress(new PrintWriter(text, true), "features", false)) {
      progress.measure(1, 100);
      assertThat(text.toString()).isEmpty(); // too early to know
      Thread.sleep(1_050);
      progress.measure(1, 100);
      progress.measure(2, 100);
      quiet.measure(1, 100);
      brief.measure(1, 4);
    }

    assertThat(text.toString())
        .matches(
            "tune: about 1m\\d+s in all, at least \\d+ MB of memory \\(an estimate from 1 of"
                + " 100\\)\\R");
  }
}

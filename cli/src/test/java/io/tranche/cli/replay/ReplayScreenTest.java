package io.tranche.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReplayScreenTest {

  @Test
  void aTerminalIsRedrawnInPlaceAndAFileGetsLines() {
    var clock = new AtomicLong();
    var text = new StringWriter();
    var table = new ReplayTally.Table("model", new ReplayTally());
    try (var screen =
        new ReplayScreen(new PrintWriter(text), table, ReplayScreen.Mode.REDRAWN, clock::get)) {
      screen.update(0);
      assertThat(text.toString()).isEmpty();
      clock.addAndGet(1_000_000_000L);
      screen.update(0);
      clock.addAndGet(1_000_000_000L);
      screen.update(60);
    }
    assertThat(text.toString())
        .containsOnlyOnce("replay     model  1970-01-01 00:00:00  pass 0")
        .containsOnlyOnce("\u001b[6A\rreplay     model  1970-01-01 00:01:00  pass 0")
        .endsWith("\u001b[6A\r\u001b[J");

    text.getBuffer().setLength(0);
    try (var screen =
        new ReplayScreen(new PrintWriter(text), table, ReplayScreen.Mode.LINES, clock::get)) {
      clock.addAndGet(1_000_000_000L);
      screen.update(0);
      clock.addAndGet(10_000_000_000L);
      screen.update(60);
    }
    assertThat(text.toString())
        .startsWith("replay model 1970-01-01 00:01:00 pass 0 | orders 0 open");
    assertThat(text.toString().lines()).hasSize(1);
  }
}

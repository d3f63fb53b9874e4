package io.tranche.cli.replay;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.LongSupplier;

/// Shows a replay while it runs: redrawn in place on a terminal, one line every ten seconds
/// elsewhere.
public final class ReplayScreen implements AutoCloseable {

  /// How a replay is shown.
  public enum Mode {
    REDRAWN,
    LINES,
    NOT_AT_ALL
  }

  private static final long REDRAW_NANOS = 250_000_000L;
  private static final long LINE_NANOS = 10_000_000_000L;

  private final PrintWriter err;
  private final ReplayTally.Table table;
  private final Mode mode;
  private final LongSupplier nanos;
  private long lastShown;
  private int drawn;

  /// @param nanos the clock
  public ReplayScreen(PrintWriter err, ReplayTally.Table table, Mode mode, LongSupplier nanos) {
    this.err = err;
    this.table = table;
    this.mode = mode;
    this.nanos = nanos;
    this.lastShown = nanos.getAsLong();
  }

  /// Reports how far the replay is; may be called as often as you like.
  ///
  /// @param time the [io.tranche.market.BarTime] of the bars that come next
  public void update(long time) {
    long now = nanos.getAsLong();
    if (mode == Mode.NOT_AT_ALL
        || now - lastShown < (mode == Mode.REDRAWN ? REDRAW_NANOS : LINE_NANOS)) {
      return;
    }
    lastShown = now;
    if (mode == Mode.LINES) {
      err.println(table.line(time));
    } else {
      draw(table.lines(time));
    }
  }

  private void draw(List<String> lines) {
    var text = new StringBuilder();
    rewind(text);
    lines.forEach(line -> text.append(line).append("\u001b[K\n"));
    drawn = lines.size();
    err.print(text);
    err.flush();
  }

  private void rewind(StringBuilder text) {
    if (drawn > 0) {
      text.append("\u001b[").append(drawn).append("A\r");
    }
  }

  /// Clears the display, so that something else can be printed.
  public void clear() {
    if (drawn > 0) {
      var text = new StringBuilder();
      rewind(text);
      err.print(text.append("\u001b[J"));
      err.flush();
      drawn = 0;
    }
  }

  @Override
  public void close() {
    clear();
  }
}

package io.tranche.cli.console;

import java.io.Console;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// One line of progress with rate and remaining time, redrawn in place on a terminal and printed
/// every ten seconds elsewhere.
public final class Progress implements AutoCloseable {

  private static final long REDRAW_NANOS = 100_000_000L;
  private static final long PRINT_NANOS = 10_000_000_000L;
  private static final int BAR_WIDTH = 24;

  private final PrintWriter err;
  private final String what;
  private final boolean terminal;
  private final long started = System.nanoTime();
  private long lastShown = started;
  private boolean shown;

  public Progress(PrintWriter err, String what) {
    this.err = err;
    this.what = what;
    this.terminal = isTerminal();
  }

  @SuppressWarnings("SystemConsoleNull") // JDK 22 to 24 never gave null; 25 does again
  public static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  /// Reports that `done` of `total` are finished; may be called from any thread, as often as you
  /// like.
  public synchronized void update(long done, long total, @Nullable String now) {
    long time = System.nanoTime();
    if (time - lastShown < (terminal ? REDRAW_NANOS : PRINT_NANOS)
        && !(terminal && done == total)) {
      return;
    }
    lastShown = time;
    shown = true;
    String line = line(done, total, time - started) + (now == null ? "" : "  " + now);
    if (terminal) {
      err.print("\r" + line + "\u001b[K");
      err.flush();
    } else {
      err.println(line);
    }
  }

  private String line(long done, long total, long nanos) {
    double share = total == 0 ? 1 : (double) done / total;
    int filled = (int) Math.round(share * BAR_WIDTH);
    String bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
    double perSecond = done / (nanos / 1e9);
    long secondsLeft = done == 0 ? -1 : Math.round((total - done) / perSecond);
    return "%s %s %d/%d  %.0f/s  %s left"
        .formatted(
            what,
            bar,
            done,
            total,
            perSecond,
            secondsLeft < 0
                ? "?"
                : Duration.ofSeconds(secondsLeft).toString().substring(2).toLowerCase(Locale.ROOT));
  }

  /// Clears the display, so that something else can be printed.
  public synchronized void clear() {
    if (terminal && shown) {
      err.print("\r\u001b[K");
      err.flush();
    }
  }

  @Override
  public void close() {
    clear();
  }
}

package io.tranche.cli.console;

import java.io.Console;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// One line of progress with rate and remaining time, redrawn in place on a terminal and printed
/// every ten seconds elsewhere. Long work begins with an estimate, made from its first second.
public final class Progress implements AutoCloseable {

  private static final long REDRAW_NANOS = 100_000_000L;
  private static final long PRINT_NANOS = 10_000_000_000L;
  private static final int BAR_WIDTH = 24;

  /// An estimate needs this much work behind it, and is made only if much more is ahead.
  private static final long PROBE_NANOS = 1_000_000_000L;

  private static final long LONG_NANOS = 20_000_000_000L;

  private final PrintWriter err;
  private final String what;
  private final boolean quiet;
  private final boolean terminal;
  private boolean estimated;
  private long probe = 1;
  private final long started = System.nanoTime();
  private long lastShown = started;
  private boolean shown;

  Progress(PrintWriter err, String what, boolean quiet) {
    this.err = err;
    this.what = what;
    this.quiet = quiet;
    this.terminal = isTerminal();
  }

  @SuppressWarnings("SystemConsoleNull") // JDK 22 to 24 never gave null; 25 does again
  public static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  /// Makes the estimate only when more than `done` is behind: work of several phases must have been
  /// through all of them.
  public void estimateAfter(long done) {
    probe = done + 1;
  }

  /// Reports that `done` of `total` are finished; may be called from any thread, as often as you
  /// like.
  public synchronized void update(long done, long total, @Nullable String now) {
    if (quiet) {
      return;
    }
    long time = System.nanoTime();
    measure(done, total);
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

  /// Reports the same for the estimate alone.
  public synchronized void measure(long done, long total) {
    long nanos = System.nanoTime() - started;
    if (quiet || estimated || done < probe || nanos < PROBE_NANOS) {
      return;
    }
    estimated = true;
    double whole = (double) nanos / done * total;
    if (whole < LONG_NANOS || done >= total) {
      return;
    }
    clear();
    err.println(
        "%s: about %s in all, at least %d MB of memory (an estimate from %d of %d)"
            .formatted(what, words(Math.round(whole / 1e9)), peakMegabytes(), done, total));
  }

  private static String words(long seconds) {
    return Duration.ofSeconds(seconds < 120 ? seconds : seconds / 60 * 60)
        .toString()
        .substring(2)
        .toLowerCase(Locale.ROOT);
  }

  /// Returns the most memory that objects of this process have used.
  public static long peakMegabytes() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getPeakUsage() != null)
            .mapToLong(pool -> pool.getPeakUsage().getUsed())
            .sum()
        >> 20;
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

package io.tranche.serving.risk;

import java.util.HashMap;
import java.util.Map;

/// Counts messages of scopes in the current second of a monotonic clock.
public final class Throttle {

  private static final long SECOND = 1_000_000_000;
  private static final int MAX_NAMES = 100_000;

  private static final class Window {
    private long began;
    private int count;
  }

  private final Map<String, Window> windows = new HashMap<>();

  /// Counts a message.
  ///
  /// @param name of the scope
  /// @return whether it is one of the first `most` in its second
  public synchronized boolean admit(String name, double most, long nanos) {
    if (windows.size() >= MAX_NAMES) {
      windows.clear();
    }
    Window window = windows.computeIfAbsent(name, _ -> new Window());
    if (window.count == 0 || nanos - window.began >= SECOND) {
      window.began = nanos;
      window.count = 0;
    }
    if (window.count >= most) {
      return false;
    }
    window.count++;
    return true;
  }
}

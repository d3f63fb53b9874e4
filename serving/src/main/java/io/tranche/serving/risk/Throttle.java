package io.tranche.serving.risk;

import io.tranche.serving.Request.Scope;
import java.util.EnumMap;
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

  private final Map<Scope, Map<String, Window>> windows = new EnumMap<>(Scope.class);

  /// Counts a message.
  ///
  /// @param name empty for everything
  /// @return whether it is one of the first `most` in its second
  public synchronized boolean admit(Scope scope, String name, double most, long nanos) {
    Map<String, Window> names = windows.computeIfAbsent(scope, _ -> new HashMap<>());
    if (names.size() >= MAX_NAMES) {
      names.clear();
    }
    Window window = names.computeIfAbsent(name, _ -> new Window());
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

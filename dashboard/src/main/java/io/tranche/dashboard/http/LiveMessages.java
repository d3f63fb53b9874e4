package io.tranche.dashboard.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// Messages to all browsers that listen.
public final class LiveMessages {

  private final Set<Consumer<String>> readers = ConcurrentHashMap.newKeySet();

  public boolean hasReaders() {
    return !readers.isEmpty();
  }

  /// @param json one line
  public void send(String json) {
    readers.forEach(reader -> reader.accept(json));
  }

  void add(Consumer<String> reader) {
    readers.add(reader);
  }

  void remove(Consumer<String> reader) {
    readers.remove(reader);
  }

  int count() {
    return readers.size();
  }
}

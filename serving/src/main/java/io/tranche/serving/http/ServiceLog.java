package io.tranche.serving.http;

import io.tranche.serving.wire.EnumNames;
import io.tranche.serving.wire.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Consumer;

/// What happens, as lines of JSON. Any thread.
public final class ServiceLog {

  /// How much is told, most important first.
  public enum Level {
    ERROR,
    WARN,
    INFO,
    /// Every request too.
    DEBUG
  }

  private final Level level;
  private final Consumer<String> lines;

  /// @param lines receives each line without its end; called by any thread
  public ServiceLog(Level level, Consumer<String> lines) {
    this.level = level;
    this.lines = lines;
  }

  /// Whether lines of `each` are told.
  boolean tells(Level each) {
    return each.compareTo(level) <= 0;
  }

  /// @param properties names and values, in turn
  public void tell(Level each, String event, String... properties) {
    if (!tells(each)) {
      return;
    }
    byte[] line =
        Json.writeObject(
            json -> {
              json.writeStringProperty("time", Instant.now().toString());
              json.writeStringProperty("level", EnumNames.of(each));
              json.writeStringProperty("event", event);
              for (int i = 0; i < properties.length; i += 2) {
                json.writeStringProperty(properties[i], properties[i + 1]);
              }
            });
    lines.accept(new String(line, StandardCharsets.UTF_8));
  }
}

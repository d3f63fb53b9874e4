package io.tranche.serving.http;

import io.tranche.serving.wire.StrictJson;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Consumer;

/// The service's log, one JSON object per line. Any thread may call it.
public final class ServiceLog {

  /// How much is logged, most important first.
  public enum Level {
    ERROR,
    WARN,
    INFO,
    /// Every request as well.
    DEBUG
  }

  private final Level level;
  private final Consumer<String> lines;

  /// @param lines receives each line without a line end; called by any thread
  public ServiceLog(Level level, Consumer<String> lines) {
    this.level = level;
    this.lines = lines;
  }

  /// Whether lines of level `each` are logged.
  boolean tells(Level each) {
    return each.compareTo(level) <= 0;
  }

  /// @param properties alternating names and values
  public void tell(Level each, String event, String... properties) {
    if (!tells(each)) {
      return;
    }
    byte[] line =
        StrictJson.writeObject(
            json -> {
              json.writeStringProperty("time", Instant.now().toString());
              json.writeStringProperty("level", StrictJson.nameOf(each));
              json.writeStringProperty("event", event);
              for (int i = 0; i < properties.length; i += 2) {
                json.writeStringProperty(properties[i], properties[i + 1]);
              }
            });
    lines.accept(new String(line, StandardCharsets.UTF_8));
  }
}

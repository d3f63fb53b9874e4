package io.tranche.trainer.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.policy.state.PlainJson;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Metrics as JSON that any tool can read: numbers that JSON lacks are texts, such as `"NaN"`.
public final class MetricsJson {

  private MetricsJson() {}

  public static String line(Map<String, ? extends @Nullable Object> metrics) {
    var readable = new LinkedHashMap<String, @Nullable Object>();
    metrics.forEach(
        (name, value) ->
            readable.put(
                name,
                value instanceof Double number && !Double.isFinite(number)
                    ? number.toString()
                    : value));
    return new String(PlainJson.write(readable), UTF_8);
  }
}

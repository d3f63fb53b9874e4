package io.tranche.serving.app;

import static io.tranche.serving.JsonTree.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.serving.JsonTree;
import io.tranche.serving.Request;
import io.tranche.serving.client.RefusedException;
import io.tranche.serving.client.TrancheClient;
import io.tranche.serving.engine.TestService;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Spans of OpenTelemetry, one trace per order.
class TraceLogTest {

  @TempDir Path folder;

  private static List<?> list(@Nullable Object value) {
    return (List<?>) Objects.requireNonNull(value);
  }

  @Test
  void theSpansOfAnOrderAreOneTrace() throws Exception {
    try (var server =
            DecisionServer.start(ServedModels.config(folder, "traces=traces.jsonl"), _ -> {});
        var client = new TrancheClient(URI.create(server.http().url()))) {
      client.openOrder(TestService.order("x", "A", 1000));
      client.decide(new Request.Decide("x", null, null));
      client.openOrder(TestService.order("y", "A", 1000));
      assertThatThrownBy(() -> client.cancel("z")).isInstanceOf(RefusedException.class);
    }
    Path file = folder.resolve("traces.jsonl");
    var spans = new ArrayList<Map<?, ?>>();
    for (String line : Files.readAllLines(file)) {
      var resource = map(list(map(JsonTree.read(line)).get("resourceSpans")).getFirst());
      var scope = map(list(resource.get("scopeSpans")).getFirst());
      list(scope.get("spans")).forEach(each -> spans.add(map(each)));
    }

    assertThat(spans).hasSize(4);
    assertThat(spans.stream().map(each -> each.get("name")).toList().toString())
        .isEqualTo("[openorder, decide, openorder, cancel]");
    assertThat(spans.get(0).get("traceId")).isEqualTo(TraceLog.trace("x"));
    assertThat(spans.get(1).get("traceId")).isEqualTo(TraceLog.trace("x"));
    assertThat(spans.get(2).get("traceId")).isEqualTo(TraceLog.trace("y"));
    assertThat(String.valueOf(spans.get(1).get("attributes"))).contains("tranche.order", "model");
    assertThat(String.valueOf(map(spans.get(3).get("status")).get("code"))).startsWith("2");
    assertThat(String.valueOf(spans.get(1).get("spanId"))).matches("[0-9a-f]{16}");
    for (Map<?, ?> each : spans) {
      assertThat(Long.parseLong(String.valueOf(each.get("endTimeUnixNano"))))
          .isGreaterThan(Long.parseLong(String.valueOf(each.get("startTimeUnixNano"))));
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }
}

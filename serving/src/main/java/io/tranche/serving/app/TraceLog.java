package io.tranche.serving.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.files.Sha256;
import io.tranche.serving.Answer;
import io.tranche.serving.Caller;
import io.tranche.serving.Request;
import io.tranche.serving.Service;
import io.tranche.serving.http.ServiceLog;
import io.tranche.serving.http.ServiceLog.Level;
import io.tranche.serving.journal.JournalFile;
import io.tranche.serving.wire.StrictJson;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// Writes a span for every request about an order, as lines of OTLP/JSON that OpenTelemetry's
/// collector reads (`otlpjsonfile`). All spans of an order have one trace, whose id is the start of
/// the SHA-256 of the order's id. Nothing waits for it: spans that cannot be written in time are
/// left out.
final class TraceLog implements AutoCloseable {

  private static final int QUEUE = 10_000;
  private static final int BATCH = 100;
  private static final long MOST_BYTES = 64L << 20;

  private record Span(
      String order, String name, String caller, long began, long nanos, Answer answer) {}

  private final Path file;
  private final ServiceLog log;
  private final BlockingQueue<Span> queue = new ArrayBlockingQueue<>(QUEUE);
  private final LongAdder dropped = new LongAdder();
  private final Thread thread;
  private volatile boolean isClosing;

  TraceLog(Path file, ServiceLog log) {
    this.file = file;
    this.log = log;
    this.thread = Thread.ofPlatform().name("traces").daemon().start(this::run);
  }

  /// Returns a service whose requests are traced.
  Service around(Service service) {
    return (request, reply) -> {
      String order = order(request);
      if (order == null) {
        service.handle(request, reply);
        return;
      }
      Instant now = Instant.now();
      long start = now.getEpochSecond() * 1_000_000_000 + now.getNano();
      long began = System.nanoTime();
      String caller = Caller.name();
      service.handle(
          request,
          answer -> {
            String name = request.getClass().getSimpleName().toLowerCase(Locale.ROOT);
            var span = new Span(order, name, caller, start, System.nanoTime() - began, answer);
            // Before the answer, which may cause the next request and its span.
            if (!queue.offer(span)) {
              dropped.increment();
            }
            reply.answered(answer);
          });
    };
  }

  private static @Nullable String order(Request request) {
    return switch (request) {
      case Request.OpenOrder order -> order.id();
      case Request.Decide decide -> decide.id();
      case Request.Fill fill -> fill.id();
      case Request.Amend amend -> amend.id();
      case Request.Report report -> report.id();
      case Request.Cancel cancel -> cancel.id();
      case Request.CorrectFill fill -> fill.id();
      default -> null;
    };
  }

  private void run() {
    try {
      while (true) {
        Span first = queue.poll(100, TimeUnit.MILLISECONDS);
        if (first != null) {
          var spans = new ArrayList<Span>(List.of(first));
          queue.drainTo(spans, BATCH - 1);
          write(spans);
        } else if (isClosing) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Appends a line. A file that has become large is kept once, under another name.
  private void write(List<Span> spans) {
    try {
      if (Files.exists(file) && Files.size(file) > MOST_BYTES) {
        Path older = file.resolveSibling(file.getFileName() + ".1");
        Files.move(file, older, StandardCopyOption.REPLACE_EXISTING);
      }
      try (var channel = JournalFile.channel(file, StandardOpenOption.APPEND);
          OutputStream out = Channels.newOutputStream(channel)) {
        byte[] line = line(spans);
        byte[] whole = new byte[line.length + 1];
        System.arraycopy(line, 0, whole, 0, line.length);
        whole[line.length] = '\n';
        out.write(whole);
      }
    } catch (IOException e) {
      dropped.add(spans.size());
      log.tell(Level.WARN, "traces", "message", String.valueOf(e.getMessage()));
    }
  }

  private static byte[] line(List<Span> spans) {
    return StrictJson.writeObject(
        json -> {
          json.writeArrayPropertyStart("resourceSpans");
          json.writeStartObject();
          json.writeObjectPropertyStart("resource");
          json.writeArrayPropertyStart("attributes");
          text(json, "service.name", "tranche");
          json.writeEndArray();
          json.writeEndObject();
          json.writeArrayPropertyStart("scopeSpans");
          json.writeStartObject();
          json.writeObjectPropertyStart("scope");
          json.writeStringProperty("name", "io.tranche.serving");
          json.writeEndObject();
          json.writeArrayPropertyStart("spans");
          spans.forEach(each -> write(json, each));
          json.writeEndArray();
          json.writeEndObject();
          json.writeEndArray();
          json.writeEndObject();
          json.writeEndArray();
        });
  }

  /// Returns the trace of an order: 32 hexadecimal digits.
  static String trace(String order) {
    return HexFormat.of().formatHex(Sha256.bytes(order.getBytes(UTF_8)), 0, 16);
  }

  private static void write(JsonGenerator json, Span span) {
    json.writeStartObject();
    json.writeStringProperty("traceId", trace(span.order()));
    long id = ThreadLocalRandom.current().nextLong();
    json.writeStringProperty("spanId", HexFormat.of().toHexDigits(id == 0 ? 1 : id));
    json.writeStringProperty("name", span.name());
    json.writeNumberProperty("kind", 2); // a server
    json.writeStringProperty("startTimeUnixNano", Long.toString(span.began()));
    json.writeStringProperty("endTimeUnixNano", Long.toString(span.began() + span.nanos()));
    json.writeArrayPropertyStart("attributes");
    text(json, "tranche.order", span.order());
    text(json, "tranche.caller", span.caller());
    if (span.answer() instanceof Answer.Child child) {
      text(json, "tranche.step", Integer.toString(child.step()));
      text(json, "tranche.volume", Double.toString(child.volume()));
      text(json, "tranche.source", StrictJson.nameOf(child.source()));
      text(json, "tranche.limited", String.valueOf(child.limited()));
    }
    json.writeEndArray();
    json.writeObjectPropertyStart("status");
    if (span.answer() instanceof Answer.Refused(var reason, var message)) {
      json.writeNumberProperty("code", 2); // an error
      json.writeStringProperty("message", StrictJson.nameOf(reason) + ": " + message);
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void text(JsonGenerator json, String key, String value) {
    json.writeStartObject();
    json.writeStringProperty("key", key);
    json.writeObjectPropertyStart("value");
    json.writeStringProperty("stringValue", value);
    json.writeEndObject();
    json.writeEndObject();
  }

  /// Returns how many spans were left out.
  long dropped() {
    return dropped.sum();
  }

  /// Writes what is waiting.
  @Override
  public void close() {
    isClosing = true;
    try {
      thread.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (dropped() > 0) {
      log.tell(Level.WARN, "traces", "message", dropped() + " spans were left out");
    }
  }
}

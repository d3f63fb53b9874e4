package io.tranche.dashboard.runs;

import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/// A file of one JSON object per iteration, such as `metrics.jsonl`, followed while it grows: each
/// look reads only what is new. A file that was cut or replaced is read again from its beginning.
///
/// Memory is bounded by the number of names, not by the length of the file. Any thread may call it.
public final class MetricLog {

  private static final String ITERATION = "iteration";
  private static final int CHUNK = 1 << 18;
  private static final int MOST_NAMES = 128;
  private static final int MOST_LINE = 1 << 20;
  private static final int TAIL = 64;
  private static final int LAST = 64 << 10;

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER).build();

  private final Path file;
  private final Map<String, MetricColumn> columns = new LinkedHashMap<>();
  private @Nullable Object key;
  private long position;
  private byte[] tail = new byte[0];
  private long newest;
  private long lines;
  private long badLines;
  private @Nullable String problem;
  private boolean isMissing;
  private boolean isWhole;

  public MetricLog(Path file) {
    this.file = file;
  }

  /// Reads the last complete lines of a file and nothing else: enough to know the newest value of
  /// every metric, also of those that only some iterations have.
  static MetricLog lastLines(Path file) {
    var log = new MetricLog(file);
    try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      byte[] bytes = new byte[(int) Math.min(size, LAST)];
      int read = channel.read(ByteBuffer.wrap(bytes), size - bytes.length);
      int from = 0;
      while (size > bytes.length && from < read && bytes[from++] != '\n') {
        // of a line whose beginning was not read
      }
      for (int i = from; i < read; i++) {
        if (bytes[i] == '\n') {
          log.line(bytes, from, i - from);
          from = i + 1;
        }
      }
    } catch (NoSuchFileException _) {
      log.isMissing = true;
    } catch (IOException e) {
      log.tell("", "a file that can be read", String.valueOf(e.getMessage()));
    }
    return log;
  }

  /// Reads what is new, for about so long at most.
  ///
  /// @return whether everything that the file had is read
  public synchronized boolean refresh(long nanos) {
    long end = System.nanoTime() + nanos;
    try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
      isMissing = false;
      Object now = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
      if (!Objects.equals(now, key) || !continues(channel)) {
        forget();
        key = now;
      }
      byte[] chunk = new byte[Math.clamp(channel.size() - position, 1, CHUNK)];
      int kept = 0;
      while (true) {
        int read = channel.read(ByteBuffer.wrap(chunk, kept, chunk.length - kept), position + kept);
        if (read <= 0) {
          isWhole = true;
          return true;
        }
        int used = take(chunk, kept + read);
        position += used;
        kept = kept + read - used;
        System.arraycopy(chunk, used, chunk, 0, kept);
        if (kept == chunk.length) {
          if (kept >= MOST_LINE) {
            tell("line %d".formatted(lines + 1), "at most %d bytes".formatted(MOST_LINE), "more");
            isWhole = true;
            return true;
          }
          chunk = Arrays.copyOf(chunk, Math.min(2 * kept, MOST_LINE));
        }
        if (System.nanoTime() - end > 0) {
          isWhole = false;
          return false;
        }
      }
    } catch (NoSuchFileException _) {
      forget();
      key = null;
      isMissing = true;
      isWhole = true;
      return true;
    } catch (IOException e) {
      tell("", "a file that can be read", String.valueOf(e.getMessage()));
      isWhole = true;
      return true;
    }
  }

  /// Whether the file still has before our place what it had.
  private boolean continues(FileChannel channel) throws IOException {
    if (channel.size() < position) {
      return false;
    }
    byte[] now = new byte[tail.length];
    int read = channel.read(ByteBuffer.wrap(now), position - tail.length);
    return tail.length == 0 || (read == tail.length && Arrays.equals(now, tail));
  }

  private void forget() {
    columns.clear();
    position = 0;
    tail = new byte[0];
    newest = 0;
    lines = 0;
    badLines = 0;
    problem = null;
  }

  /// Reads complete lines.
  ///
  /// @return how many bytes they have
  private int take(byte[] bytes, int size) {
    int from = 0;
    for (int i = 0; i < size; i++) {
      if (bytes[i] == '\n') {
        lines++;
        line(bytes, from, i - from);
        from = i + 1;
      }
    }
    if (from > 0) {
      tail = Arrays.copyOfRange(bytes, Math.max(0, from - TAIL), from);
    }
    return from;
  }

  private void line(byte[] bytes, int from, int size) {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), bytes, from, size)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        bad("a JSON object", "something else");
        return;
      }
      long iteration = -1;
      for (String name = json.nextName(); name != null; name = json.nextName()) {
        JsonToken token = json.nextToken();
        if (name.equals(ITERATION) && token == JsonToken.VALUE_NUMBER_INT) {
          iteration = json.getLongValue();
          newest = iteration;
        } else if (iteration < 0) {
          bad("an object that begins with 'iteration'", name);
          return;
        } else if (token.isNumeric()) {
          add(name, iteration, json.getDoubleValue());
        } else if (token == JsonToken.VALUE_STRING) {
          add(name, iteration, Double.NaN); // such as "NaN", which JSON does not have
        } else {
          json.skipChildren();
        }
      }
    } catch (JacksonException e) {
      bad("JSON", String.valueOf(e.getOriginalMessage()));
    }
  }

  private void add(String name, long iteration, double value) {
    MetricColumn column = columns.get(name);
    if (column == null && columns.size() < MOST_NAMES) {
      column = new MetricColumn();
      columns.put(name, column);
    }
    if (column != null) {
      column.add(iteration, Double.isFinite(value) ? value : Double.NaN);
    }
  }

  private void bad(String expected, String was) {
    badLines++;
    if (badLines == 1) {
      tell(
          lines == 0 ? "last lines" : "line %d".formatted(lines),
          expected,
          was.length() > 80 ? was.substring(0, 80) : was);
    }
  }

  private void tell(String place, String expected, String was) {
    String where =
        place.isEmpty() ? file.getFileName().toString() : file.getFileName() + ": " + place;
    problem = new DataException(where, expected, was).getMessage();
  }

  /// Returns a metric; null if there is none of that name.
  public synchronized @Nullable Curve curve(String name) {
    MetricColumn column = columns.get(name);
    return column == null ? null : new Curve(column.iterations(), column.values());
  }

  /// Returns the last value of a metric; NaN if there is none.
  public synchronized double last(String name) {
    MetricColumn column = columns.get(name);
    return column == null ? Double.NaN : column.last();
  }

  public synchronized Set<String> names() {
    return Set.copyOf(columns.keySet());
  }

  /// Returns how many values are kept.
  synchronized long points() {
    return columns.values().stream().mapToLong(MetricColumn::count).sum();
  }

  /// Returns the iteration of the last line; 0 if there is none.
  public synchronized long iteration() {
    return newest;
  }

  public synchronized long lines() {
    return lines;
  }

  /// Whether the last look read everything.
  public synchronized boolean isWhole() {
    return isWhole;
  }

  public synchronized boolean isMissing() {
    return isMissing;
  }

  /// Returns what is wrong with the file, in a sentence; null if nothing is.
  public synchronized @Nullable String problem() {
    return badLines > 1 ? "%s; and %d more lines".formatted(problem, badLines - 1) : problem;
  }
}

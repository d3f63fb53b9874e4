package io.tranche.cli.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.work.decide.OrderDecision;
import io.tranche.work.decide.OrderReplayListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// Writes one row per decision, as soon as it is taken.
public final class DecisionWriter implements OrderReplayListener, AutoCloseable {

  /// How rows are written.
  public enum Format {
    CSV,
    JSONL;

    /// Returns the format of a file's suffix; CSV if there is none.
    public static Format of(@Nullable Path file) {
      return file != null && file.toString().endsWith(".jsonl") ? JSONL : CSV;
    }
  }

  /// The reader has closed its end.
  static final class Closed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Closed() {
      super("the reader is gone", null, false, false);
    }
  }

  private static final JsonMapper JSON = new JsonMapper();

  private final PrintWriter out;
  private final @Nullable Path file;
  private final Format format;
  private final PrintWriter err;
  private boolean hasHeader;

  /// @param console where rows go if there is no `file`; stays open
  /// @throws DataException if the file cannot be written
  public DecisionWriter(PrintWriter console, @Nullable Path file, Format format, PrintWriter err) {
    this.file = file;
    this.format = format;
    this.err = err;
    try {
      this.out = file == null ? console : new PrintWriter(Files.newBufferedWriter(file, UTF_8));
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  /// @throws Closed if the reader has closed its end
  /// @throws DataException if the file can no longer be written
  @Override
  public void decided(OrderDecision decision) {
    Map<String, @Nullable Object> row = row(decision);
    switch (format) {
      case CSV -> {
        if (!hasHeader) {
          out.println(String.join(",", row.keySet()));
          hasHeader = true;
        }
        out.println(
            row.values().stream().map(DecisionWriter::cell).collect(Collectors.joining(",")));
      }
      case JSONL -> out.println(JSON.writeValueAsString(row));
    }
    if (out.checkError()) {
      if (file == null) {
        throw new Closed();
      }
      throw new DataException(file.toString(), "a place that can be written", "one that is full");
    }
  }

  private static Map<String, @Nullable Object> row(OrderDecision decision) {
    var row = new LinkedHashMap<String, @Nullable Object>();
    row.put("id", decision.id());
    row.put("instrument", decision.instrument());
    row.put("time", BarTime.format(BarTime.of(decision.time())));
    row.put("step", decision.step());
    row.put("volume", decision.volume());
    row.put(
        "kind",
        switch (decision.kind()) {
          case Kind.Market _ -> "market";
          case Kind.Limit _ -> "limit";
          case Kind.Cancel _ -> "cancel";
        });
    row.put("offset_bps", decision.kind() instanceof Kind.Limit(double bps) ? bps : null);
    row.put("remaining", decision.remaining());
    row.put("choice", decision.choice() < 0 ? null : decision.choice());
    return row;
  }

  /// Returns a value as CSV.
  public static String cell(@Nullable Object value) {
    String text = value == null ? "" : value.toString();
    return text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
        ? '"' + text.replace("\"", "\"\"") + '"'
        : text;
  }

  @Override
  public void warned(String warning) {
    err.println("warning: " + warning);
  }

  @Override
  public void close() {
    if (file != null) {
      out.close();
    }
  }
}

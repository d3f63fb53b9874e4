package io.tranche.serving.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.serving.journal.EventRow;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/// How a stream of events is written.
///
/// The compact form, big-endian; a text is u16 length and UTF-8:
///
/// ```text
/// event     10, i64 sequence, i64 µs since 1970 UTC or 0, text caller, text event, text instrument or
///               empty, i32 date in days since 1970 or -2^31, text order, model or empty, i32 step or
///               -1, f64 volume, price or NaN, text detail
/// position  11, i64 sequence: first, and whenever there is nothing else to say
/// gone      12, i64 sequence: the last frame; the reader was too slow
/// ```
public enum EventForm {
  /// Server-sent events.
  TEXT("text/event-stream") {
    @Override
    public byte[] event(EventRow row) {
      String data = new String(JsonForm.write(row, EventForm::row), UTF_8);
      return "id: %d\nevent: %s\ndata: %s\n\n"
          .formatted(row.sequence(), row.event(), data)
          .getBytes(UTF_8);
    }

    @Override
    public byte[] position(long sequence) {
      return "id: %d\nevent: position\ndata: {\"sequence\":%d}\n\n"
          .formatted(sequence, sequence)
          .getBytes(UTF_8);
    }

    @Override
    public byte[] gone(long sequence) {
      return "event: gone\ndata: {\"sequence\":%d}\n\n".formatted(sequence).getBytes(UTF_8);
    }
  },
  COMPACT(Frames.TYPE) {
    @Override
    public byte[] event(EventRow row) {
      return write(out -> write(out, row));
    }

    @Override
    public byte[] position(long sequence) {
      return write(out -> number(out, POSITION, sequence));
    }

    @Override
    public byte[] gone(long sequence) {
      return write(out -> number(out, GONE, sequence));
    }
  };

  private static final int EVENT = 10;
  private static final int POSITION = 11;
  private static final int GONE = 12;

  private final String type;

  EventForm(String type) {
    this.type = type;
  }

  /// Returns the content type.
  public String type() {
    return type;
  }

  public abstract byte[] event(EventRow row);

  /// Returns what says that a reader has everything up to a number.
  public abstract byte[] position(long sequence);

  /// Returns what says that events after a number are no longer kept.
  public abstract byte[] gone(long sequence);

  /// An event as a JSON object.
  public static EventRow row(JsonForm form, @Nullable EventRow of) {
    return new EventRow(
        form.whole("sequence", 0, Long.MAX_VALUE, of, EventRow::sequence),
        instant(form, of),
        form.text("caller", of, EventRow::caller),
        form.text("event", of, EventRow::event),
        form.nameIfAny("instrument", of, EventRow::instrument),
        form.dateIfAny("date", of, EventRow::date),
        form.nameIfAny("order", of, EventRow::order),
        form.nameIfAny("model", of, EventRow::model),
        form.numberOrNan("step", of, EventRow::step),
        form.numberOrNan("volume", of, EventRow::volume),
        form.numberOrNan("price", of, EventRow::price),
        form.text("detail", of, EventRow::detail));
  }

  private static @Nullable Instant instant(JsonForm form, @Nullable EventRow of) {
    String text =
        form.nameIfAny(
            "time", of, each -> each.time() == null ? null : String.valueOf(each.time()));
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeException _) {
      throw form.wrong("time", "a time such as 2026-01-31T09:30:00Z");
    }
  }

  @FunctionalInterface
  private interface Frame {
    void write(DataOutputStream out) throws IOException;
  }

  private static byte[] write(Frame frame) {
    var bytes = new ByteArrayOutputStream(256);
    try (var out = new DataOutputStream(bytes)) {
      frame.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return bytes.toByteArray();
  }

  private static void number(DataOutputStream out, int kind, long sequence) throws IOException {
    out.writeByte(kind);
    out.writeLong(sequence);
  }

  private static void write(DataOutputStream out, EventRow row) throws IOException {
    number(out, EVENT, row.sequence());
    Instant time = row.time();
    out.writeLong(time == null ? 0 : time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000);
    text(out, row.caller());
    text(out, row.event());
    text(out, row.instrument());
    LocalDate date = row.date();
    out.writeInt(date == null ? Integer.MIN_VALUE : (int) date.toEpochDay());
    text(out, row.order());
    text(out, row.model());
    out.writeInt(Double.isNaN(row.step()) ? -1 : (int) row.step());
    out.writeDouble(row.volume());
    out.writeDouble(row.price());
    text(out, row.detail());
  }

  private static void text(DataOutputStream out, @Nullable String text) throws IOException {
    byte[] bytes = text == null ? new byte[0] : text.getBytes(UTF_8);
    int length = Math.min(bytes.length, 0xffff);
    out.writeShort(length);
    out.write(bytes, 0, length);
  }
}

package io.tranche.serving.wire;

import io.tranche.backtest.ParentOrder.Status;
import io.tranche.market.Side;
import io.tranche.runtime.BarAnswer;
import io.tranche.serving.Answer;
import io.tranche.serving.Phase;
import io.tranche.serving.Request;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Bars, decisions and fills as bytes: the compact form of the wire, big-endian, frame after frame,
/// one answer per frame in the same order. This is the side of the service; [ClientFrames] is the
/// other.
///
/// ```
/// text     u8 length, UTF-8                     long text  u16 length, UTF-8
/// date     i32 days since 1970-01-01
/// time     i64 seconds since 1970-01-01T00:00, local
///
/// bar      1, text instrument, date, time, long text fields joined by commas, f32 per field
/// decide   2, text id, i32 step or -1, i32 deadline in microseconds or 0
/// fill     3, text id, text fill id, i32 step or -1, f64 volume, f64 price
/// report   4, text id, i32 step, u8 phase: working or done
///
/// taken    1, u8 answer: taken, repeated, contradicting, late, outside
/// child    2, i32 step, f64 volume, f64 limit offset in bps or NaN, u8 source: model, twap, kill
///             switch, text limit that bound or empty, f64 reference price or NaN, f64 limit
///             price or NaN
/// state    3, u8 status: working, partly filled, done, cancelled, expired, text model, f64 amount,
///             f64 remaining, f64 working, f64 average price or NaN, i32 next step, u8 is due,
///             f64 filled, u8 phase: pending new, working, pending cancel, done, f64 out,
///             text instrument, u8 side: sell, buy, date, time start, time end, text account or
///             empty
/// refused  255, u8 reason: invalid, unknown, conflict, not due, overloaded, unavailable, risk,
///             unmatched, unconfirmed, long text message
/// ```
public final class Frames {

  /// The content type.
  public static final String TYPE = "application/x-tranche";

  static final int BAR = 1;
  static final int DECIDE = 2;
  static final int FILL = 3;
  static final int REPORT = 4;
  static final int REFUSED = 255;
  private static final int MAX_FIELDS = 100;

  // The order of these lists belongs to the wire format and must not follow the enums.
  static final List<BarAnswer> BAR_ANSWERS =
      List.of(
          BarAnswer.TAKEN,
          BarAnswer.REPEATED,
          BarAnswer.CONTRADICTING,
          BarAnswer.LATE,
          BarAnswer.OUTSIDE);
  static final List<Answer.Source> SOURCES =
      List.of(Answer.Source.MODEL, Answer.Source.TWAP, Answer.Source.KILL_SWITCH);
  static final List<Status> STATUSES =
      List.of(Status.WORKING, Status.PARTLY_FILLED, Status.DONE, Status.CANCELLED, Status.EXPIRED);
  static final List<Answer.Reason> REASONS =
      List.of(
          Answer.Reason.INVALID,
          Answer.Reason.UNKNOWN,
          Answer.Reason.CONFLICT,
          Answer.Reason.NOT_DUE,
          Answer.Reason.OVERLOADED,
          Answer.Reason.UNAVAILABLE,
          Answer.Reason.RISK,
          Answer.Reason.UNMATCHED,
          Answer.Reason.UNCONFIRMED);
  static final List<Phase> PHASES =
      List.of(Phase.PENDING_NEW, Phase.WORKING, Phase.PENDING_CANCEL, Phase.DONE);
  static final List<Phase> REPORTED = List.of(Phase.WORKING, Phase.DONE);
  static final List<Side> SIDES = List.of(Side.SELL, Side.BUY);

  private Frames() {}

  /// Reads requests.
  ///
  /// @param most how many there may be
  /// @throws MalformedException if the bytes are anything else
  public static List<Request> readRequests(ByteBuffer bytes, int most) {
    var requests = new ArrayList<Request>();
    int total = bytes.remaining();
    while (bytes.hasRemaining()) {
      int start = total - bytes.remaining();
      if (requests.size() == most) {
        throw new MalformedException("byte " + start, "at most %d frames".formatted(most), "more");
      }
      try {
        requests.add(readRequest(bytes));
      } catch (BufferUnderflowException _) {
        throw new MalformedException("byte " + start, "a whole frame", "the end within it");
      } catch (DateTimeException | CharacterCodingException _) {
        throw new MalformedException("byte " + start, "dates, times and UTF-8", "something else");
      }
    }
    if (requests.isEmpty()) {
      throw new MalformedException("body", "frames", "none");
    }
    return requests;
  }

  private static Request readRequest(ByteBuffer in) throws CharacterCodingException {
    int kind = in.get() & 0xff;
    return switch (kind) {
      case BAR -> readBar(in);
      case DECIDE -> {
        String id = name(in, "id");
        Integer step = step(in);
        int deadline = in.getInt();
        if (deadline < 0) {
          throw new MalformedException("decide", "deadline of at least 0", deadline);
        }
        yield new Request.Decide(id, step, deadline == 0 ? null : (Long) (long) deadline);
      }
      case FILL ->
          new Request.Fill(
              name(in, "id"),
              name(in, "fill id"),
              step(in),
              finite("volume", in.getDouble()),
              finite("price", in.getDouble()));
      case REPORT -> {
        String id = name(in, "id");
        Integer step = step(in);
        int phase = in.get();
        if (step == null || phase < 0 || phase >= REPORTED.size()) {
          throw new MalformedException("report", "a step, and 0 or 1 for working or done", phase);
        }
        yield new Request.Report(id, step, REPORTED.get(phase));
      }
      default -> throw new MalformedException("frame", "kind 1 to 4", kind);
    };
  }

  private static @Nullable Integer step(ByteBuffer in) {
    int step = in.getInt();
    if (step < -1) {
      throw new MalformedException("frame", "a step of at least -1", step);
    }
    return step < 0 ? null : (Integer) step;
  }

  private static Request readBar(ByteBuffer in) throws CharacterCodingException {
    String instrument = name(in, "instrument");
    LocalDate date = LocalDate.ofEpochDay(in.getInt());
    LocalDateTime time = LocalDateTime.ofEpochSecond(in.getLong(), 0, ZoneOffset.UTC);
    List<String> fields = fields(text(in, in.getShort() & 0xffff));
    if (in.remaining() < 4 * fields.size()) {
      throw new BufferUnderflowException();
    }
    Float[] values = new Float[fields.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.getFloat();
      if (Float.isInfinite(values[i])) {
        throw new MalformedException("bar", "finite values, NaN for none", values[i]);
      }
    }
    return new Request.Bar(instrument, date, time, fields, Arrays.asList(values));
  }

  /// Names of fields, as they were sent and as a list: nearly always those of the bar before.
  private record Fields(String text, List<String> names) {}

  private static volatile Fields newest = new Fields("", List.of());

  private static List<String> fields(String text) {
    Fields known = newest;
    if (!text.isEmpty() && known.text().equals(text)) {
      return known.names();
    }
    List<String> names = List.of(text.split(",", MAX_FIELDS + 1));
    if (names.size() > MAX_FIELDS || !names.stream().allMatch(JsonValues::isName)) {
      throw new MalformedException("bar", "1 to %d names of fields".formatted(MAX_FIELDS), "else");
    }
    newest = new Fields(text, names);
    return names;
  }

  private static double finite(String where, double value) {
    if (!Double.isFinite(value)) {
      throw new MalformedException(where, "a finite number", value);
    }
    return value;
  }

  private static String name(ByteBuffer in, String where) throws CharacterCodingException {
    String name = text(in, in.get() & 0xff);
    if (!JsonValues.isName(name)) {
      throw new MalformedException(
          where,
          "1 to %d characters without control characters".formatted(JsonValues.MAX_NAME),
          name.length());
    }
    return name;
  }

  static String text(ByteBuffer in, int length) throws CharacterCodingException {
    if (length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    int start = in.position();
    in.position(start + length);
    if (in.hasArray() && isAscii(in, start, length)) {
      return new String(in.array(), in.arrayOffset() + start, length, StandardCharsets.US_ASCII);
    }
    return StandardCharsets.UTF_8.newDecoder().decode(in.slice(start, length)).toString();
  }

  private static boolean isAscii(ByteBuffer in, int start, int length) {
    for (int i = start; i < start + length; i++) {
      if (in.get(i) < 0) {
        return false;
      }
    }
    return true;
  }

  /// Returns answers to frames.
  public static byte[] writeAnswers(List<Answer> answers) {
    return write(answers, Frames::writeAnswer);
  }

  private static void writeAnswer(DataOutputStream out, Answer answer) throws IOException {
    switch (answer) {
      case Answer.BarTaken bar -> {
        out.writeByte(BAR);
        out.writeByte(BAR_ANSWERS.indexOf(bar.answer()));
      }
      case Answer.Child child -> {
        out.writeByte(DECIDE);
        out.writeInt(child.step());
        out.writeDouble(child.volume());
        out.writeDouble(AnswerJson.offset(child));
        out.writeByte(SOURCES.indexOf(child.source()));
        writeText(out, child.limited() == null ? "" : child.limited());
        out.writeDouble(AnswerJson.orNan(child.referencePrice()));
        out.writeDouble(AnswerJson.orNan(child.limitPrice()));
      }
      case Answer.OrderState state -> {
        out.writeByte(FILL);
        out.writeByte(STATUSES.indexOf(state.status()));
        writeText(out, state.model());
        out.writeDouble(state.amount());
        out.writeDouble(state.remaining());
        out.writeDouble(state.working());
        out.writeDouble(state.averagePrice());
        out.writeInt(state.nextStep());
        out.writeBoolean(state.isDue());
        out.writeDouble(state.filled());
        out.writeByte(PHASES.indexOf(state.phase()));
        out.writeDouble(state.out());
        writeText(out, state.instrument());
        out.writeByte(SIDES.indexOf(state.side()));
        out.writeInt((int) state.date().toEpochDay());
        out.writeLong(state.start().toEpochSecond(ZoneOffset.UTC));
        out.writeLong(state.end().toEpochSecond(ZoneOffset.UTC));
        writeText(out, state.account() == null ? "" : state.account());
      }
      case Answer.Refused refused -> {
        out.writeByte(REFUSED);
        out.writeByte(REASONS.indexOf(refused.reason()));
        writeLongText(out, refused.message());
      }
      case Answer.DayOpen _,
          Answer.Done _,
          Answer.Orders _,
          Answer.Models _,
          Answer.Switches _,
          Answer.Details _,
          Answer.LimitsInForce _,
          Answer.UnmatchedFills _ ->
          throw new IllegalArgumentException("answer must be one that has a frame, was " + answer);
    }
  }

  static void writeText(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > 255) {
      throw new IllegalArgumentException("text must have at most 255 bytes, was " + bytes.length);
    }
    out.writeByte(bytes.length);
    out.write(bytes);
  }

  static void writeLongText(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, 0xffff);
    out.writeShort(length);
    out.write(bytes, 0, length);
  }

  @FunctionalInterface
  interface FrameWriter<T> {
    void write(DataOutputStream out, T item) throws IOException;
  }

  static <T> byte[] write(List<T> items, FrameWriter<T> writer) {
    var bytes = new ByteArrayOutputStream(128);
    try (var out = new DataOutputStream(bytes)) {
      for (T item : items) {
        writer.write(out, item);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return bytes.toByteArray();
  }
}

package io.tranche.serving.wire;

import io.tranche.backtest.ParentOrder.Status;
import io.tranche.market.Side;
import io.tranche.serving.Answer;
import io.tranche.serving.Phase;
import io.tranche.serving.Request;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/// The side of a client of [Frames].
public final class ClientFrames {

  private ClientFrames() {}

  /// Writes requests.
  ///
  /// @param requests bars, decisions and fills
  public static byte[] writeRequests(List<Request> requests) {
    return Frames.write(requests, ClientFrames::writeRequest);
  }

  private static void writeRequest(DataOutputStream out, Request request) throws IOException {
    switch (request) {
      case Request.Bar bar -> {
        out.writeByte(Frames.BAR);
        Frames.writeText(out, bar.instrument());
        out.writeInt((int) bar.date().toEpochDay());
        out.writeLong(bar.time().toEpochSecond(ZoneOffset.UTC));
        Frames.writeLongText(out, String.join(",", bar.fields()));
        for (float value : bar.values()) {
          out.writeFloat(value);
        }
      }
      case Request.Decide decide -> {
        out.writeByte(Frames.DECIDE);
        Frames.writeText(out, decide.id());
        Integer step = decide.step();
        Long deadline = decide.deadlineMicros();
        out.writeInt(step == null ? -1 : step);
        out.writeInt(deadline == null ? 0 : Math.toIntExact(deadline));
      }
      case Request.Fill fill -> {
        out.writeByte(Frames.FILL);
        Frames.writeText(out, fill.id());
        Frames.writeText(out, fill.fillId());
        Integer step = fill.step();
        out.writeInt(step == null ? -1 : step);
        out.writeDouble(fill.volume());
        out.writeDouble(fill.price());
      }
      case Request.Report report -> {
        out.writeByte(Frames.REPORT);
        Frames.writeText(out, report.id());
        out.writeInt(report.step());
        out.writeByte(Frames.REPORTED.indexOf(report.phase()));
      }
      default ->
          throw new IllegalArgumentException(
              "request must be a bar, a decision, a fill or a report, was " + request);
    }
  }

  /// Reads answers.
  ///
  /// @param requests what was asked, whose ids answers do not repeat
  /// @throws MalformedException unless there is exactly one answer per request
  public static List<Answer> readAnswers(ByteBuffer in, List<Request> requests) {
    var answers = new ArrayList<Answer>();
    try {
      for (Request request : requests) {
        answers.add(readAnswer(in, request));
      }
    } catch (BufferUnderflowException | CharacterCodingException _) {
      throw new MalformedException("answer", "whole frames", "something else");
    }
    if (in.hasRemaining()) {
      throw new MalformedException("answer", "one frame per request", "more");
    }
    return answers;
  }

  private static Answer readAnswer(ByteBuffer in, Request request) throws CharacterCodingException {
    int kind = in.get() & 0xff;
    return switch (kind) {
      case Frames.BAR -> new Answer.BarTaken(item(Frames.BAR_ANSWERS, in.get()));
      case Frames.DECIDE -> {
        int step = in.getInt();
        double volume = in.getDouble();
        Double offset = AnswerJson.nullIfNan(in.getDouble());
        var source = item(Frames.SOURCES, in.get());
        String limited = Frames.text(in, in.get() & 0xff);
        yield new Answer.Child(
            id(request),
            step,
            volume,
            offset,
            source,
            limited.isEmpty() ? null : limited,
            AnswerJson.nullIfNan(in.getDouble()),
            AnswerJson.nullIfNan(in.getDouble()));
      }
      case Frames.FILL -> readState(in, id(request));
      case Frames.REFUSED ->
          new Answer.Refused(
              item(Frames.REASONS, in.get()), Frames.text(in, in.getShort() & 0xffff));
      default -> throw new MalformedException("answer", "a known kind", kind);
    };
  }

  private static Answer.OrderState readState(ByteBuffer in, String id)
      throws CharacterCodingException {
    Status status = item(Frames.STATUSES, in.get());
    String model = Frames.text(in, in.get() & 0xff);
    double amount = in.getDouble();
    double remaining = in.getDouble();
    double working = in.getDouble();
    double price = in.getDouble();
    int nextStep = in.getInt();
    boolean isDue = in.get() != 0;
    double filled = in.getDouble();
    Phase phase = item(Frames.PHASES, in.get());
    double held = in.getDouble();
    String instrument = Frames.text(in, in.get() & 0xff);
    Side side = item(Frames.SIDES, in.get());
    var date = LocalDate.ofEpochDay(in.getInt());
    var start = LocalDateTime.ofEpochSecond(in.getLong(), 0, ZoneOffset.UTC);
    var end = LocalDateTime.ofEpochSecond(in.getLong(), 0, ZoneOffset.UTC);
    String account = Frames.text(in, in.get() & 0xff);
    return new Answer.OrderState(
        id,
        model,
        status,
        amount,
        remaining,
        working,
        price,
        nextStep,
        isDue,
        filled,
        phase,
        held,
        instrument,
        side,
        date,
        start,
        end,
        account.isEmpty() ? null : account);
  }

  private static String id(Request request) {
    return switch (request) {
      case Request.Decide decide -> decide.id();
      case Request.Fill fill -> fill.id();
      case Request.Report report -> report.id();
      default -> throw new MalformedException("answer", "one for a bar", "one for an order");
    };
  }

  private static <T> T item(List<T> items, int index) {
    if (index < 0 || index >= items.size()) {
      throw new MalformedException("answer", "a known word", index);
    }
    return items.get(index);
  }
}

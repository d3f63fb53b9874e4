package io.tranche.serving.journal;

import io.tranche.market.Side;
import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.Route;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Events as bytes. A damaged count cannot cause a large allocation: every element takes at least
/// one byte, so a count above the number of bytes left is refused.
public final class EventCodec {

  private static final int DAY_OPENED = 1;
  private static final int BAR_TAKEN = 2;
  private static final int ORDER_OPENED = 3;
  private static final int DECIDED = 4;
  private static final int FILLED = 5;
  private static final int CANCELLED = 6;
  private static final int DAY_ENDED = 7;
  private static final int SWITCHED = 8;
  private static final int MODEL_LOADED = 9;
  private static final int MODEL_UNLOADED = 10;
  private static final int ROUTED = 11;
  private static final int HEADING = 12;
  private static final int FILLED_STEP = 13;
  private static final int DAY_OPENED_HOURS = 14;
  private static final int HEADING_ENDS = 15; // kind 12, of version 1, has numbers of segments only
  private static final int WITHDRAWN = 20;
  private static final int ORDER_OPENED_MARKET = 21;

  private EventCodec() {}

  public static byte[] write(Event event) {
    var bytes = new ByteArrayOutputStream(128);
    try (var out = new DataOutputStream(bytes)) {
      write(event, out);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory must not fail", e);
    }
    return bytes.toByteArray();
  }

  private static void write(Event event, DataOutputStream out) throws IOException {
    switch (event) {
      case Event.DayOpened opened -> {
        boolean isUsual = opened.isUsual();
        begin(out, isUsual ? DAY_OPENED : DAY_OPENED_HOURS, opened.day());
        if (!isUsual) {
          write(opened.hours(), out);
        }
        writeAll(
            opened.earlier(),
            out,
            (day, to) -> {
              if (!isUsual) {
                write(day.hours(), to);
              }
              write(day, to);
            });
      }
      case Event.BarTaken(var day, var fields, long time, var values) -> {
        begin(out, BAR_TAKEN, day);
        writeTexts(fields, out);
        out.writeLong(time);
        for (int i = 0; i < values.size(); i++) {
          out.writeFloat(values.at(i));
        }
      }
      case Event.OrderOpened opened -> {
        begin(out, ORDER_OPENED_MARKET, opened.day());
        Request.OpenOrder request = opened.request();
        out.writeUTF(request.id());
        out.writeByte(request.side().code());
        out.writeDouble(request.amount());
        out.writeUTF(request.start().toString());
        out.writeUTF(request.end().toString());
        writeOptional(request.model(), out);
        out.writeUTF(opened.model());
        out.writeInt(opened.ticksPerStep());
        out.writeInt(opened.steps());
        out.writeBoolean(opened.isQlib());
        out.writeUTF(opened.fingerprint());
        out.writeUTF(opened.market());
      }
      case Event.Decided(var day, var child, double seen) -> {
        begin(out, DECIDED, day);
        out.writeUTF(child.id());
        out.writeInt(child.step());
        out.writeDouble(child.volume());
        Double offset = child.limitOffsetBps();
        out.writeDouble(offset == null ? Double.NaN : offset);
        out.writeUTF(child.source().name());
        writeOptional(child.limited(), out);
        out.writeDouble(seen);
      }
      case Event.Filled(var day, var fill, boolean isLate) -> {
        Integer step = fill.step();
        begin(out, step == null ? FILLED : FILLED_STEP, day);
        if (step != null) {
          out.writeInt(step);
          out.writeBoolean(isLate);
        }
        out.writeUTF(fill.id());
        out.writeUTF(fill.fillId());
        out.writeDouble(fill.volume());
        out.writeDouble(fill.price());
      }
      case Event.Cancelled(var day, var id) -> {
        begin(out, CANCELLED, day);
        out.writeUTF(id);
      }
      case Event.Withdrawn(var day, var id) -> {
        begin(out, WITHDRAWN, day);
        out.writeUTF(id);
      }
      case Event.DayEnded(var day) -> begin(out, DAY_ENDED, day);
      case Event.Switched(var change) -> {
        out.writeByte(SWITCHED);
        write(change, out);
      }
      case Event.ModelLoaded(var model, var fingerprint) -> {
        out.writeByte(MODEL_LOADED);
        out.writeUTF(model);
        out.writeUTF(fingerprint);
      }
      case Event.ModelUnloaded(var model) -> {
        out.writeByte(MODEL_UNLOADED);
        out.writeUTF(model);
      }
      case Event.Routed routed -> {
        out.writeByte(ROUTED);
        write(routed, out);
      }
      case Event.Heading heading -> {
        out.writeByte(HEADING_ENDS);
        write(heading, out);
      }
    }
  }

  private static void begin(DataOutputStream out, int kind, Event.DayKey day) throws IOException {
    out.writeByte(kind);
    out.writeUTF(day.instrument());
    out.writeLong(day.date().toEpochDay());
  }

  private static void write(Request.Hours hours, DataOutputStream out) throws IOException {
    LocalDate before = hours.before();
    Integer ticks = hours.ticks();
    out.writeLong(before == null ? Long.MIN_VALUE : before.toEpochDay());
    out.writeInt(ticks == null ? 0 : ticks);
  }

  private static void write(Request.EarlierDay day, DataOutputStream out) throws IOException {
    out.writeLong(day.date().toEpochDay());
    writeAll(day.bars(), out, EventCodec::write);
  }

  private static void write(Request.Bar bar, DataOutputStream out) throws IOException {
    writeTexts(bar.fields(), out);
    out.writeUTF(bar.time().toString());
    for (float value : bar.values()) {
      out.writeFloat(value);
    }
  }

  private static void write(Request.Switch change, DataOutputStream out) throws IOException {
    out.writeUTF(change.scope().name());
    writeOptional(change.name(), out);
    out.writeBoolean(change.isOff());
  }

  private static void write(Event.Routed routed, DataOutputStream out) throws IOException {
    Route route = routed.route();
    out.writeUTF(route.model());
    writeOptional(route.canary(), out);
    out.writeDouble(route.canaryShare());
    writeTexts(route.shadows(), out);
    writeOptional(routed.previous(), out);
    writeOptional(routed.reason(), out);
  }

  private static void write(Event.Heading heading, DataOutputStream out) throws IOException {
    writeAll(
        heading.segments(),
        out,
        (segment, to) -> {
          to.writeLong(segment.number());
          to.writeLong(segment.last());
          to.writeLong(segment.length());
        });
    writeAll(heading.off(), out, EventCodec::write);
    out.writeInt(heading.models().size());
    for (var each : heading.models().entrySet()) {
      out.writeUTF(each.getKey());
      out.writeUTF(each.getValue());
    }
    Event.Routed route = heading.route();
    out.writeBoolean(route != null);
    if (route != null) {
      write(route, out);
    }
    out.writeInt(heading.ended().size());
    for (var each : heading.ended().entrySet()) {
      out.writeUTF(each.getKey());
      out.writeLong(each.getValue().toEpochDay());
    }
  }

  private static void writeTexts(List<String> texts, DataOutputStream out) throws IOException {
    writeAll(texts, out, (text, to) -> to.writeUTF(text));
  }

  @FunctionalInterface
  private interface ItemWriter<T> {
    void write(T item, DataOutputStream out) throws IOException;
  }

  private static <T> void writeAll(List<T> items, DataOutputStream out, ItemWriter<T> writer)
      throws IOException {
    out.writeInt(items.size());
    for (T item : items) {
      writer.write(item, out);
    }
  }

  private static void writeOptional(@Nullable String text, DataOutputStream out)
      throws IOException {
    out.writeBoolean(text != null);
    if (text != null) {
      out.writeUTF(text);
    }
  }

  /// Reads what [#write] wrote.
  ///
  /// @throws IOException with a readable message if the bytes are something else
  static Event read(byte[] bytes) throws IOException {
    try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      Event event = readEvent(in);
      if (in.available() > 0) {
        throw new IOException("event must end, was %d bytes more".formatted(in.available()));
      }
      return event;
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static Event readEvent(DataInputStream in) throws IOException {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case DAY_OPENED, DAY_OPENED_HOURS -> {
        Event.DayKey day = readDay(in);
        boolean isUsual = kind == DAY_OPENED;
        Request.Hours hours = readHours(isUsual, in);
        yield new Event.DayOpened(
            day, readAll(in, () -> readEarlier(day.instrument(), isUsual, in)), hours);
      }
      case BAR_TAKEN -> {
        Event.DayKey day = readDay(in);
        List<String> fields = readTexts(in);
        long time = in.readLong();
        yield new Event.BarTaken(
            day, fields, time, BarValues.of(readItems(fields.size(), in::readFloat)));
      }
      case ORDER_OPENED, ORDER_OPENED_MARKET -> readOrder(kind == ORDER_OPENED_MARKET, in);
      case DECIDED -> {
        Event.DayKey day = readDay(in);
        String id = in.readUTF();
        int step = in.readInt();
        double volume = in.readDouble();
        double offset = in.readDouble();
        var source = Answer.Source.valueOf(in.readUTF());
        String limited = readOptional(in);
        Double limit = Double.isNaN(offset) ? null : Double.valueOf(offset);
        var child = new Answer.Child(id, step, volume, limit, source, limited);
        yield new Event.Decided(day, child, in.readDouble());
      }
      case FILLED, FILLED_STEP -> {
        Event.DayKey day = readDay(in);
        Integer step = kind == FILLED ? null : Integer.valueOf(in.readInt());
        boolean isLate = kind == FILLED_STEP && in.readBoolean();
        var fill =
            new Request.Fill(in.readUTF(), in.readUTF(), step, in.readDouble(), in.readDouble());
        yield new Event.Filled(day, fill, isLate);
      }
      case CANCELLED -> new Event.Cancelled(readDay(in), in.readUTF());
      case WITHDRAWN -> new Event.Withdrawn(readDay(in), in.readUTF());
      case DAY_ENDED -> new Event.DayEnded(readDay(in));
      case SWITCHED -> new Event.Switched(readSwitch(in));
      case MODEL_LOADED -> new Event.ModelLoaded(in.readUTF(), in.readUTF());
      case MODEL_UNLOADED -> new Event.ModelUnloaded(in.readUTF());
      case ROUTED -> readRouted(in);
      case HEADING, HEADING_ENDS -> readHeading(kind == HEADING_ENDS, in);
      default -> throw new IOException("event must be of a known kind, was " + kind);
    };
  }

  private static Event.OrderOpened readOrder(boolean hasMarket, DataInputStream in)
      throws IOException {
    Event.DayKey day = readDay(in);
    var request =
        new Request.OpenOrder(
            in.readUTF(),
            day.instrument(),
            day.date(),
            Side.ofCode(in.readUnsignedByte()),
            in.readDouble(),
            LocalDateTime.parse(in.readUTF()),
            LocalDateTime.parse(in.readUTF()),
            readOptional(in));
    return new Event.OrderOpened(
        day,
        request,
        in.readUTF(),
        in.readInt(),
        in.readInt(),
        in.readBoolean(),
        hasMarket ? in.readUTF() : "",
        hasMarket ? in.readUTF() : "");
  }

  private static Event.DayKey readDay(DataInputStream in) throws IOException {
    return new Event.DayKey(in.readUTF(), LocalDate.ofEpochDay(in.readLong()));
  }

  private static Request.Hours readHours(boolean isUsual, DataInputStream in) throws IOException {
    if (isUsual) {
      return Request.Hours.USUAL;
    }
    long before = in.readLong();
    int ticks = in.readInt();
    return new Request.Hours(
        before == Long.MIN_VALUE ? null : LocalDate.ofEpochDay(before),
        ticks == 0 ? null : (Integer) ticks);
  }

  private static Request.EarlierDay readEarlier(
      String instrument, boolean isUsual, DataInputStream in) throws IOException {
    Request.Hours hours = readHours(isUsual, in);
    LocalDate date = LocalDate.ofEpochDay(in.readLong());
    return new Request.EarlierDay(date, readAll(in, () -> readBar(instrument, date, in)), hours);
  }

  private static Request.Bar readBar(String instrument, LocalDate date, DataInputStream in)
      throws IOException {
    List<String> fields = readTexts(in);
    LocalDateTime time = LocalDateTime.parse(in.readUTF());
    return new Request.Bar(instrument, date, time, fields, readItems(fields.size(), in::readFloat));
  }

  private static Request.Switch readSwitch(DataInputStream in) throws IOException {
    var scope = Request.Scope.valueOf(in.readUTF());
    return new Request.Switch(scope, readOptional(in), in.readBoolean());
  }

  private static Event.Routed readRouted(DataInputStream in) throws IOException {
    String model = in.readUTF();
    String canary = readOptional(in);
    var route = new Route(model, canary, in.readDouble(), readTexts(in));
    return new Event.Routed(route, readOptional(in), readOptional(in));
  }

  private static Event.Heading readHeading(boolean hasEnds, DataInputStream in) throws IOException {
    List<Event.SegmentEnd> segments =
        readAll(
            in,
            () ->
                new Event.SegmentEnd(
                    in.readLong(), hasEnds ? in.readLong() : 0, hasEnds ? in.readLong() : 0));
    List<Request.Switch> off = readAll(in, () -> readSwitch(in));
    var models = new TreeMap<String, String>();
    for (int left = readCount(in); left > 0; left--) {
      models.put(in.readUTF(), in.readUTF());
    }
    Event.Routed route = in.readBoolean() ? readRouted(in) : null;
    Map<String, LocalDate> ended = new LinkedHashMap<>();
    for (int left = readCount(in); left > 0; left--) {
      ended.put(in.readUTF(), LocalDate.ofEpochDay(in.readLong()));
    }
    return new Event.Heading(segments, off, models, route, ended);
  }

  private static List<String> readTexts(DataInputStream in) throws IOException {
    return readAll(in, in::readUTF);
  }

  @FunctionalInterface
  private interface ItemReader<T> {
    T read() throws IOException;
  }

  private static <T> List<T> readAll(DataInputStream in, ItemReader<T> reader) throws IOException {
    return readItems(readCount(in), reader);
  }

  private static <T> List<T> readItems(int count, ItemReader<T> reader) throws IOException {
    var items = new ArrayList<T>();
    for (int i = 0; i < count; i++) {
      items.add(reader.read());
    }
    return items;
  }

  private static @Nullable String readOptional(DataInputStream in) throws IOException {
    return in.readBoolean() ? in.readUTF() : null;
  }

  private static int readCount(DataInputStream in) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > in.available()) {
      throw new IOException(
          "count must be at most the %d bytes left, was %d".formatted(in.available(), count));
    }
    return count;
  }
}

package io.tranche.serving.journal;

import io.tranche.market.Side;
import io.tranche.serving.Answer;
import io.tranche.serving.Limit;
import io.tranche.serving.Phase;
import io.tranche.serving.Request;
import io.tranche.serving.RiskLimits;
import io.tranche.serving.Route;
import java.io.IOException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Reads events of this version and the versions before, one after another; used by one thread. A
/// damaged count cannot cause a large allocation: every element takes at least one byte, so a count
/// above the number of bytes left is refused.
final class EventReader {

  /// The fields of the newest bar, and their bytes: nearly always those of the next one.
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Fields(byte[] bytes, List<String> names) {}

  /// A day, and its bytes: nearly every event is of a day that was read before.
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Day(byte[] bytes, Event.DayKey key) {}

  /// How many days are remembered; a power of two.
  private static final int DAYS = 1 << 10;

  private Fields newest = new Fields(new byte[0], List.of());
  private final @Nullable Day[] days = new Day[DAYS];

  Event read(EventInput in) throws IOException {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case EventCodec.DAY_OPENED, EventCodec.DAY_OPENED_HOURS -> {
        Event.DayKey day = readDay(in);
        boolean isUsual = kind == EventCodec.DAY_OPENED;
        Request.Hours hours = readHours(isUsual, in);
        yield new Event.DayOpened(
            day, readAll(in, () -> readEarlier(day.instrument(), isUsual, in)), hours);
      }
      case EventCodec.BAR_TAKEN -> {
        Event.DayKey day = readDay(in);
        List<String> fields = readFields(in);
        long time = in.readLong();
        yield new Event.BarTaken(day, fields, time, BarValues.read(fields.size(), in));
      }
      case EventCodec.ORDER_OPENED,
          EventCodec.ORDER_OPENED_MARKET,
          EventCodec.ORDER_OPENED_ACCOUNT,
          EventCodec.ORDER_OPENED_REPLACING ->
          readOrder(kind, in);
      case EventCodec.DECIDED, EventCodec.DECIDED_WISH ->
          readDecided(kind == EventCodec.DECIDED_WISH, in);
      case EventCodec.FILLED, EventCodec.FILLED_STEP -> {
        Event.DayKey day = readDay(in);
        int number = kind == EventCodec.FILLED ? -1 : in.readInt();
        Integer step = number < 0 ? null : (Integer) number;
        boolean isLate = kind == EventCodec.FILLED_STEP && in.readBoolean();
        var fill =
            new Request.Fill(in.readUTF(), in.readUTF(), step, in.readDouble(), in.readDouble());
        yield new Event.Filled(day, fill, isLate);
      }
      case EventCodec.CANCELLED -> new Event.Cancelled(readDay(in), in.readUTF());
      case EventCodec.WITHDRAWN -> new Event.Withdrawn(readDay(in), in.readUTF());
      case EventCodec.REPORTED ->
          new Event.Reported(
              readDay(in),
              new Request.Report(in.readUTF(), in.readInt(), Phase.valueOf(in.readUTF())));
      case EventCodec.AMENDED ->
          new Event.Amended(
              readDay(in), in.readUTF(), in.readDouble(), LocalDateTime.parse(in.readUTF()));
      case EventCodec.FILL_CORRECTED ->
          new Event.FillCorrected(
              readDay(in),
              new Request.CorrectFill(
                  in.readUTF(), in.readUTF(), in.readDouble(), in.readDouble()));
      case EventCodec.BAR_CORRECTED ->
          new Event.BarCorrected(
              readDay(in), in.readLong(), BarValues.of(readAll(in, in::readFloat)));
      case EventCodec.REFERENCED -> new Event.Referenced(readDay(in), in.readDouble());
      case EventCodec.HALTED -> new Event.Halted(readDay(in), in.readBoolean());
      case EventCodec.STARTED -> new Event.Started(readAll(in, () -> readLimits(in)), in.readUTF());
      case EventCodec.LIMITS_SET -> new Event.LimitsSet(readLimits(in));
      case EventCodec.UNMATCHED -> new Event.Unmatched(readFill(in));
      case EventCodec.HEARTBEAT_SET -> new Event.HeartbeatSet(in.readUTF(), in.readInt());
      case EventCodec.DAY_ENDED -> new Event.DayEnded(readDay(in));
      case EventCodec.SWITCHED -> new Event.Switched(readSwitch(in));
      case EventCodec.MODEL_LOADED -> new Event.ModelLoaded(in.readUTF(), in.readUTF());
      case EventCodec.MODEL_UNLOADED -> new Event.ModelUnloaded(in.readUTF());
      case EventCodec.ROUTED -> readRouted(in);
      case EventCodec.HEADING, EventCodec.HEADING_ENDS, EventCodec.HEADING_LIMITS ->
          readHeading(kind, in);
      default -> throw new IOException("event must be of a known kind, was " + kind);
    };
  }

  private Event.OrderOpened readOrder(int kind, EventInput in) throws IOException {
    Event.DayKey day = readDay(in);
    String id = in.readUTF();
    Side side = Side.ofCode(in.readUnsignedByte());
    double amount = in.readDouble();
    var start = LocalDateTime.parse(in.readUTF());
    var end = LocalDateTime.parse(in.readUTF());
    String asked = readOptional(in);
    String model = in.readUTF();
    int ticksPerStep = in.readInt();
    int steps = in.readInt();
    boolean isQlib = in.readBoolean();
    String fingerprint = kind == EventCodec.ORDER_OPENED ? "" : in.readUTF();
    String market = kind == EventCodec.ORDER_OPENED ? "" : in.readUTF();
    boolean isReplacing = kind == EventCodec.ORDER_OPENED_REPLACING;
    boolean isNew = isReplacing || kind == EventCodec.ORDER_OPENED_ACCOUNT;
    String account = isNew ? readOptional(in) : null;
    boolean awaitsCancels = isNew && in.readBoolean();
    String replaces = isReplacing ? in.readUTF() : null;
    return new Event.OrderOpened(
        day,
        new Request.OpenOrder(
            id, day.instrument(), day.date(), side, amount, start, end, asked, account, replaces),
        model,
        ticksPerStep,
        steps,
        isQlib,
        fingerprint,
        market,
        awaitsCancels);
  }

  private Event.Decided readDecided(boolean hasWish, EventInput in) throws IOException {
    Event.DayKey day = readDay(in);
    String id = in.readUTF();
    int step = in.readInt();
    double volume = in.readDouble();
    Double offset = nullIfNan(in.readDouble());
    var source = Answer.Source.valueOf(in.readUTF());
    String limited = readOptional(in);
    double seen = in.readDouble();
    double wish = hasWish ? in.readDouble() : Double.NaN;
    int events = hasWish ? in.readInt() : -1;
    double price = hasWish ? in.readDouble() : Double.NaN;
    Double reference = hasWish ? nullIfNan(in.readDouble()) : null;
    Double limit = hasWish ? nullIfNan(in.readDouble()) : null;
    var child = new Answer.Child(id, step, volume, offset, source, limited, reference, limit);
    return new Event.Decided(day, child, seen, wish, events, price);
  }

  private static @Nullable Double nullIfNan(double value) {
    return Double.isNaN(value) ? null : (Double) value;
  }

  private static Request.Fill readFill(EventInput in) throws IOException {
    String id = in.readUTF();
    String fillId = in.readUTF();
    int step = in.readInt();
    return new Request.Fill(
        id, fillId, step < 0 ? null : (Integer) step, in.readDouble(), in.readDouble());
  }

  private static Request.SetLimits readLimits(EventInput in) throws IOException {
    var scope = Request.Scope.valueOf(in.readUTF());
    String name = readOptional(in);
    var values = new EnumMap<Limit, Double>(Limit.class);
    for (int left = readCount(in); left > 0; left--) {
      values.put(Limit.valueOf(in.readUTF()), in.readDouble());
    }
    return new Request.SetLimits(scope, name, new RiskLimits(values));
  }

  private Event.DayKey readDay(EventInput in) throws IOException {
    int slot = in.textHash() & (DAYS - 1);
    Day known = days[slot];
    if (known != null && in.skip(known.bytes())) {
      return known.key();
    }
    int start = in.position();
    var key = new Event.DayKey(in.readUTF(), LocalDate.ofEpochDay(in.readLong()));
    days[slot] = new Day(in.since(start), key);
    return key;
  }

  private static Request.Hours readHours(boolean isUsual, EventInput in) throws IOException {
    if (isUsual) {
      return Request.Hours.USUAL;
    }
    long before = in.readLong();
    int ticks = in.readInt();
    return new Request.Hours(
        before == Long.MIN_VALUE ? null : LocalDate.ofEpochDay(before),
        ticks == 0 ? null : (Integer) ticks);
  }

  private static Request.EarlierDay readEarlier(String instrument, boolean isUsual, EventInput in)
      throws IOException {
    Request.Hours hours = readHours(isUsual, in);
    LocalDate date = LocalDate.ofEpochDay(in.readLong());
    return new Request.EarlierDay(date, readAll(in, () -> readBar(instrument, date, in)), hours);
  }

  private static Request.Bar readBar(String instrument, LocalDate date, EventInput in)
      throws IOException {
    List<String> fields = readTexts(in);
    LocalDateTime time = LocalDateTime.parse(in.readUTF());
    return new Request.Bar(instrument, date, time, fields, readItems(fields.size(), in::readFloat));
  }

  private static Request.Switch readSwitch(EventInput in) throws IOException {
    var scope = Request.Scope.valueOf(in.readUTF());
    return new Request.Switch(scope, readOptional(in), in.readBoolean());
  }

  private static Event.Routed readRouted(EventInput in) throws IOException {
    String model = in.readUTF();
    String canary = readOptional(in);
    var route = new Route(model, canary, in.readDouble(), readTexts(in));
    return new Event.Routed(route, readOptional(in), readOptional(in));
  }

  private static Event.Heading readHeading(int kind, EventInput in) throws IOException {
    boolean hasEnds = kind != EventCodec.HEADING;
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
    boolean hasLimits = kind == EventCodec.HEADING_LIMITS;
    List<Request.SetLimits> limits = hasLimits ? readAll(in, () -> readLimits(in)) : List.of();
    List<Request.Fill> unmatched = hasLimits ? readAll(in, () -> readFill(in)) : List.of();
    Map<String, Integer> heartbeats = new LinkedHashMap<>();
    for (int left = hasLimits ? readCount(in) : 0; left > 0; left--) {
      heartbeats.put(in.readUTF(), in.readInt());
    }
    return new Event.Heading(segments, off, models, route, ended, limits, unmatched, heartbeats);
  }

  private List<String> readFields(EventInput in) throws IOException {
    Fields known = newest;
    if (known.bytes().length > 0 && in.skip(known.bytes())) {
      return known.names();
    }
    int start = in.position();
    List<String> names = List.copyOf(readTexts(in));
    newest = new Fields(in.since(start), names);
    return names;
  }

  private static List<String> readTexts(EventInput in) throws IOException {
    return readAll(in, in::readUTF);
  }

  @FunctionalInterface
  private interface ItemReader<T> {
    T read() throws IOException;
  }

  private static <T> List<T> readAll(EventInput in, ItemReader<T> reader) throws IOException {
    return readItems(readCount(in), reader);
  }

  private static <T> List<T> readItems(int count, ItemReader<T> reader) throws IOException {
    var items = new ArrayList<T>();
    for (int i = 0; i < count; i++) {
      items.add(reader.read());
    }
    return items;
  }

  private static @Nullable String readOptional(EventInput in) throws IOException {
    return in.readBoolean() ? in.readUTF() : null;
  }

  private static int readCount(EventInput in) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > in.available()) {
      throw new IOException(
          "count must be at most the %d bytes left, was %d".formatted(in.available(), count));
    }
    return count;
  }
}

package io.tranche.serving.journal;

import io.tranche.serving.Request;
import io.tranche.serving.Route;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes events as [EventReader] reads them.
final class EventWriter {

  private EventWriter() {}

  static void write(Event event, DataOutputStream out) throws IOException {
    switch (event) {
      case Event.DayOpened opened -> {
        boolean isUsual = opened.isUsual();
        begin(out, isUsual ? EventCodec.DAY_OPENED : EventCodec.DAY_OPENED_HOURS, opened.day());
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
        begin(out, EventCodec.BAR_TAKEN, day);
        writeTexts(fields, out);
        out.writeLong(time);
        for (int i = 0; i < values.size(); i++) {
          out.writeFloat(values.at(i));
        }
      }
      case Event.OrderOpened opened -> {
        Request.OpenOrder request = opened.request();
        String replaces = request.replaces();
        int kind =
            replaces == null
                ? EventCodec.ORDER_OPENED_ACCOUNT
                : EventCodec.ORDER_OPENED_REPLACING;
        begin(out, kind, opened.day());
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
        writeOptional(request.account(), out);
        out.writeBoolean(opened.awaitsCancels());
        if (replaces != null) {
          out.writeUTF(replaces);
        }
      }
      case Event.Decided(
              var day,
              var child,
              double seen,
              double wish,
              int events,
              double price) -> {
        begin(out, EventCodec.DECIDED_WISH, day);
        out.writeUTF(child.id());
        out.writeInt(child.step());
        out.writeDouble(child.volume());
        Double offset = child.limitOffsetBps();
        out.writeDouble(offset == null ? Double.NaN : offset);
        out.writeUTF(child.source().name());
        writeOptional(child.limited(), out);
        out.writeDouble(seen);
        out.writeDouble(wish);
        out.writeInt(events);
        out.writeDouble(price);
        Double reference = child.referencePrice();
        out.writeDouble(reference == null ? Double.NaN : reference);
        Double limit = child.limitPrice();
        out.writeDouble(limit == null ? Double.NaN : limit);
      }
      case Event.Filled(var day, var fill, boolean isLate) -> {
        Integer step = fill.step();
        begin(out, EventCodec.FILLED_STEP, day);
        out.writeInt(step == null ? -1 : step);
        out.writeBoolean(isLate);
        out.writeUTF(fill.id());
        out.writeUTF(fill.fillId());
        out.writeDouble(fill.volume());
        out.writeDouble(fill.price());
      }
      case Event.Cancelled(var day, var id) -> {
        begin(out, EventCodec.CANCELLED, day);
        out.writeUTF(id);
      }
      case Event.Withdrawn(var day, var id) -> {
        begin(out, EventCodec.WITHDRAWN, day);
        out.writeUTF(id);
      }
      case Event.Reported(var day, var report) -> {
        begin(out, EventCodec.REPORTED, day);
        out.writeUTF(report.id());
        out.writeInt(report.step());
        out.writeUTF(report.phase().name());
      }
      case Event.Amended(var day, var id, double amount, var end) -> {
        begin(out, EventCodec.AMENDED, day);
        out.writeUTF(id);
        out.writeDouble(amount);
        out.writeUTF(end.toString());
      }
      case Event.FillCorrected(var day, var fill) -> {
        begin(out, EventCodec.FILL_CORRECTED, day);
        out.writeUTF(fill.id());
        out.writeUTF(fill.fillId());
        out.writeDouble(fill.volume());
        out.writeDouble(fill.price());
      }
      case Event.BarCorrected(var day, long time, var values) -> {
        begin(out, EventCodec.BAR_CORRECTED, day);
        out.writeLong(time);
        out.writeInt(values.size());
        for (int i = 0; i < values.size(); i++) {
          out.writeFloat(values.at(i));
        }
      }
      case Event.Referenced(var day, double price) -> {
        begin(out, EventCodec.REFERENCED, day);
        out.writeDouble(price);
      }
      case Event.Halted(var day, boolean isHalted) -> {
        begin(out, EventCodec.HALTED, day);
        out.writeBoolean(isHalted);
      }
      case Event.DayEnded(var day) -> begin(out, EventCodec.DAY_ENDED, day);
      case Event.Started(var limits, var clock) -> {
        out.writeByte(EventCodec.STARTED);
        writeAll(limits, out, EventWriter::write);
        out.writeUTF(clock);
      }
      case Event.LimitsSet(var change) -> {
        out.writeByte(EventCodec.LIMITS_SET);
        write(change, out);
      }
      case Event.Unmatched(var fill) -> {
        out.writeByte(EventCodec.UNMATCHED);
        write(fill, out);
      }
      case Event.HeartbeatSet(var account, int seconds) -> {
        out.writeByte(EventCodec.HEARTBEAT_SET);
        out.writeUTF(account);
        out.writeInt(seconds);
      }
      case Event.Switched(var change) -> {
        out.writeByte(EventCodec.SWITCHED);
        write(change, out);
      }
      case Event.ModelLoaded(var model, var fingerprint) -> {
        out.writeByte(EventCodec.MODEL_LOADED);
        out.writeUTF(model);
        out.writeUTF(fingerprint);
      }
      case Event.ModelUnloaded(var model) -> {
        out.writeByte(EventCodec.MODEL_UNLOADED);
        out.writeUTF(model);
      }
      case Event.Routed routed -> {
        out.writeByte(EventCodec.ROUTED);
        write(routed, out);
      }
      case Event.Heading heading -> {
        out.writeByte(EventCodec.HEADING_LIMITS);
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
    writeAll(day.bars(), out, EventWriter::write);
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
    writeAll(heading.off(), out, EventWriter::write);
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
    writeAll(heading.limits(), out, EventWriter::write);
    writeAll(heading.unmatched(), out, EventWriter::write);
    out.writeInt(heading.heartbeats().size());
    for (var each : heading.heartbeats().entrySet()) {
      out.writeUTF(each.getKey());
      out.writeInt(each.getValue());
    }
  }

  private static void write(Request.SetLimits change, DataOutputStream out) throws IOException {
    out.writeUTF(change.scope().name());
    writeOptional(change.name(), out);
    out.writeInt(change.limits().values().size());
    for (var each : change.limits().values().entrySet()) {
      out.writeUTF(each.getKey().name());
      out.writeDouble(each.getValue());
    }
  }

  private static void write(Request.Fill fill, DataOutputStream out) throws IOException {
    out.writeUTF(fill.id());
    out.writeUTF(fill.fillId());
    Integer step = fill.step();
    out.writeInt(step == null ? -1 : step);
    out.writeDouble(fill.volume());
    out.writeDouble(fill.price());
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
}

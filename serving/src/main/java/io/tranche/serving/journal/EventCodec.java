package io.tranche.serving.journal;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;

/// Events as bytes. The first byte is the kind; kinds that older versions wrote are still read.
public final class EventCodec {

  static final int DAY_OPENED = 1;
  static final int BAR_TAKEN = 2;
  static final int ORDER_OPENED = 3;
  static final int DECIDED = 4;
  static final int FILLED = 5;
  static final int CANCELLED = 6;
  static final int DAY_ENDED = 7;
  static final int SWITCHED = 8;
  static final int MODEL_LOADED = 9;
  static final int MODEL_UNLOADED = 10;
  static final int ROUTED = 11;
  static final int HEADING = 12;
  static final int FILLED_STEP = 13;
  static final int DAY_OPENED_HOURS = 14;
  static final int HEADING_ENDS = 15; // kind 12, of version 1, has numbers of segments only
  static final int WITHDRAWN = 20;
  static final int ORDER_OPENED_MARKET = 21;
  static final int DECIDED_WISH = 22;
  static final int ORDER_OPENED_ACCOUNT = 23;
  static final int REPORTED = 24;
  static final int AMENDED = 25;
  static final int FILL_CORRECTED = 26;
  static final int BAR_CORRECTED = 27;
  static final int REFERENCED = 28;
  static final int HALTED = 29;
  static final int LIMITS_SET = 30;
  static final int UNMATCHED = 31;
  static final int HEARTBEAT_SET = 32;
  static final int HEADING_LIMITS = 33;
  static final int STARTED = 34;
  static final int ORDER_OPENED_REPLACING = 35;

  private EventCodec() {}

  public static byte[] write(Event event) {
    var bytes = new ByteArrayOutputStream(128);
    try (var out = new DataOutputStream(bytes)) {
      EventWriter.write(event, out);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory must not fail", e);
    }
    return bytes.toByteArray();
  }

  /// Reads what [#write] wrote.
  ///
  /// @throws IOException with a readable message if the bytes are something else
  static Event read(byte[] bytes) throws IOException {
    return read(new EventReader(), new EventInput(bytes, 0, bytes.length));
  }

  /// As [#read(byte[])], one of many events.
  static Event read(EventReader reader, EventInput in) throws IOException {
    try {
      Event event = reader.read(in);
      if (in.available() > 0) {
        throw new IOException("event must end, was %d bytes more".formatted(in.available()));
      }
      return event;
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}

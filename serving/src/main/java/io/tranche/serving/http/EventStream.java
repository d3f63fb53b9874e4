package io.tranche.serving.http;

import io.tranche.serving.journal.EventFeed;
import io.tranche.serving.journal.EventRow;
import io.tranche.serving.journal.JournalHistory;
import io.tranche.serving.wire.EventForm;
import java.io.ByteArrayOutputStream;
import java.util.List;

/// Where one reader of the stream of events is. It holds no events, so a slow reader costs nothing
/// but what its connection has buffered. Only the connection's thread may call it.
final class EventStream {

  private static final int CHUNK_EVENTS = 256;
  private static final int CHUNK_BYTES = 32 << 10;

  private final EventFeed feed;
  private final EventForm form;
  private long position;
  private boolean hasBegun;
  private boolean isOver;

  /// @param after the number of the last event that the reader has
  EventStream(EventFeed feed, EventForm form, long after) {
    this.feed = feed;
    this.form = form;
    this.position = after;
  }

  EventFeed feed() {
    return feed;
  }

  EventForm form() {
    return form;
  }

  /// Returns the next bytes to send, empty if the reader has everything.
  byte[] next() {
    if (isOver) {
      return new byte[0];
    }
    var bytes = new ByteArrayOutputStream(1 << 10);
    if (!hasBegun) {
      hasBegun = true;
      bytes.writeBytes(form.position(position));
    }
    List<JournalHistory.Entry> entries = feed.after(position, CHUNK_EVENTS);
    if (entries == null) {
      isOver = true;
      bytes.writeBytes(form.gone(position));
      return bytes.toByteArray();
    }
    for (JournalHistory.Entry each : entries) {
      bytes.writeBytes(form.event(EventRow.of(each)));
      position = each.sequence();
      if (bytes.size() >= CHUNK_BYTES) {
        break;
      }
    }
    return bytes.toByteArray();
  }

  /// Returns what tells the reader that the service is alive.
  byte[] alive() {
    return form.position(position);
  }

  /// Whether the reader was too slow and gets no more.
  boolean isOver() {
    return isOver;
  }
}

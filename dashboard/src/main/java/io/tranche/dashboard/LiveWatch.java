package io.tranche.dashboard;

import io.tranche.dashboard.http.LiveMessages;
import io.tranche.dashboard.runs.RunEntry;
import io.tranche.dashboard.runs.RunList;
import io.tranche.market.DataException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.json.JsonMapper;

/// Looks at the runs while pages are open, and tells them which have changed.
final class LiveWatch implements AutoCloseable {

  private static final long EVERY_MILLIS = 1_000;

  private final RunList runs;
  private final LiveMessages live;
  private final Thread thread = new Thread(this::watch, "dashboard-watch");
  private Map<String, RunEntry> before = Map.of();

  LiveWatch(RunList runs, LiveMessages live) {
    this.runs = runs;
    this.live = live;
    thread.setDaemon(true);
  }

  LiveWatch start() {
    thread.start();
    return this;
  }

  private void watch() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        if (live.hasReaders()) {
          look();
        }
        TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
      }
    } catch (InterruptedException _) {
      // The dashboard is being closed.
    }
  }

  private void look() {
    Map<String, RunEntry> now;
    try {
      now = runs.look();
    } catch (DataException _) {
      now = Map.of(); // the folder is gone; the page's next question is answered with a sentence
    }
    var changed = new ArrayList<String>();
    var all = new TreeMap<String, RunEntry>(before);
    all.putAll(now);
    for (String id : all.keySet()) {
      if (!now.containsKey(id) || !now.get(id).equals(before.get(id))) {
        changed.add(id);
      }
    }
    before = now;
    if (!changed.isEmpty()) {
      live.send(JsonMapper.shared().writeValueAsString(Map.of("changed", List.copyOf(changed))));
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}

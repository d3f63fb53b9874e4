package io.tranche.market.store;

import io.tranche.market.DataException;
import io.tranche.market.Session;
import io.tranche.market.session.StatedSessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// The sessions of a store's instruments: a file beside the calendar, which Qlib does not read.
/// Each line has a code, or `*` for all, a tab and the session.
final class StoreSessions {

  private static final String ALL = "*";

  private StoreSessions() {}

  static StatedSessions read(Path file) {
    var sessions = new LinkedHashMap<String, Session>();
    if (Files.exists(file)) {
      for (TextFile.Line line : TextFile.lines(file, "the sessions of a store")) {
        String[] parts = line.text().split("\t", 2);
        try {
          sessions.put(parts[0], Session.parse(parts[parts.length - 1]));
        } catch (IllegalArgumentException e) {
          throw new DataException(
              TextFile.where(file, line), "a code, a tab and a session", line.text(), e);
        }
      }
    }
    return new StatedSessions(sessions);
  }

  static String text(Map<String, Session> sessions) {
    if (sessions.values().stream().distinct().count() == 1) {
      return ALL + "\t" + sessions.values().iterator().next().text() + "\n";
    }
    var text = new StringBuilder();
    sessions.forEach(
        (code, session) -> text.append(code).append('\t').append(session.text()).append('\n'));
    return text.toString();
  }
}

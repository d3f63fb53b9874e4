package io.tranche.market.session;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.market.Session;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Sessions that a configuration states: one for all instruments, or one for each pattern.
///
/// @param byPattern a pattern has `*` for any text and `?` for any character; the first that
///   matches an instrument counts
public record StatedSessions(SequencedMap<String, Session> byPattern) {

  public static final StatedSessions NONE = new StatedSessions(new LinkedHashMap<>());

  private static final String ANY = "*";

  public StatedSessions {
    byPattern = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(byPattern));
  }

  /// States one session for all instruments; null states none.
  public static StatedSessions of(@Nullable Session session) {
    return session == null ? NONE : new StatedSessions(new LinkedHashMap<>(Map.of(ANY, session)));
  }

  /// Reads the text or the list of segments of one session, or a mapping from patterns to such.
  ///
  /// @throws ConfigException if a value is no session
  public static StatedSessions from(ConfigNode node) {
    var sessions = new LinkedHashMap<String, Session>();
    if (node.isMapping()) {
      node.keys().forEach(pattern -> sessions.put(pattern, session(node.required(pattern))));
    } else {
      sessions.put(ANY, session(node));
    }
    return new StatedSessions(sessions);
  }

  private static Session session(ConfigNode node) {
    String text = node.isList() ? String.join(", ", node.asTexts()) : node.asText();
    try {
      return Session.parse(text);
    } catch (IllegalArgumentException _) {
      throw new ConfigException(
          node.where(),
          "one of %s or segments such as 09:30-11:30, 13:00-15:00".formatted(Session.names()),
          "'" + text + "'");
    }
  }

  /// Returns what [#from] reads: a text, or texts by pattern; null if nothing is stated.
  public @Nullable Object toConfig() {
    if (byPattern.isEmpty()) {
      return null;
    }
    if (List.copyOf(byPattern.keySet()).equals(List.of(ANY))) {
      return byPattern.firstEntry().getValue().text();
    }
    var texts = new LinkedHashMap<String, String>();
    byPattern.forEach((pattern, session) -> texts.put(pattern, session.text()));
    return texts;
  }

  public boolean isEmpty() {
    return byPattern.isEmpty();
  }

  /// Returns the session of `instrument`; null if none is stated for it.
  public @Nullable Session of(String instrument) {
    for (Map.Entry<String, Session> entry : byPattern.entrySet()) {
      if (matches(entry.getKey(), instrument)) {
        return entry.getValue();
      }
    }
    return null;
  }

  /// Returns the session that is stated for all instruments alike; null if none is.
  public @Nullable Session forAll() {
    return byPattern.size() == 1 ? byPattern.get(ANY) : null;
  }

  private static boolean matches(String pattern, String instrument) {
    String regex = Pattern.quote(pattern).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q");
    return instrument.matches(regex);
  }
}

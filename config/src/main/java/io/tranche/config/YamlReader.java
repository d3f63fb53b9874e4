package io.tranche.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.common.SpecVersion;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/// Reads one YAML document into a [Tree], straight from the parser's events: no object is ever
/// constructed. Accepts only the two tags that Qlib's own files have, `!!str` and `!!python/tuple`.
///
/// Nesting and size are bounded as if every alias were expanded, so code that walks the tree needs
/// no limits of its own.
final class YamlReader {

  static final int MAX_CHARACTERS = 1 << 20;
  static final int MAX_DEPTH = 64;

  /// YAML's own limit for keys before a colon.
  private static final int MAX_KEY = 1024;

  /// The largest weight of a tree: its characters, and [#NODE_WEIGHT] for each node.
  private static final int MAX_WEIGHT = 4 << 20;

  private static final int NODE_WEIGHT = 8;

  private static final String TEXT = "tag:yaml.org,2002:str";
  private static final String TUPLE = "tag:yaml.org,2002:python/tuple";

  private final String file;
  private final Iterator<Event> events;
  private final Map<Anchor, Tree> anchors = new HashMap<>();
  private int weight;
  private int depth;

  private YamlReader(String file, String text) {
    this.file = file;
    // One buffer for the whole text: for each further one, the engine copies its lookahead.
    var settings =
        LoadSettings.builder()
            .setCodePointLimit(MAX_CHARACTERS)
            .setBufferSize(text.length() + 16)
            .build();
    this.events = new ParserImpl(settings, new StreamReader(settings, text));
  }

  /// Returns the tree of `text`; an empty document is a null.
  ///
  /// @param file the name of the text in errors
  static Tree read(String file, String text) {
    if (text.length() > MAX_CHARACTERS) {
      throw new ConfigException(file, "at most " + MAX_CHARACTERS + " characters", text.length());
    }
    try {
      return new YamlReader(file, text).document();
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(0);
      throw new ConfigException(
          new Origin(file, line).at(""), "YAML", Tree.line(e.getProblem(), 200));
    } catch (YamlEngineException | NumberFormatException e) {
      // The engine (3.2) parses the number of an escape such as \Ue0001f60 as a Java int.
      throw new ConfigException(file, "YAML", Tree.line(String.valueOf(e.getMessage()), 200));
    }
  }

  private Tree document() {
    events.next(); // the start of the stream
    if (!(events.next() instanceof DocumentStartEvent start)) {
      return new Tree.Scalar(null, new Origin(file, 0));
    }
    Optional<SpecVersion> version = start.getSpecVersion();
    if (version.isPresent() && version.get().getMinor() < 2) {
      // In YAML 1.1 the same text means something else: yes is true and 010 is eight.
      throw wrong(start, "YAML 1.2", version.get().getRepresentation());
    }
    Tree tree = node(events.next());
    events.next(); // the end of the document
    if (events.next() instanceof DocumentStartEvent second) {
      throw wrong(second, "one document", "a second");
    }
    return tree;
  }

  private Tree node(Event event) {
    return switch (event) {
      case AliasEvent alias -> aliased(alias);
      case ScalarEvent scalar -> scalar(scalar);
      case SequenceStartEvent start -> sequence(start);
      case MappingStartEvent start -> mapping(start);
      default -> throw new IllegalStateException("a node must begin here, was " + event);
    };
  }

  private Tree scalar(ScalarEvent event) {
    boolean tagged = isTagged(event, event.getTag(), TEXT);
    String text = event.getValue();
    weigh(event, text.length());
    Origin origin = origin(event);
    Object value = event.isPlain() && !tagged ? YamlScalars.resolve(text, origin) : text;
    return anchored(event.getAnchor(), new Tree.Scalar(value, origin));
  }

  private Tree sequence(SequenceStartEvent start) {
    boolean tuple = isTagged(start, start.getTag(), TUPLE);
    descend(start);
    var items = new ArrayList<Tree>();
    for (Event event = events.next();
        event.getEventId() != Event.ID.SequenceEnd;
        event = events.next()) {
      items.add(node(event));
    }
    depth--;
    return anchored(start.getAnchor(), new Tree.Sequence(items, tuple, origin(start)));
  }

  private Tree mapping(MappingStartEvent start) {
    isTagged(start, start.getTag(), "");
    descend(start);
    var entries = new LinkedHashMap<String, Tree>();
    var inherited = new LinkedHashMap<String, Tree>();
    for (Event event = events.next();
        event.getEventId() != Event.ID.MappingEnd;
        event = events.next()) {
      String key = key(event);
      if (key.equals("<<") && ((ScalarEvent) event).isPlain()) {
        inherit(event, node(events.next()), inherited);
      } else if (entries.containsKey(key)) {
        throw wrong(event, "each key once", Tree.quote(key) + " twice");
      } else {
        entries.put(key, node(events.next()));
      }
    }
    depth--;
    inherited.forEach(entries::putIfAbsent);
    return anchored(start.getAnchor(), new Tree.Mapping(entries, origin(start)));
  }

  private String key(Event event) {
    if (!(event instanceof ScalarEvent scalar) || scalar.getValue().isEmpty()) {
      throw wrong(event, "a name as the key", "none");
    }
    if (scalar.getValue().length() > MAX_KEY) {
      throw wrong(event, "keys of at most " + MAX_KEY + " characters", "a longer one");
    }
    isTagged(event, scalar.getTag(), TEXT);
    weigh(event, scalar.getValue().length());
    anchored(scalar.getAnchor(), new Tree.Scalar(scalar.getValue(), origin(event)));
    return scalar.getValue();
  }

  /// Merges the mappings that a `<<` entry names; earlier ones win.
  private void inherit(Event at, Tree from, Map<String, Tree> inherited) {
    List<Tree> parents = from instanceof Tree.Sequence sequence ? sequence.items() : List.of(from);
    for (Tree parent : parents) {
      if (!(parent instanceof Tree.Mapping mapping)) {
        throw wrong(at, "a mapping or a list of mappings after <<", parent.describe());
      }
      mapping.entries().forEach(inherited::putIfAbsent);
    }
  }

  private Tree anchored(Optional<Anchor> anchor, Tree tree) {
    anchor.ifPresent(name -> anchors.put(name, tree));
    return tree;
  }

  private Tree aliased(AliasEvent alias) {
    // An anchor is known once its node is complete, so a node cannot contain itself.
    Tree tree = anchors.get(alias.getAlias());
    if (tree == null) {
      throw wrong(alias, "an anchor defined before", Tree.quote("*" + alias.getAlias()));
    }
    weighAgain(alias, tree);
    return tree;
  }

  private void weighAgain(AliasEvent alias, Tree tree) {
    switch (tree) {
      case Tree.Scalar scalar -> weigh(alias, String.valueOf(scalar.value()).length());
      case Tree.Sequence sequence -> {
        descend(alias);
        sequence.items().forEach(item -> weighAgain(alias, item));
        depth--;
      }
      case Tree.Mapping mapping -> {
        descend(alias);
        mapping
            .entries()
            .forEach(
                (key, value) -> {
                  weigh(alias, key.length());
                  weighAgain(alias, value);
                });
        depth--;
      }
    }
  }

  private void weigh(Event event, int characters) {
    weight += NODE_WEIGHT + characters;
    if (weight > MAX_WEIGHT) {
      throw wrong(event, "a smaller document, aliases written out", "more than " + MAX_WEIGHT);
    }
  }

  private void descend(Event event) {
    weigh(event, 0);
    if (++depth > MAX_DEPTH) {
      throw wrong(event, "at most " + MAX_DEPTH + " levels", "a deeper nesting");
    }
  }

  /// Whether the tag is `known`; there may be none.
  private boolean isTagged(Event event, Optional<String> tag, String known) {
    if (tag.isPresent() && !tag.get().equals(known)) {
      throw wrong(event, "no tag", Tree.quote(tag.get()));
    }
    return tag.isPresent();
  }

  private ConfigException wrong(Event event, String expected, Object found) {
    return new ConfigException(origin(event).at(""), expected, found);
  }

  private Origin origin(Event event) {
    return new Origin(file, event.getStartMark().map(Mark::getLine).orElse(-1) + 1);
  }
}

package io.tranche.market.store;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// The instruments files of a store: code, start and end, separated by tabs, one line per span.
final class StoreInstruments {

  private StoreInstruments() {}

  /// Returns the spans of each code, codes and spans in the order of the file.
  static SequencedMap<String, List<Span>> read(Path file) {
    var spans = new LinkedHashMap<String, List<Span>>();
    String expected = "instruments, with a code, a start and an end on each line";
    for (TextFile.Line line : TextFile.lines(file, expected)) {
      String[] parts = line.text().split("\t", -1);
      if (parts.length < 3 || parts[0].isBlank()) {
        throw new DataException(
            TextFile.where(file, line),
            "code, start and end separated by tabs",
            "'" + line.text() + "'");
      }
      long start = TextFile.time(file, line, parts[1]);
      long end = TextFile.time(file, line, parts[2]);
      if (end < start) {
        throw new DataException(
            TextFile.where(file, line), "an end not before " + parts[1], parts[2]);
      }
      spans.computeIfAbsent(parts[0], _ -> new ArrayList<>()).add(new Span(start, end));
    }
    spans.replaceAll((_, list) -> List.copyOf(list));
    return Collections.unmodifiableSequencedMap(spans);
  }

  /// Returns the parts of the spans within `start` to `end`; instruments without any are left out.
  static SequencedMap<String, List<Span>> within(
      Map<String, List<Span>> instruments, long start, long end) {
    var clipped = new LinkedHashMap<String, List<Span>>();
    instruments.forEach(
        (code, spans) -> {
          List<Span> kept =
              spans.stream()
                  .filter(span -> span.start() <= end && span.end() >= start)
                  .map(span -> new Span(Math.max(start, span.start()), Math.min(end, span.end())))
                  .toList();
          if (!kept.isEmpty()) {
            clipped.put(code, kept);
          }
        });
    return Collections.unmodifiableSequencedMap(clipped);
  }

  static String format(long time) {
    return BarTime.secondOfDay(time) == 0 ? BarTime.date(time).toString() : BarTime.format(time);
  }
}

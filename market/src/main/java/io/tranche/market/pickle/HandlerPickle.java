package io.tranche.market.pickle;

import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.market.pickle.PickleValue.Dict;
import io.tranche.market.pickle.PickleValue.PickledObject;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A file that Qlib's `gen_pickle_data.py` writes: the dataset of one stock with its handler and
/// the frame that the handler serves. Qlib: `DatasetH`, `HighFreqGeneralHandler`,
/// `HighFreqGeneralBacktestHandler`.
///
/// @param handler the dotted class name of the handler
/// @param dayLength bars per day
/// @param columns the price fields it was made for, with dollar signs
/// @param frequency of its bars, such as `5min`
/// @param expressions of the frame's columns
/// @param names of the frame's columns, one per expression
/// @param segments of the dataset, in order
/// @param frame instrument, datetime, then the columns
public record HandlerPickle(
    String handler,
    int dayLength,
    List<String> columns,
    String frequency,
    List<String> expressions,
    List<String> names,
    List<Segment> segments,
    Table frame) {

  private static final String DATASET = "qlib.data.dataset.DatasetH";

  /// A named span of dates, both ends as the file spells them.
  public record Segment(String name, String start, String end) {}

  public HandlerPickle {
    columns = List.copyOf(columns);
    expressions = List.copyOf(expressions);
    names = List.copyOf(names);
    segments = List.copyOf(segments);
  }

  /// @throws DataException if the file is missing, damaged or not a handler pickle
  public static HandlerPickle read(Path file) {
    ByteBuffer bytes = PickleReader.contents(file);
    String where = file.toString();
    return of(where, bytes.remaining(), PickleReader.read(where, bytes, _ -> null));
  }

  static boolean isHandlerPickle(PickleValue value) {
    return value instanceof PickledObject object && object.type().equals(DATASET);
  }

  static HandlerPickle of(String where, int fileBytes, PickleValue value) {
    var source = new PickleSource(where);
    PickledObject dataset = source.object(value, DATASET);
    PickledObject handler = object(source, dataset, "handler");
    boolean features =
        switch (handler.type()) {
          case "qlib.contrib.data.highfreq_handler.HighFreqGeneralHandler" -> true;
          case "qlib.contrib.data.highfreq_handler.HighFreqGeneralBacktestHandler" -> false;
          default -> throw source.unexpected(handler, "a high-frequency handler of Qlib");
        };
    PickledObject loader = object(source, handler, "data_loader");
    List<PickleValue> fields = source.items(loader, source.field(loader, "fields"));
    if (fields.size() != 2) {
      throw source.bad(loader, "expressions and names", fields.size());
    }
    long dayLength = source.integer(handler, source.field(handler, "day_length"));
    if (dayLength <= 0 || dayLength > 86_400) {
      throw source.bad(handler, "a number of bars per day", dayLength);
    }
    Table frame =
        new PandasFrames(where, fileBytes)
            .table(source.field(handler, features ? "_infer" : "_data"));
    if (!(frame.column("instrument") instanceof Table.Texts)
        || !(frame.column("datetime") instanceof Table.Times)) {
      throw source.bad(handler, "a frame by instrument and datetime", frame);
    }
    return new HandlerPickle(
        handler.type(),
        (int) dayLength,
        texts(source, handler, source.field(handler, "columns")),
        source.text(loader, source.field(loader, "freq")),
        texts(source, loader, fields.get(0)),
        texts(source, loader, fields.get(1)),
        segments(source, dataset),
        frame);
  }

  private static PickledObject object(PickleSource source, PickledObject owner, String field) {
    PickleValue value = source.field(owner, field);
    if (value instanceof PickledObject object) {
      return object;
    }
    throw source.bad(owner, "an object as " + field, value);
  }

  private static List<String> texts(PickleSource source, PickledObject owner, PickleValue value) {
    var texts = new ArrayList<String>();
    for (PickleValue item : source.items(owner, value)) {
      texts.add(source.text(owner, item));
    }
    return texts;
  }

  private static List<Segment> segments(PickleSource source, PickledObject dataset) {
    PickleValue value = source.field(dataset, "segments");
    if (!(value instanceof Dict dict)) {
      throw source.bad(dataset, "a dict of segments", value);
    }
    var segments = new ArrayList<Segment>();
    for (var entry : dict.entries()) {
      List<String> span = texts(source, dataset, entry.getValue());
      if (span.size() != 2) {
        throw source.bad(dataset, "a start and an end of a segment", span.size());
      }
      segments.add(
          new Segment(source.text(dataset, entry.getKey()), span.getFirst(), span.getLast()));
    }
    return segments;
  }
}

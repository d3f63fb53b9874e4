package io.tranche.market.pickle;

import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.market.pickle.PickleValue.Bool;
import io.tranche.market.pickle.PickleValue.Dict;
import io.tranche.market.pickle.PickleValue.PickledObject;
import io.tranche.market.pickle.PickleValue.Text;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

  /// The handler of features.
  public static final String FEATURES = "qlib.contrib.data.highfreq_handler.HighFreqGeneralHandler";

  /// The handler of the columns that a backtest trades against.
  public static final String PRICES =
      "qlib.contrib.data.highfreq_handler.HighFreqGeneralBacktestHandler";

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

  /// Writes the file that Qlib would have written; it becomes visible when it is complete.
  ///
  /// @param groups the columns that Qlib's processor `HighFreqNorm` normalises together; empty for
  ///   the columns that a backtest trades against
  public void write(Path file, Map<String, Integer> groups) throws IOException {
    PickleValue start = new Text(segments.getFirst().start());
    PickleValue end = new Text(segments.getLast().end());
    boolean features = !groups.isEmpty();
    var state = new LinkedHashMap<String, PickleValue>();
    state.put("day_length", PickledFrames.integer(dayLength));
    state.put("columns", list(columns));
    if (features) {
      state.put("infer_processors", PickledFrames.list(normaliser(groups)));
      state.put("learn_processors", PickledFrames.list());
      state.put("shared_processors", PickledFrames.list());
      state.put("process_type", new Text("append"));
      state.put("drop_raw", Bool.TRUE);
    }
    state.put("data_loader", loader(start, end));
    state.put("instruments", list(instruments()));
    state.put("start_time", start);
    state.put("end_time", end);
    state.put("fetch_orig", Bool.TRUE);
    PickledObject rows = PickledFrames.of(frame);
    if (features) {
      state.put("_infer", rows);
      state.put("_learn", rows);
    } else {
      state.put("_data", rows);
    }
    state.put("_dump_all", Bool.TRUE);
    var spans = new LinkedHashMap<String, PickleValue>();
    segments.forEach(
        each ->
            spans.put(
                each.name(), PickledFrames.tuple(new Text(each.start()), new Text(each.end()))));
    PickledObject dataset =
        made(
            DATASET,
            PickledFrames.dict(
                "handler", made(handler, PickledFrames.dict(state)),
                "segments", PickledFrames.dict(spans),
                "fetch_kwargs", PickledFrames.dict(),
                "_dump_all", Bool.TRUE));
    PickleFileWriter.write(file, dataset);
  }

  private List<String> instruments() {
    return frame.column("instrument") instanceof Table.Texts codes
        ? List.of(codes.distinct())
        : List.of();
  }

  private PickledObject normaliser(Map<String, Integer> groups) {
    var sizes = new LinkedHashMap<String, PickleValue>();
    groups.forEach((name, size) -> sizes.put(name, PickledFrames.integer(size)));
    return made(
        "qlib.contrib.data.highfreq_processor.HighFreqNorm",
        PickledFrames.dict(
            "fit_start_time", new Text(segments.getFirst().start()),
            "fit_end_time", new Text(segments.getFirst().end()),
            "feature_save_dir", new Text("./stat/"),
            "norm_groups", PickledFrames.dict(sizes)));
  }

  private PickledObject loader(PickleValue start, PickleValue end) {
    Dict range =
        PickledFrames.dict(
            "class", new Text("TimeRangeFlt"),
            "module_path", new Text("qlib.data.dataset.processor"),
            "kwargs",
                PickledFrames.dict(
                    "start_time", start, "end_time", end, "freq", new Text(frequency)));
    return made(
        "qlib.data.dataset.loader.QlibDataLoader",
        PickledFrames.dict(
            "filter_pipe",
            PickleValue.None.NONE,
            "swap_level",
            Bool.FALSE,
            "freq",
            new Text(frequency),
            "inst_processors",
            PickledFrames.list(range),
            "is_group",
            Bool.FALSE,
            "fields",
            PickledFrames.tuple(list(expressions), list(names))));
  }

  private static PickledObject made(String type, Dict state) {
    int dot = type.lastIndexOf('.');
    return PickledFrames.made(type.substring(0, dot), type.substring(dot + 1), state);
  }

  private static PickleValue list(List<String> texts) {
    return PickledFrames.list(texts.stream().map(Text::new).toArray(PickleValue[]::new));
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
          case FEATURES -> true;
          case PRICES -> false;
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
    // Qlib writes an empty frame for a stock that its filter drops.
    if (frame.rows() > 0
        && (!(frame.column("instrument") instanceof Table.Texts)
            || !(frame.column("datetime") instanceof Table.Times))) {
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

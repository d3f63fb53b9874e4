package io.tranche.trainer.checkpoint;

import io.tranche.env.space.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Converts the states of log writers to plain values and back.
public final class PlainValues {

  private PlainValues() {}

  /// Returns a tree as maps, lists and leaves; arrays become flat lists.
  public static @Nullable Object of(Value value) {
    return switch (value) {
      case Value.Dict(var entries) -> {
        var map = new LinkedHashMap<String, @Nullable Object>();
        entries.forEach((key, item) -> map.put(key, of(item)));
        yield map;
      }
      case Value.Tuple(var items) -> {
        var list = new ArrayList<@Nullable Object>();
        items.forEach(item -> list.add(of(item)));
        yield list;
      }
      case Value.Plain(var leaf) -> leaf;
      case Value.Floats array -> IntStream.range(0, array.size()).mapToObj(array::at).toList();
      case Value.Integers array -> IntStream.range(0, array.size()).mapToObj(array::at).toList();
    };
  }

  /// Returns maps, lists and leaves as a tree.
  public static Value tree(@Nullable Object plain) {
    return switch (plain) {
      case Value value -> value;
      case Map<?, ?> map -> {
        var entries = new LinkedHashMap<String, Value>();
        map.forEach((key, item) -> entries.put(String.valueOf(key), tree(item)));
        yield new Value.Dict(entries);
      }
      case List<?> list -> new Value.Tuple(list.stream().<Value>map(PlainValues::tree).toList());
      case null, default -> new Value.Plain(plain);
    };
  }
}

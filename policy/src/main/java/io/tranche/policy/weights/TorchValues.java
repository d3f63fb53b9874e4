package io.tranche.policy.weights;

import io.tranche.market.pickle.NumpyScalar;
import io.tranche.market.pickle.PickleValue;
import io.tranche.market.pickle.PickleValue.Bool;
import io.tranche.market.pickle.PickleValue.Dict;
import io.tranche.market.pickle.PickleValue.Int;
import io.tranche.market.pickle.PickleValue.None;
import io.tranche.market.pickle.PickleValue.PickledObject;
import io.tranche.market.pickle.PickleValue.Real;
import io.tranche.market.pickle.PickleValue.Sequence;
import io.tranche.market.pickle.PickleValue.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Turns torch's pickles into plain values and state dicts.
final class TorchValues {

  // A pickle may contain itself, or the same list a million times; a trainer's checkpoint does not.
  private static final int MAX_DEPTH = 50;
  private static final int MAX_VALUES = 1_000_000;
  private static final int LETTERS_A_VALUE = 64;

  private final String where;
  private final TorchTensors tensors;
  private long values;

  TorchValues(TorchArchive archive) throws IOException {
    this.where = archive.where("data.pkl");
    this.tensors = new TorchTensors(archive);
  }

  /// Returns the policy's tensors: from a trainer's checkpoint, or the whole file.
  StateDict policy(PickleValue root) throws IOException {
    PickleValue vessel = find(root, "vessel");
    if (vessel == null) {
      return stateDict(dict(root));
    }
    PickleValue policy = find(vessel, "policy");
    if (policy == null) {
      throw new CheckpointException(where, "a policy in the vessel", vessel);
    }
    return stateDict(dict(policy));
  }

  private @Nullable PickleValue find(PickleValue dict, String key) {
    PickleValue found = null;
    for (var entry : dict(dict)) {
      if (entry.getKey() instanceof Text(String text) && text.equals(key)) {
        found = entry.getValue(); // as in Python, the last value counts
      }
    }
    return found;
  }

  private StateDict stateDict(List<Map.Entry<PickleValue, PickleValue>> entries)
      throws IOException {
    var named = new LinkedHashMap<String, Tensor>();
    for (var entry : entries) {
      if (!(entry.getKey() instanceof Text(String name))) {
        throw new CheckpointException(where, "names of tensors", entry.getKey());
      }
      if (!TorchTensors.isTensor(entry.getValue())) {
        throw new CheckpointException(where, "a tensor " + name, entry.getValue());
      }
      named.put(name, tensors.tensor(entry.getValue()));
    }
    return new StateDict(named);
  }

  private List<Map.Entry<PickleValue, PickleValue>> dict(PickleValue value) {
    var entries = entries(value);
    if (entries == null) {
      throw new CheckpointException(where, "a dict", value);
    }
    return entries;
  }

  /// Returns the entries of any kind of dict, or null if `value` is none.
  private static @Nullable List<Map.Entry<PickleValue, PickleValue>> entries(PickleValue value) {
    Dict dict;
    if (value instanceof PickledObject object) {
      boolean ordered = object.type().equals("collections.OrderedDict");
      if (!(ordered && object.arguments().isEmpty())
          && !object.type().equals("collections.defaultdict")) {
        return null;
      }
      dict = object.entries();
    } else if (value instanceof Dict plain) {
      dict = plain;
    } else {
      return null;
    }
    return dict == null ? List.of() : dict.entries();
  }

  /// Returns a value as `null`, Boolean, Long, Double, String, List (also for tuples and sets),
  /// Map, [Tensor], [StateDict] where all values of a dict are tensors, or [TorchFile.Opaque].
  @Nullable Object plain(PickleValue value) throws IOException {
    return plain(value, 0);
  }

  private @Nullable Object plain(PickleValue value, int depth) throws IOException {
    spend(1, depth);
    var entries = entries(value);
    if (entries != null) {
      return map(entries, depth);
    }
    return switch (value) {
      case None _ -> null;
      case Bool(boolean truth) -> truth;
      case Int(long number) -> number;
      case Real(double number) -> number;
      case Text(String text) -> text;
      case Sequence sequence -> list(sequence.items(), depth);
      case PickledObject object when TorchTensors.isTensor(object) -> tensors.tensor(object);
      case PickledObject object when NumpyScalar.isScalar(object) ->
          plain(NumpyScalar.value(where, object), depth);
      case PickledObject object
          when object.type().equals("builtins.set")
              && object.arguments().size() == 1
              && object.arguments().getFirst() instanceof Sequence sequence ->
          list(sequence.items(), depth);
      default -> {
        String description = value.toString();
        spend(description.length() / LETTERS_A_VALUE, depth);
        yield new TorchFile.Opaque(description);
      }
    };
  }

  private void spend(int count, int depth) {
    values += count;
    if (depth > MAX_DEPTH || values > MAX_VALUES) {
      throw new CheckpointException(
          where, "at most %d values, at most %d deep".formatted(MAX_VALUES, MAX_DEPTH), "more");
    }
  }

  private List<@Nullable Object> list(List<PickleValue> items, int depth) throws IOException {
    var list = new ArrayList<@Nullable Object>();
    for (PickleValue item : items) {
      list.add(plain(item, depth + 1));
    }
    return list;
  }

  private Object map(List<Map.Entry<PickleValue, PickleValue>> entries, int depth)
      throws IOException {
    if (!entries.isEmpty()
        && entries.stream().allMatch(entry -> TorchTensors.isTensor(entry.getValue()))) {
      spend(entries.size(), depth);
      return stateDict(entries);
    }
    Map<Object, @Nullable Object> map = new LinkedHashMap<>();
    for (var entry : entries) {
      Object key = plain(entry.getKey(), depth + 1);
      if (!(key instanceof String || key instanceof Long)) {
        throw new CheckpointException(where, "texts or integers as keys", entry.getKey());
      }
      map.put(key, plain(entry.getValue(), depth + 1));
    }
    return map;
  }
}

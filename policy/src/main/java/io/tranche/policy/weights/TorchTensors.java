package io.tranche.policy.weights;

import io.tranche.market.pickle.PickleValue;
import io.tranche.market.pickle.PickleValue.Dict;
import io.tranche.market.pickle.PickleValue.Global;
import io.tranche.market.pickle.PickleValue.Int;
import io.tranche.market.pickle.PickleValue.PickledObject;
import io.tranche.market.pickle.PickleValue.Sequence;
import io.tranche.market.pickle.PickleValue.Text;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Rebuilds tensors from torch's pickled calls: a storage viewed through an offset, a shape and
/// strides.
///
/// Calls for the same view return the same [Tensor], so that shared weights stay shared.
final class TorchTensors {

  private record Storage(String key, ElementType type, int size) {}

  private record Contents(String where, ByteBuffer data) {}

  private record View(Storage storage, int offset, List<Integer> shape, List<Integer> strides) {}

  private final TorchArchive archive;
  private final ByteOrder order;
  private final Map<Storage, Contents> storages = new HashMap<>();
  private final Map<View, Tensor> tensors = new HashMap<>();
  private long bytes; // of all storages
  private long elements; // of all tensors

  TorchTensors(TorchArchive archive) throws IOException {
    this.archive = archive;
    this.order = archive.order();
  }

  static boolean isTensor(PickleValue value) {
    return value instanceof PickledObject object
        && switch (object.type()) {
          case "torch._utils._rebuild_tensor",
              "torch._utils._rebuild_tensor_v2",
              "torch._utils._rebuild_parameter" ->
              true;
          default -> false;
        };
  }

  /// Returns the tensor or parameter that `value` describes.
  Tensor tensor(PickleValue value) throws IOException {
    if (!isTensor(value)) {
      throw new CheckpointException(archive.where("data.pkl"), "a tensor", value);
    }
    var object = (PickledObject) value;
    if (object.type().endsWith("_rebuild_parameter")) { // data, requires_grad, hooks
      PickleValue data = argument(object, 0);
      // Only a tensor: parameters nested in parameters could recurse forever.
      if (data instanceof PickledObject inner && !inner.type().endsWith("_rebuild_parameter")) {
        return tensor(inner);
      }
      throw bad(object, "a tensor in a parameter", data);
    }
    // storage, offset, shape, strides, requires_grad, hooks[, metadata such as a pending sign flip]
    if (object.arguments().size() > 6
        && !(object.arguments().get(6) instanceof Dict metadata && metadata.entries().isEmpty())) {
      throw bad(object, "a tensor without metadata", object.arguments().get(6));
    }
    Storage storage = storage(object, argument(object, 0));
    long offset = integer(object, argument(object, 1));
    List<Integer> shape = integers(object, argument(object, 2));
    List<Integer> strides = integers(object, argument(object, 3));
    if (strides.size() != shape.size()) {
      throw bad(object, "a stride for each of " + shape, strides);
    }
    requireWithin(object, storage, offset, shape, strides);
    var view = new View(storage, (int) offset, shape, strides);
    Tensor known = tensors.get(view);
    if (known != null) {
      return known;
    }
    Tensor tensor = read(object, view);
    tensors.put(view, tensor);
    return tensor;
  }

  private void requireWithin(
      PickledObject at, Storage storage, long offset, List<Integer> shape, List<Integer> strides) {
    boolean within = offset >= 0 && offset <= storage.size();
    if (Shapes.elements(shape) > 0) {
      long last = offset;
      // Stops as soon as it is too large, so that the sum cannot overflow.
      for (int i = 0; i < shape.size() && last < storage.size(); i++) {
        last += (shape.get(i) - 1L) * strides.get(i);
      }
      within &= last < storage.size();
    }
    if (!within) {
      throw bad(
          at,
          "a view within the %d elements of storage %s".formatted(storage.size(), storage.key()),
          "shape %s, strides %s from %d".formatted(shape, strides, offset));
    }
  }

  private Tensor read(PickledObject at, View view) throws IOException {
    Contents contents = contents(view.storage());
    long size = Shapes.elements(view.shape());
    // Strides of zero turn few bytes into many elements. Distinct weights have at most half as many
    // elements as their storages have bytes.
    elements += size;
    if (size > view.storage().size() || elements > bytes) {
      throw bad(at, "tensors that do not overlap", view.shape());
    }
    float[] target = new float[(int) size];
    if (size > 0) {
      gather(view, contents, 0, view.offset(), target, 0);
    }
    return Tensor.owning(view.shape(), target);
  }

  /// Copies the elements spanned by `dimension` and all later ones, from element `from` on, and
  /// returns the end of the filled part of `target`.
  private static int gather(
      View view, Contents contents, int dimension, int from, float[] target, int filled) {
    if (dimension == view.shape().size()) {
      target[filled] = view.storage().type().read(contents.where(), contents.data(), from);
      return filled + 1;
    }
    int end = filled;
    for (int i = 0; i < view.shape().get(dimension); i++) {
      int at = from + i * view.strides().get(dimension);
      end = gather(view, contents, dimension + 1, at, target, end);
    }
    return end;
  }

  private Contents contents(Storage storage) throws IOException {
    Contents known = storages.get(storage);
    if (known != null) {
      return known;
    }
    String name = "data/" + storage.key();
    ByteBuffer data = archive.contents(name).order(order);
    if (data.capacity() != (long) storage.size() * storage.type().bytes()) {
      throw new CheckpointException(
          archive.where(name),
          "%d elements of type %s".formatted(storage.size(), storage.type()),
          data.capacity() + " bytes");
    }
    bytes += data.capacity();
    var contents = new Contents(archive.where(name), data);
    storages.put(storage, contents);
    return contents;
  }

  /// Reads torch's persistent id: "storage", class, key, device, size.
  private Storage storage(PickledObject at, PickleValue id) {
    if (id instanceof Sequence parts
        && parts.items().size() == 5
        && parts.items().get(0) instanceof Text(String kind)
        && kind.equals("storage")
        && parts.items().get(1) instanceof Global(String module, String name)
        && module.equals("torch")
        && parts.items().get(2) instanceof Text(String key)
        && parts.items().get(4) instanceof Int(long size)) {
      ElementType type = ElementType.ofTorch(name);
      if (type == null) {
        throw bad(at, "a storage of float, half, bfloat16, double or long", name);
      }
      if (size < 0 || size > Integer.MAX_VALUE) {
        throw bad(at, "the size of a storage", size);
      }
      return new Storage(key, type, (int) size);
    }
    throw bad(at, "a typed storage", id);
  }

  private PickleValue argument(PickledObject object, int index) {
    if (index >= object.arguments().size()) {
      throw bad(object, "argument %d of %s".formatted(index, object.type()), "none");
    }
    return object.arguments().get(index);
  }

  private long integer(PickledObject at, PickleValue value) {
    if (value instanceof Int(long number)) {
      return number;
    }
    throw bad(at, "an integer", value);
  }

  private List<Integer> integers(PickledObject at, PickleValue value) {
    if (!(value instanceof Sequence sequence && sequence.items().size() <= Shapes.MAX_DIMENSIONS)) {
      throw bad(at, "a tuple of at most %d integers".formatted(Shapes.MAX_DIMENSIONS), value);
    }
    var numbers = new ArrayList<Long>(sequence.items().size());
    for (PickleValue item : sequence.items()) {
      numbers.add(integer(at, item));
    }
    return Shapes.of(place(at), numbers);
  }

  private String place(PickledObject at) {
    return archive.where("data.pkl: byte " + at.offset());
  }

  private CheckpointException bad(PickledObject at, String expected, Object found) {
    return new CheckpointException(place(at), expected, found);
  }
}

package io.tranche.market.pickle;

import io.tranche.market.DataException;
import io.tranche.market.pickle.PickleValue.Bool;
import io.tranche.market.pickle.PickleValue.Int;
import io.tranche.market.pickle.PickleValue.PickledObject;
import io.tranche.market.pickle.PickleValue.Real;

/// A single number in numpy's pickle format.
public final class NumpyScalar {

  private NumpyScalar() {}

  /// Whether `object` is one, as numpy 1 or 2 writes it.
  public static boolean isScalar(PickledObject object) {
    return object.type().equals("numpy.core.multiarray.scalar")
        || object.type().equals("numpy._core.multiarray.scalar");
  }

  /// Returns the Python number or boolean of the same value.
  ///
  /// @param file the name of the source in errors
  /// @throws DataException if it is damaged, a time or an object
  public static PickleValue value(String file, PickledObject object) {
    var source = new PickleSource(file);
    var dtype = NumpyArray.Dtype.of(source, source.argument(object, 0));
    if (dtype.kind() == 'M') {
      throw source.bad(object, "a number", "a time");
    }
    NumpyArray one =
        NumpyArray.ofScalar(
            source, object, dtype, source.bytes(object, source.argument(object, 1)));
    return switch (dtype.kind()) {
      case 'f' -> new Real(dtype.bytes() == 4 ? one.single(0) : one.real(0));
      case 'b' -> one.integer(0) == 0 ? Bool.FALSE : Bool.TRUE;
      default -> new Int(one.integer(0));
    };
  }
}

package io.tranche.env.space;

import io.tranche.env.space.Value.ElementType;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The set of values an observation or action may take: gym's spaces. Sealed, so that the compiler
/// checks that validation and NaN observations handle every kind.
public sealed interface Space {

  /// Qlib's message for a value outside its space.
  String REFUSED = "Validation error reported by gym.";

  /// @throws SpaceException naming the key, the bound and the value
  void validate(Value value);

  /// Hot path: allocates nothing for an action in the space.
  ///
  /// @throws SpaceException naming the bound and the value
  void validate(Action action);

  /// An array whose elements all lie in `[low, high]`. NaN is never in range.
  ///
  /// Arrays must be of a type that fits into `type`; plain numbers, even as texts, and lists of
  /// them are converted. So 1.0 is in a box of 32-bit floats, but a 64-bit array is not.
  ///
  /// @param shape empty for a scalar
  record Box(ElementType type, List<Integer> shape, double low, double high) implements Space {
    public Box {
      shape = List.copyOf(shape);
      low = converted(type, low);
      high = converted(type, high);
      if (!(low <= high)) {
        throw new IllegalArgumentException(
            "low must not exceed high, was %s .. %s".formatted(low, high));
      }
    }

    /// A single number.
    public static Box scalar(ElementType type, double low, double high) {
      return new Box(type, List.of(), low, high);
    }

    @Override
    public void validate(Value value) {
      ArrayCheck.box(this, value);
    }

    @Override
    public void validate(Action action) {
      switch (action) {
        case Action.Continuous(double number) -> validateScalar(number);
        case Action.Discrete(int index) -> validateScalar(index);
        case Action.Vector(var values) -> validateAll(values);
      }
    }

    private void validateScalar(double number) {
      if (!shape.isEmpty()) {
        throw new SpaceException(REFUSED, "", "must have shape " + shape + ", was a scalar");
      }
      if (!contains(number)) {
        throw new SpaceException(REFUSED, "", rule(number));
      }
    }

    private void validateAll(List<Double> values) {
      if (shape.size() != 1 || shape.getFirst() != values.size()) {
        throw new SpaceException(
            REFUSED, "", "must have shape %s, was %s".formatted(shape, values));
      }
      for (int i = 0; i < values.size(); i++) {
        double number = values.get(i);
        if (!contains(number)) {
          throw new SpaceException(REFUSED, "[" + i + "]", rule(number));
        }
      }
    }

    /// Whether `number`, converted to the type of the elements, is within the bounds.
    boolean contains(double number) {
      double converted = converted(type, number);
      return converted >= low && converted <= high;
    }

    private static double converted(ElementType type, double number) {
      return switch (type) {
        case FLOAT32 -> (float) number;
        case FLOAT64 -> number;
        // numpy truncates fractions, and has no integer for NaN.
        case INT8, UINT8, INT32, INT64, BOOL -> number < 0 ? Math.ceil(number) : Math.floor(number);
      };
    }

    String rule(Object was) {
      return "must be in [%s, %s], was %s".formatted(low, high, was);
    }
  }

  /// A whole number from 0 to `count - 1`.
  record Discrete(int count) implements Space {
    public Discrete {
      requirePositive(count);
    }

    @Override
    public void validate(Value value) {
      long index =
          switch (value) {
            case Value.Plain(Long number) -> number;
            case Value.Plain(Boolean truth) -> truth ? 1 : 0;
            case Value.Integers array
                when array.shape().isEmpty() && array.type() != ElementType.BOOL ->
                array.at(0);
            default -> throw new SpaceException(REFUSED, "", rule(ArrayCheck.describe(value)));
          };
      validate(index);
    }

    @Override
    public void validate(Action action) {
      switch (action) {
        case Action.Discrete(int index) -> validate((long) index);
        case Action.Continuous(double number) ->
            throw new SpaceException(REFUSED, "", rule("the real number " + number));
        case Action.Vector(var values) ->
            throw new SpaceException(REFUSED, "", rule("the real numbers " + values));
      }
    }

    private void validate(long index) {
      if (index < 0 || index >= count) {
        throw new SpaceException(REFUSED, "", rule(index));
      }
    }

    private String rule(Object was) {
      return "must be a whole number in [0, %d], was %s".formatted(count - 1, was);
    }
  }

  /// An array of `size` zeros and ones.
  record MultiBinary(int size) implements Space {
    public MultiBinary {
      requirePositive(size);
    }

    @Override
    public void validate(Value value) {
      ArrayCheck.elements(
          value, size, (_, number) -> number == 0 || number == 1, _ -> "must be 0 or 1");
    }

    @Override
    public void validate(Action action) {
      throw new SpaceException(REFUSED, "", "must be %d bits, was %s".formatted(size, action));
    }
  }

  /// An array whose element `i` is from 0 to `counts.get(i) - 1`.
  record MultiDiscrete(List<Integer> counts) implements Space {
    public MultiDiscrete {
      counts = List.copyOf(counts);
      counts.forEach(Space::requirePositive);
    }

    @Override
    public void validate(Value value) {
      ArrayCheck.elements(
          value,
          counts.size(),
          (i, number) -> number >= 0 && number < counts.get(i),
          i -> "must be in [0, %d]".formatted(counts.get(i) - 1));
    }

    @Override
    public void validate(Action action) {
      throw new SpaceException(
          REFUSED, "", "must be %d whole numbers, was %s".formatted(counts.size(), action));
    }
  }

  /// Spaces by name, in alphabetical order as in gym.
  record Dict(Map<String, Space> spaces) implements Space {
    public Dict {
      spaces = Collections.unmodifiableMap(new TreeMap<>(spaces));
    }

    @Override
    public void validate(Value value) {
      if (!(value instanceof Value.Dict(var entries)) || entries.size() != spaces.size()) {
        throw wrongLength(ArrayCheck.describe(value));
      }
      for (var part : spaces.entrySet()) {
        String key = part.getKey();
        Value item = entries.get(key);
        if (item == null) {
          throw new SpaceException(
              "Key " + key + " not found in sample.",
              key,
              "must be present, was a dict of " + entries.keySet());
        }
        try {
          part.getValue().validate(item);
        } catch (SpaceException e) {
          throw new SpaceException("Subspace of key " + key + " validation error.", key, e);
        }
      }
    }

    @Override
    public void validate(Action action) {
      throw wrongLength(action);
    }

    private SpaceException wrongLength(Object was) {
      return new SpaceException(
          "Sample must be a dict with same length as space.",
          "",
          "must be a dict of %s, was %s".formatted(spaces.keySet(), was));
    }
  }

  /// Spaces by position.
  record Tuple(List<Space> spaces) implements Space {
    public Tuple {
      spaces = List.copyOf(spaces);
    }

    @Override
    public void validate(Value value) {
      List<Value> items = ArrayCheck.items(value);
      if (items == null || items.size() != spaces.size()) {
        throw wrongLength(ArrayCheck.describe(value));
      }
      for (int i = 0; i < spaces.size(); i++) {
        try {
          spaces.get(i).validate(items.get(i));
        } catch (SpaceException e) {
          throw new SpaceException(
              "Subspace of index " + i + " validation error.", "[" + i + "]", e);
        }
      }
    }

    @Override
    public void validate(Action action) {
      throw wrongLength(action);
    }

    private SpaceException wrongLength(@Nullable Object was) {
      return new SpaceException(
          "Sample must be a tuple with same length as space.",
          "",
          "must be a tuple of %d, was %s".formatted(spaces.size(), was));
    }
  }

  private static void requirePositive(int count) {
    if (count <= 0) {
      throw new IllegalArgumentException("count must be positive, was " + count);
    }
  }
}

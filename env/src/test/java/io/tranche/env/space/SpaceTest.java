package io.tranche.env.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.env.space.Value.ElementType;
import io.tranche.env.space.Value.Floats;
import io.tranche.env.space.Value.Integers;
import io.tranche.env.space.Value.Plain;
import io.tranche.testkit.Allocation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SpaceTest {

  private static final Space.Box PAIR = new Space.Box(ElementType.FLOAT32, List.of(2), 0, 1);
  private static final Space.Box NUMBER =
      Space.Box.scalar(ElementType.FLOAT32, 0, Double.POSITIVE_INFINITY);
  private static final Space DICT = new Space.Dict(Map.of("a", new Space.Discrete(3), "b", PAIR));
  private static final Space TUPLE =
      new Space.Tuple(List.of(new Space.Discrete(2), new Space.Discrete(3)));

  static Stream<Arguments> inside() {
    return Stream.of(
        Arguments.of(PAIR, floats32(0, 1)),
        Arguments.of(PAIR, new Value.Tuple(List.of(new Plain(0.5), new Plain(1L)))),
        Arguments.of(PAIR, new Integers(ElementType.UINT8, List.of(2), 0, 1)),
        Arguments.of(NUMBER, new Plain(0.5)),
        Arguments.of(NUMBER, new Plain(true)),
        Arguments.of(NUMBER, new Plain(" 1.5e3")),
        Arguments.of(NUMBER, new Plain(Double.POSITIVE_INFINITY)),
        Arguments.of(NUMBER, new Floats(ElementType.FLOAT32, List.of(), 1)),
        Arguments.of(Space.Box.scalar(ElementType.INT32, 0, 3), new Plain(3.9)),
        Arguments.of(new Space.Discrete(5), new Plain(4L)),
        Arguments.of(new Space.Discrete(5), new Plain(true)),
        Arguments.of(new Space.Discrete(5), new Integers(ElementType.INT32, List.of(), 2)),
        Arguments.of(new Space.MultiBinary(2), floats32(1, 0)),
        Arguments.of(
            new Space.MultiDiscrete(List.of(2, 3)),
            new Integers(ElementType.INT64, List.of(2), 1, 2)),
        Arguments.of(DICT, dict("a", new Plain(2L), "b", floats32(0, 0))),
        Arguments.of(TUPLE, new Integers(ElementType.INT64, List.of(2), 1, 2)),
        Arguments.of(TUPLE, new Value.Tuple(List.of(new Plain(1L), new Plain(2L)))),
        Arguments.of(
            new Space.Tuple(List.of(PAIR, PAIR)),
            new Floats(ElementType.FLOAT32, List.of(2, 2), 0, 1, 1, 0)));
  }

  @ParameterizedTest
  @MethodSource
  void inside(Space space, Value value) {
    assertThatCode(() -> space.validate(value)).doesNotThrowAnyException();
  }

  static Stream<Arguments> outside() {
    String gym = "Validation error reported by gym. ";
    return Stream.of(
        Arguments.of(PAIR, floats32(0.5, 1.5), gym + "[1] must be in [0.0, 1.0], was 1.5"),
        Arguments.of(PAIR, floats32(Double.NaN, 0), gym + "[0] must be in [0.0, 1.0], was NaN"),
        Arguments.of(
            PAIR,
            new Floats(ElementType.FLOAT64, List.of(2), 0, 0),
            gym + "sample must fit into FLOAT32, was an array of FLOAT64 of shape [2]"),
        Arguments.of(
            PAIR,
            floats32(0, 0, 0),
            gym + "sample must have shape [2], was an array of FLOAT32 of shape [3]"),
        Arguments.of(
            PAIR,
            new Value.Tuple(List.of(new Plain(0.5), floats32(1))),
            gym + "sample must have items of one shape, was [[], [1]]"),
        Arguments.of(
            NUMBER,
            new Floats(ElementType.FLOAT64, List.of(), 1),
            gym + "sample must fit into FLOAT32, was FLOAT64 1.0"),
        Arguments.of(
            NUMBER,
            new Integers(ElementType.INT32, List.of(), 2),
            gym + "sample must fit into FLOAT32, was INT32 2"),
        Arguments.of(
            NUMBER, new Plain("two"), gym + "sample must be made of numbers, was the text 'two'"),
        Arguments.of(NUMBER, new Plain(null), gym + "sample must be made of numbers, was null"),
        Arguments.of(
            new Space.Discrete(5),
            new Plain(5L),
            gym + "sample must be a whole number in [0, 4], was 5"),
        Arguments.of(
            new Space.Discrete(5),
            new Plain(1.0),
            gym + "sample must be a whole number in [0, 4], was 1.0"),
        Arguments.of(
            new Space.Discrete(5),
            new Integers(ElementType.BOOL, List.of(), 1),
            gym + "sample must be a whole number in [0, 4], was BOOL 1"),
        Arguments.of(new Space.MultiBinary(2), floats32(1, 2), gym + "[1] must be 0 or 1, was 2.0"),
        Arguments.of(
            new Space.MultiDiscrete(List.of(2, 3)),
            new Integers(ElementType.INT64, List.of(2), 1, 3),
            gym + "[1] must be in [0, 2], was 3.0"),
        Arguments.of(
            DICT,
            dict("a", new Plain(1L)),
            "Sample must be a dict with same length as space."
                + " sample must be a dict of [a, b], was a dict of [a]"),
        Arguments.of(
            DICT,
            dict("a", new Plain(1L), "c", floats32(0, 0)),
            "Key b not found in sample. b must be present, was a dict of [a, c]"),
        Arguments.of(
            DICT,
            dict("a", new Plain(1L), "b", floats32(0, 7)),
            "Subspace of key b validation error. " + gym + "b[1] must be in [0.0, 1.0], was 7.0"),
        Arguments.of(
            new Space.Dict(Map.of("x", TUPLE)),
            dict("x", new Value.Tuple(List.of(new Plain(1L), new Plain(9L)))),
            "Subspace of key x validation error. Subspace of index 1 validation error. "
                + gym
                + "x[1] must be a whole number in [0, 2], was 9"),
        Arguments.of(
            TUPLE,
            new Plain(3L),
            "Sample must be a tuple with same length as space."
                + " sample must be a tuple of 2, was 3"));
  }

  @ParameterizedTest
  @MethodSource
  void outside(Space space, Value value, String message) {
    assertThatThrownBy(() -> space.validate(value))
        .isInstanceOf(SpaceException.class)
        .hasMessage(message);
  }

  @Test
  void qlibsOwnWordsCanBeToldApart() {
    assertThatThrownBy(() -> DICT.validate(dict("a", new Plain(9L), "b", floats32(0, 0))))
        .isInstanceOfSatisfying(
            SpaceException.class,
            e -> {
              assertThat(e.summary()).isEqualTo("Subspace of key a validation error.");
              assertThat(e.getCause())
                  .isInstanceOfSatisfying(
                      SpaceException.class,
                      cause -> assertThat(cause.summary()).isEqualTo(Space.REFUSED));
            });
  }

  @Test
  void actionsAreCheckedWithoutAllocating() {
    Space discrete = new Space.Discrete(5);
    var index = new Action.Discrete(4);
    var number = new Action.Continuous(1.5);
    Runnable checks =
        () -> {
          for (int i = 0; i < 10_000; i++) {
            discrete.validate(index);
            NUMBER.validate(number);
            NUMBER.validate(index);
          }
        };

    // The first runs may link call sites; a run that allocates for each item never comes to zero.
    assertThat(Allocation.settledBytesOf(1, checks)).isZero();
  }

  @Test
  void actionsOutsideAreNamed() {
    assertThatThrownBy(() -> new Space.Discrete(5).validate(new Action.Discrete(-1)))
        .hasMessageEndingWith("must be a whole number in [0, 4], was -1");
    assertThatThrownBy(() -> new Space.Discrete(5).validate(new Action.Continuous(1)))
        .hasMessageEndingWith("must be a whole number in [0, 4], was the real number 1.0");
    assertThatThrownBy(() -> NUMBER.validate(new Action.Continuous(-0.1)))
        .hasMessageEndingWith("must be in [0.0, Infinity], was -0.1");
    assertThatThrownBy(() -> NUMBER.validate(new Action.Continuous(Double.NaN)))
        .isInstanceOf(SpaceException.class);
    for (Space space : List.of(PAIR, DICT, TUPLE, new Space.MultiBinary(1))) {
      assertThatThrownBy(() -> space.validate(new Action.Discrete(0)))
          .isInstanceOf(SpaceException.class);
    }
  }

  @Test
  void boundsAreThoseOfTheElementType() {
    // The narrowed bound is below the wide one: gym compares in the type of the box.
    Space box = Space.Box.scalar(ElementType.FLOAT32, -1e-12, 0.1);

    assertThatCode(() -> box.validate(new Plain(0.1))).doesNotThrowAnyException();
    assertThatCode(() -> box.validate(new Plain(-1e-12))).doesNotThrowAnyException();
    assertThatThrownBy(() -> box.validate(new Plain(0.100001))).isInstanceOf(SpaceException.class);
  }

  private static Value floats32(double... data) {
    return new Floats(ElementType.FLOAT32, List.of(data.length), data);
  }

  private static Value dict(String key, Value value) {
    return new Value.Dict(Map.of(key, value));
  }

  private static Value dict(String key, Value value, String other, Value second) {
    var entries = new LinkedHashMap<>(Map.of(key, value));
    entries.put(other, second);
    return new Value.Dict(entries);
  }
}

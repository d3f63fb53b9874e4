package io.tranche.serving.wire;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Names of enum constants on the wire: in lower case.
public final class EnumNames {

  private EnumNames() {}

  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  static <E extends Enum<E>> List<String> of(Class<E> type) {
    return Arrays.stream(type.getEnumConstants()).map(EnumNames::of).toList();
  }
}

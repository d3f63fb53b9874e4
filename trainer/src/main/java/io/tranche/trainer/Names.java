package io.tranche.trainer;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Names for the members of a list; a name that occurs again gets a number.
final class Names {

  private Names() {}

  static <T> Map<String, T> of(List<? extends T> members, Function<? super T, String> name) {
    var named = new LinkedHashMap<String, T>();
    for (T member : members) {
      String own = name.apply(member);
      String free = own;
      for (int i = 1; named.containsKey(free); i++) {
        free = own + i;
      }
      named.put(free, member);
    }
    return Collections.unmodifiableMap(named);
  }
}

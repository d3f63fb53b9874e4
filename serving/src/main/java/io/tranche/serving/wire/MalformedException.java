package io.tranche.serving.wire;

/// A message does not have the agreed form. The exception's message names the place, the rule and
/// the value, and nothing about this machine.
public final class MalformedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /// How many characters of a value are shown to the sender.
  private static final int SHOWN = 40;

  public MalformedException(String where, String expected, Object was) {
    super("%s: expected %s, was %s".formatted(where, expected, shown(was)));
  }

  private static String shown(Object was) {
    String text = String.valueOf(was);
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }
}

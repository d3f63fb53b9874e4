package io.tranche.serving.wire;

/// Something that came over the wire is not what was agreed on. Its message names the place, the
/// rule and the value, and nothing of this machine.
public final class MalformedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /// How much of a value is repeated to whoever sent it.
  private static final int SHOWN = 40;

  public MalformedException(String where, String expected, Object was) {
    super("%s: expected %s, was %s".formatted(where, expected, shown(was)));
  }

  private static String shown(Object was) {
    String text = String.valueOf(was);
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }
}

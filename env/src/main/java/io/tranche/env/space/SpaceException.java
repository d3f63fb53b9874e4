package io.tranche.env.space;

/// A value lies outside its space. Names the key, the bound and the value. Qlib:
/// `GymSpaceValidationError`.
public final class SpaceException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String summary;
  private final String place;
  private final String rule;

  /// @param summary Qlib's message
  /// @param place where in the sample, such as `[2]`; empty for the sample itself
  /// @param rule the rule for that place and the value found
  public SpaceException(String summary, String place, String rule) {
    super(summary + " " + named(place) + " " + rule);
    this.summary = summary;
    this.place = place;
    this.rule = rule;
  }

  /// @param summary Qlib's message for the part of the sample that failed
  /// @param part the key or `[index]` of that part
  /// @param cause the failure of that part
  public SpaceException(String summary, String part, SpaceException cause) {
    String path =
        cause.place.isEmpty() || cause.place.startsWith("[")
            ? part + cause.place
            : part + "." + cause.place;
    this.summary = summary;
    this.place = path;
    this.rule = cause.rule;
    super(summary + " " + cause.summaries() + " " + path + " " + cause.rule, cause);
  }

  private SpaceException(SpaceException told, String where) {
    this.summary = told.summary;
    this.place = told.place;
    this.rule = told.rule;
    super(told.getMessage() + ", at " + where, told.getCause());
  }

  /// Returns this exception with its context, because spaces know neither episodes nor steps.
  public SpaceException at(String where) {
    var complete = new SpaceException(this, where);
    complete.setStackTrace(getStackTrace());
    return complete;
  }

  /// Returns Qlib's message, without our key, bound and value.
  public String summary() {
    return summary;
  }

  private String summaries() {
    return getCause() instanceof SpaceException inner ? summary + " " + inner.summaries() : summary;
  }

  private static String named(String place) {
    return place.isEmpty() ? "sample" : place;
  }
}

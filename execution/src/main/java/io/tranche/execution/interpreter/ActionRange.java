package io.tranche.execution.interpreter;

import io.tranche.env.space.Space;
import io.tranche.env.space.Value.ElementType;
import java.util.List;

/// What the numbers of a continuous action can ask for, and their space, which is wider.
///
/// A squashed output comes to the bounds of its space only at infinity, and the last part of the
/// way hardly pays. "Nothing" and "everything now" must not lie there: agents would always trade a
/// little and keep a little back. So there is room beyond both ends, where an action is that end.
///
/// @param space the range and the room beyond it
record ActionRange(double low, double high, Space space) {

  /// The room beyond each end, as a part of the range.
  private static final double ROOM = 0.25;

  /// @param shape of an action; empty for a single number
  static ActionRange of(double low, double high, Integer... shape) {
    double room = ROOM * (high - low);
    return new ActionRange(
        low, high, new Space.Box(ElementType.FLOAT32, List.of(shape), low - room, high + room));
  }

  /// Numbers from 0 on without an upper end, which agents cannot learn.
  static ActionRange endless(ElementType type) {
    double most = Double.POSITIVE_INFINITY;
    return new ActionRange(0, most, Space.Box.scalar(type, 0, most));
  }

  /// Returns what an action asks for; NaN stays NaN.
  double read(double action) {
    return high == Double.POSITIVE_INFINITY ? action : Math.clamp(action, low, high);
  }
}

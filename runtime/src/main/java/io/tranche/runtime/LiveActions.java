package io.tranche.runtime;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.config.ConfigNode;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.execution.StepProgress;
import io.tranche.execution.interpreter.ContinuousActions;
import io.tranche.execution.interpreter.DiscreteActions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The meaning of a model's actions, which are choices or numbers. Hot path: only [#action]
/// allocates.
///
/// @param space of the actions
/// @param discrete null if actions are numbers
/// @param continuous null if actions are choices
record LiveActions(
    Space space, @Nullable DiscreteActions discrete, @Nullable ContinuousActions continuous) {

  /// Continuous actions are counted in this many equal parts of their range.
  private static final int PARTS = 10;

  /// The choice of an action that is not one.
  static final int NONE = -1;

  /// @param where names the interpreter
  /// @throws io.tranche.config.ConfigException if its actions need a simulator
  static LiveActions of(ActionInterpreter<?, ?> interpreter, ConfigNode where) {
    Space space = interpreter.actionSpace();
    if (interpreter instanceof DiscreteActions choices && choices.choices() > 0) {
      return new LiveActions(space, choices, null);
    }
    if (interpreter instanceof ContinuousActions numbers && numbers.numbers() > 0) {
      return new LiveActions(space, null, numbers);
    }
    throw where.wrong("actions that can be read without a simulator");
  }

  /// Returns the number of choices, 0 if actions are numbers.
  int choices() {
    return discrete == null ? 0 : discrete.choices();
  }

  /// Returns how many numbers an action has, 0 if actions are choices.
  int numbers() {
    return continuous == null ? 0 : continuous.numbers();
  }

  double volume(StepProgress progress, boolean isLast, int choice, float[] numbers) {
    if (discrete != null) {
      return discrete.volume(progress, isLast, choice);
    }
    return continuous == null ? 0 : continuous.volume(progress, isLast, numbers, 0);
  }

  Kind kind(boolean isLast, int choice, float[] numbers) {
    if (discrete != null) {
      return discrete.kind(isLast, choice);
    }
    return continuous == null ? Kind.MARKET : continuous.kind(isLast, numbers, 0);
  }

  Action action(int choice, float[] numbers, int at) {
    if (discrete != null) {
      return new Action.Discrete(choice);
    }
    if (space instanceof Space.Box box && box.shape().isEmpty()) {
      return new Action.Continuous(numbers[at]);
    }
    var values = new ArrayList<Double>();
    for (int i = 0; i < numbers(); i++) {
      values.add((double) numbers[at + i]);
    }
    return new Action.Vector(values);
  }

  /// Returns the number of kinds of actions that statistics tell apart: choices, or parts of the
  /// range of an action's first number.
  int kinds() {
    return discrete == null ? PARTS : discrete.choices();
  }

  /// Returns the kind of an action.
  int kindOf(Action action) {
    return switch (action) {
      case Action.Discrete(int choice) -> choice;
      case Action.Continuous(double value) -> part(value);
      case Action.Vector(var values) -> part(values.getFirst());
    };
  }

  int kindOf(int choice, float[] numbers) {
    return discrete == null ? part(numbers[0]) : choice;
  }

  private int part(double value) {
    return space instanceof Space.Box box
        ? Math.clamp((long) (PARTS * (value - box.low()) / (box.high() - box.low())), 0, PARTS - 1)
        : 0;
  }

  /// Whether two actions are alike: the same choice, or numbers less than a hundredth of their
  /// range apart.
  boolean alike(Action one, Action other) {
    if (!(space instanceof Space.Box box)) {
      return one.equals(other);
    }
    List<Double> first = values(one);
    List<Double> second = values(other);
    for (int i = 0; i < first.size(); i++) {
      if (!(Math.abs(first.get(i) - second.get(i)) < (box.high() - box.low()) / 100)) {
        return false;
      }
    }
    return true;
  }

  private static List<Double> values(Action action) {
    return action instanceof Action.Vector(var values) ? values : List.of(action.number());
  }
}

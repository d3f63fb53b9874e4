package io.tranche.env;

import java.util.function.ToDoubleFunction;

/// A number that is logged besides those of the simulator and the reward, of any problem. Its mean
/// over episodes becomes a metric of training, and log writers receive it. Stateless.
///
/// @param <S> the simulator's state
public interface Metric<S> {

  /// Returns its key in logs.
  String name();

  /// Returns its value after the step that led to `state`.
  double value(S state, EnvContext context);

  /// Whether it is logged at every step instead of only at the end of an episode. The trainer then
  /// averages an episode's steps.
  default boolean isEveryStep() {
    return false;
  }

  static <S> Metric<S> atEnd(String name, ToDoubleFunction<? super S> value) {
    return new OfState<>(name, value, false);
  }

  static <S> Metric<S> everyStep(String name, ToDoubleFunction<? super S> value) {
    return new OfState<>(name, value, true);
  }

  /// A function of the state.
  record OfState<S>(String name, ToDoubleFunction<? super S> of, boolean isEveryStep)
      implements Metric<S> {

    public OfState {
      if (name.isBlank()) {
        throw new IllegalArgumentException("name must not be blank, was '" + name + "'");
      }
    }

    @Override
    public double value(S state, EnvContext context) {
      return of.applyAsDouble(state);
    }
  }
}

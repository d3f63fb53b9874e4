package io.tranche.execution.catalog;

import io.tranche.config.Component;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigNode;
import io.tranche.env.StateInterpreter;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.baseline.DecisionInterpreter;
import io.tranche.execution.interpreter.CurrentStepInterpreter;
import io.tranche.execution.interpreter.DummyInterpreter;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.SidedFeatures;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// State interpreters by name.
final class StateComponents {

  private static final List<String> MODULES =
      List.of("qlib.rl.order_execution.interpreter", "qlib.rl.order_execution");

  private StateComponents() {}

  static List<Component<StateInterpreter<ExecutionState, ?>>> all(
      @Nullable StateDefaults defaults) {
    return new ComponentRows<>(ExecutionCatalog.STATE_INTERPRETER)
        .qlib(
            MODULES,
            "FullHistoryStateInterpreter",
            "all features until now, and what remained after each step",
            StateComponents::qlibFullHistory,
            "max_step data_ticks data_dim processed_data_provider")
        .qlib(
            MODULES,
            "CurrentStepStateInterpreter",
            "the step and what remains, as plain values",
            settings ->
                CurrentStepInterpreter.qlibToTheEnd(settings.required("max_step").asCount()),
            "max_step")
        .qlib(MODULES, "DummyStateInterpreter", "nothing", _ -> new DummyInterpreter(), "")
        .own(
            "FullHistoryInterpreter",
            "all features until now, and what remained after each step",
            settings -> fullHistory(settings, defaults),
            "max_steps ticks dimension features mirror")
        .own(
            "CurrentStepInterpreter",
            "the step and what remains",
            settings ->
                CurrentStepInterpreter.of(
                    count(settings, "max_steps", defaults == null ? null : defaults.maxSteps())),
            "max_steps")
        .own("DummyInterpreter", "nothing", _ -> new DummyInterpreter(), "")
        .own(
            "DecisionInterpreter",
            "what rules such as TWAP may know",
            _ -> new DecisionInterpreter(),
            "")
        .all();
  }

  private static FullHistoryInterpreter qlibFullHistory(ConfigNode settings) {
    int dimension = settings.required("data_dim").asCount();
    return new FullHistoryInterpreter(
        settings.required("max_step").asCount(),
        settings.required("data_ticks").asCount(),
        dimension,
        source(settings.required("processed_data_provider"), dimension));
  }

  private static FullHistoryInterpreter fullHistory(
      ConfigNode settings, @Nullable StateDefaults defaults) {
    ConfigNode features = settings.optional("features");
    FeatureSource source =
        features == null && defaults != null
            ? defaults.features().get()
            : source(
                named(settings.required("features"), defaults), settings.countOr("dimension", 1));
    int dimension = settings.countOr("dimension", source.columns().today().size());
    ConfigNode place = features == null ? settings : features;
    if (source.columns().today().size() != dimension
        || source.columns().yesterday().size() != dimension) {
      throw place.wrong("%d columns of today and of yesterday".formatted(dimension));
    }
    return new FullHistoryInterpreter(
            count(settings, "max_steps", defaults == null ? null : defaults.maxSteps()),
            count(settings, "ticks", defaults == null ? null : defaults.ticks()),
            dimension,
            settings.booleanOr("mirror", false)
                ? mirrored(source, place)
                : SidedFeatures.alike(source))
        .forShorterDays();
  }

  private static ConfigNode named(ConfigNode features, @Nullable StateDefaults defaults) {
    return defaults == null ? features : defaults.completion().apply(features);
  }

  private static int count(ConfigNode settings, String key, @Nullable Integer byDefault) {
    return byDefault == null ? settings.required(key).asCount() : settings.countOr(key, byDefault);
  }

  private static SidedFeatures mirrored(FeatureSource source, ConfigNode features) {
    try {
      return SidedFeatures.mirrored(source, FeatureComponents.CACHED_DAYS);
    } catch (IllegalArgumentException _) { // a column whose counterpart is missing
      throw features.wrong("columns that can be mirrored: high with low, bid with ask");
    }
  }

  private static FeatureSource source(ConfigNode node, int dimension) {
    return ExecutionCatalog.featureSources(dimension)
        .withInstalled()
        .make(ComponentSpec.from(node));
  }
}

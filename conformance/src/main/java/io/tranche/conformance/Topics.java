package io.tranche.conformance;

import java.util.List;

/// The golden files that Tranche answers.
public final class Topics {

  private Topics() {}

  public static List<Topic> all() {
    return List.of(
        new ConfigParserTopic(),
        new DataFeaturesTopic(),
        new FiniteEnvTopic(),
        new InterpretersTopic(),
        new RewardsTopic(),
        new SimulatorSimpleTopic());
  }
}

package io.tranche.conformance;

import java.util.List;

/// The golden files that Tranche answers.
public final class Topics {

  private Topics() {}

  public static List<Topic> all() {
    return List.of(
        new ConfigParserTopic(),
        new DataFeaturesTopic(),
        new DataOrdersTopic(),
        new DataQueueTopic(),
        new DqnTopic(),
        new FiniteEnvTopic(),
        new InterpretersTopic(),
        new LoggerTopic(),
        new NetworksTopic(),
        new PpoTopic(),
        new QlibDataTopic(),
        new RewardsTopic(),
        new RunningStatsTopic(),
        new SimulatorSimpleTopic(),
        new TrainerTopic());
  }
}

package io.tranche.conformance;

import io.tranche.conformance.data.ConfigParserTopic;
import io.tranche.conformance.data.DataFeaturesTopic;
import io.tranche.conformance.data.DataOrdersTopic;
import io.tranche.conformance.data.DataQueueTopic;
import io.tranche.conformance.data.QlibDataTopic;
import io.tranche.conformance.env.FiniteEnvTopic;
import io.tranche.conformance.env.LoggerTopic;
import io.tranche.conformance.execution.InterpretersTopic;
import io.tranche.conformance.execution.QlibBacktestTopic;
import io.tranche.conformance.execution.QlibSimulatorTopic;
import io.tranche.conformance.execution.RewardsTopic;
import io.tranche.conformance.execution.SimulatorSimpleTopic;
import io.tranche.conformance.golden.Topic;
import io.tranche.conformance.learning.DqnTopic;
import io.tranche.conformance.learning.NetworksTopic;
import io.tranche.conformance.learning.PpoTopic;
import io.tranche.conformance.learning.RunningStatsTopic;
import io.tranche.conformance.learning.TrainerTopic;
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
        new QlibBacktestTopic(),
        new QlibDataTopic(),
        new QlibSimulatorTopic(),
        new RewardsTopic(),
        new RunningStatsTopic(),
        new SimulatorSimpleTopic(),
        new TrainerTopic());
  }
}

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

/// The golden files that Tranche answers, each with its relative tolerance.
public final class Topics {

  private Topics() {}

  public static List<Topic> all() {
    return List.of(
        new Topic("config_parser", 0, ConfigParserTopic::answer),
        new Topic("data_features", 1e-6, DataFeaturesTopic::slack, new DataFeaturesTopic()),
        new Topic("data_orders", 1e-12, DataOrdersTopic::answer),
        new Topic("data_queue", 0, DataQueueTopic::answer),
        new Topic("dqn", 1e-5, DqnTopic::slack, DqnTopic::answer),
        new Topic("finite_env", 1e-9, FiniteEnvTopic::answer),
        // Float32 numbers are written as their shortest decimals, so for them this means equality.
        new Topic("interpreters", 1e-9, InterpretersTopic::answer),
        new Topic("logger", 0, LoggerTopic::answer),
        new Topic("networks", 1e-5, NetworksTopic::slack, NetworksTopic::answer),
        new Topic("ppo", 1e-5, PpoTopic::slack, PpoTopic::answer),
        new Topic("qlib_backtest", 1e-9, QlibBacktestTopic::answer),
        new Topic("qlib_data", 0, QlibDataTopic::answer),
        new Topic("qlib_simulator", 1e-9, QlibSimulatorTopic::answer),
        new Topic("rewards", 1e-9, RewardsTopic::answer),
        new Topic("running_stats_and_gae", 1e-9, RunningStatsTopic::answer),
        new Topic("simulator_simple", 1e-9, SimulatorSimpleTopic::answer),
        new Topic("trainer", 0, TrainerTopic::answer));
  }
}

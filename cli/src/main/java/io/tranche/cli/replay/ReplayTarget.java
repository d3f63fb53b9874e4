package io.tranche.cli.replay;

import io.tranche.runtime.LoadedModel;
import io.tranche.work.decide.DecisionMaker;
import io.tranche.work.decide.RuntimeDecisions;

/// The target of a replay.
public sealed interface ReplayTarget extends AutoCloseable {

  /// Returns its name.
  String name();

  /// Returns what takes the decisions of one pass through the bars.
  ///
  /// @param pass from 0
  /// @param weeks how many of them the bars span
  DecisionMaker maker(int pass, long weeks);

  /// Whether the decisions of a tick are asked for together.
  boolean isBatched();

  @Override
  void close();

  /// A model in this process.
  record OfModel(String name, LoadedModel model) implements ReplayTarget {

    @Override
    public DecisionMaker maker(int pass, long weeks) {
      return new RuntimeDecisions(model);
    }

    @Override
    public boolean isBatched() {
      return false;
    }

    @Override
    public void close() {}
  }

  /// A service. It accepts no day twice, so each pass is later than the one before.
  ///
  /// @param client is closed
  record OfService(String name, PatientClient client, ServiceDecisions first)
      implements ReplayTarget {

    @Override
    public DecisionMaker maker(int pass, long weeks) {
      return pass == 0 ? first : first.later(pass * weeks, "~" + pass);
    }

    @Override
    public boolean isBatched() {
      return true;
    }

    @Override
    public void close() {
      client.close();
    }
  }
}

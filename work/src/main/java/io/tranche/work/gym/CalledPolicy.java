package io.tranche.work.gym;

import io.tranche.config.ConfigException;
import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.policy.network.BuildContext;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A policy whose decisions another program takes. Threads take turns, so any number may share it.
///
/// The program listens at the socket that the environment variable `TRANCHE_POLICY` names, which is
/// looked for when the first decision is due: a run can be opened without it.
final class CalledPolicy<O extends Observation> implements Policy<O> {

  static final String VARIABLE = "TRANCHE_POLICY";

  private final BuildContext context;
  private final boolean flat;
  private @Nullable PolicyLine<O> line;

  CalledPolicy(BuildContext context, boolean flat) {
    this.context = context;
    this.flat = flat;
  }

  @Override
  public synchronized Action[] act(List<O> observations, long[] drawKeys, Mode mode) {
    PolicyLine<O> open = line;
    if (open == null) {
      open = PolicyLine.open(socket(), context, flat);
      line = open;
    }
    var actions = new Action[observations.size()];
    for (int from = 0; from < actions.length; from += PolicyLine.ROWS) {
      int to = Math.min(from + PolicyLine.ROWS, actions.length);
      open.ask(observations.subList(from, to), actions, from);
    }
    return actions;
  }

  private static Path socket() {
    String named = System.getenv(VARIABLE);
    if (named == null || named.isBlank()) {
      throw new ConfigException(
          "policy",
          "the Python program whose function it is: tranche.verb(..., policy=function)",
          "no program");
    }
    return Path.of(named);
  }
}

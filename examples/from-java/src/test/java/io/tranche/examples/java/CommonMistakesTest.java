package io.tranche.examples.java;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/// The compiler finds the common mistakes, and its messages name the types that do not go together.
class CommonMistakesTest {

  private static String compiled(String statements) {
    String text =
        """
        import io.tranche.env.*;
        import io.tranche.execution.ExecutionState;
        import io.tranche.execution.interpreter.FullHistoryObservation;
        import io.tranche.policy.network.*;
        import io.tranche.trainer.*;
        import io.tranche.work.start.*;
        import java.util.List;
        class Mistake {
          static Simulator.Factory<Integer, Integer, Integer> simulators;
          static StateInterpreter<Integer, Numbers> states;
          static ActionInterpreter<Integer, Integer> actions;
          static StateInterpreter<ExecutionState, Numbers> orders;
          static Network.Maker<FullHistoryObservation> days;
          static void run() {
            %s
          }
        }
        """
            .formatted(statements);
    var source =
        new SimpleJavaFileObject(URI.create("string:///Mistake.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoresEncodingErrors) {
            return text;
          }
        };
    var problems = new DiagnosticCollector<JavaFileObject>();
    var options =
        List.of("-proc:none", "-cp", System.getProperty("java.class.path"), "-implicit:none");
    Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
        .getTask(new StringWriter(), null, problems, options, null, List.of(source))
        .call();
    return problems.getDiagnostics().stream()
        .map(problem -> problem.getMessage(Locale.ROOT))
        .collect(Collectors.joining("\n"));
  }

  @Test
  void aNetworkForAnotherObservation() {
    assertThat(compiled("Tranche.run().withObservation(orders, days);"))
        .contains("withObservation")
        .contains("Numbers")
        .contains("FullHistoryObservation");
  }

  @Test
  void aProblemWithoutAReward() {
    assertThat(compiled("Problem.of(simulators, states, actions);"))
        .contains("required: ")
        .contains("Reward<S>")
        .contains("argument lists differ in length");
  }

  @Test
  void aRewardThatReturnsNothing() {
    assertThat(compiled("Tranche.run().withReward((state, context) -> {});"))
        .contains("bad return type in lambda expression", "missing return value");
  }

  @Test
  void anAlgorithmThatIsNone() {
    assertThat(compiled("Tranche.run().withAlgorithm(RecurrentConfig.DEFAULT);"))
        .contains("withAlgorithm")
        .contains("RecurrentConfig cannot be converted to io.tranche.policy.ppo.PpoConfig");
  }

  @Test
  void whatIsRightCompiles() {
    assertThat(
            compiled(
                "Tranche.run().withNetwork(days).withObservation(orders, Mlp.flat(8));"
                    + " Tranche.problem(Problem.of(simulators, states, actions,"
                    + " (state, env) -> 0), List.of(1)).train();"))
        .isEmpty();
  }
}

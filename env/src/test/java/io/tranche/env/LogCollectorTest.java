package io.tranche.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tranche.env.LogCollector.Entry;
import io.tranche.env.LogCollector.Kind;
import io.tranche.env.space.Value;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogCollectorTest {

  @Test
  void keepsWhatIsImportantEnoughInOrder() {
    var log = new LogCollector();
    log.clear();

    log.scalar("b", 2);
    log.scalar("debug", 1, LogLevel.DEBUG);
    log.string("a", "text", LogLevel.CRITICAL);

    assertThat(log.entries())
        .containsExactly(
            Map.entry("b", new Entry(LogLevel.PERIODIC, 2.0)),
            Map.entry("a", new Entry(LogLevel.CRITICAL, "text")));
  }

  @Test
  void aNameCanBeLoggedOnceAStep() {
    var log = new LogCollector();
    log.clear();
    log.scalar("x", 1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> log.any("x", 2, LogLevel.INFO))
        .withMessage("name must not be logged twice in one step, was x");
    log.clear();
    log.scalar("x", 2);
    assertThat(log.entries()).hasSize(1);
  }

  @Test
  void isOfNoUseBeforeItIsCleared() {
    var log = new LogCollector(LogLevel.INFO);

    log.scalar("x", 1); // too unimportant to be looked at

    assertThatIllegalStateException().isThrownBy(() -> log.scalar("x", 1, LogLevel.INFO));
  }

  @Test
  void untypedValuesAreCheckedOnlyIfTheyAreKept() {
    var log = new LogCollector();
    log.clear();
    var pair = new Value.Floats(Value.ElementType.FLOAT32, List.of(2), 1, 2);
    var one = new Value.Integers(Value.ElementType.INT64, List.of(1, 1), 7);

    log.add(Kind.SCALAR, "dropped", "text", LogLevel.DEBUG);
    log.add(Kind.SCALAR, "truth", true, LogLevel.PERIODIC);
    log.add(Kind.SCALAR, "one", one, LogLevel.PERIODIC);
    log.array("pair", pair, LogLevel.PERIODIC);

    assertThat(log.entries().values()).extracting(Entry::value).containsExactly(1.0, 7.0, pair);
    assertThatExceptionOfType(ClassCastException.class)
        .isThrownBy(() -> log.add(Kind.SCALAR, "s", "text", LogLevel.PERIODIC))
        .withMessage("s must be a number, was String");
    assertThatExceptionOfType(ClassCastException.class)
        .isThrownBy(() -> log.add(Kind.ARRAY, "a", null, LogLevel.PERIODIC))
        .withMessage("a must be an array, was null");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log.add(Kind.SCALAR, "p", pair, LogLevel.PERIODIC))
        .withMessage("p must be one number, was an array of 2");
  }
}

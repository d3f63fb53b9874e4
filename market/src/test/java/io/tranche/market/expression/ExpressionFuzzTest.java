package io.tranche.market.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.config.ConfigException;
import io.tranche.testkit.Cases;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExpressionFuzzTest {

  private static final List<String> CANONICAL = ExpressionParserTest.CANONICAL;

  @Test
  void givesNothingButItsOwnExceptionForDamagedText() {
    String alphabet = "$abz()+-*/<>=!&|,.'\"0159e_ NoneRefMeanCutIf\u3001\ud83d\u0000";
    int count = Cases.count(10_000, 1_000_000);
    int[] read = new int[1];
    Cases.forAll(
        count,
        random -> {
          String text = mutated(random, alphabet);
          try {
            Expression expression = Expression.parse(text);
            assertThat(Expression.parse(expression.text())).isEqualTo(expression);
            assertThat(expression.extension().left()).isNotNegative();
            read[0]++;
          } catch (ConfigException e) {
            assertThat(e.getMessage()).contains("expected ").doesNotContain("Exception");
          }
        });
    assertThat(read[0]).isBetween(count / 20, count - count / 20);
  }

  private static String mutated(SplittableRandom random, String alphabet) {
    var text = new StringBuilder(CANONICAL.get(random.nextInt(CANONICAL.size())));
    for (int i = random.nextInt(1, 6); i > 0; i--) {
      int at = random.nextInt(text.length() + 1);
      int end = Math.min(text.length(), at + random.nextInt(0, 12));
      switch (random.nextInt(4)) {
        case 0 -> text.insert(at, alphabet.charAt(random.nextInt(alphabet.length())));
        case 1 -> text.delete(at, end);
        case 2 -> text.insert(random.nextInt(text.length() + 1), text.substring(at, end));
        default ->
            text.replace(
                at,
                Math.min(text.length(), at + 1),
                alphabet.substring(random.nextInt(alphabet.length() - 3)).substring(0, 3));
      }
    }
    return text.toString();
  }
}

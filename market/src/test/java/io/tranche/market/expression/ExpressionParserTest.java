package io.tranche.market.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.market.expression.Expression.Binary;
import io.tranche.market.expression.Expression.Constant;
import io.tranche.market.expression.Expression.Cut;
import io.tranche.market.expression.Expression.DayCumsum;
import io.tranche.market.expression.Expression.Field;
import io.tranche.market.expression.Expression.Ref;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionParserTest {

  // The first ones are what Qlib's high-frequency handlers write.
  static final List<String> CANONICAL =
      List.of(
          "Cut(FFillNan(If(IsNull($open), $close, $open)/DayLast(Ref(FFillNan($close), 96))), 96,"
              + " None)",
          "Cut(If(IsNull(Ref($volume, 48)/Ref(DayLast(Mean($volume, 1440)), 48)), 0, Ref($volume,"
              + " 48)/Ref(DayLast(Mean($volume, 1440)), 48)), 96, None)",
          "DayCumsum($volume, '9:30', '14:59', 5)",
          "$a-($b-$c)",
          "$a-$b-$c",
          "($a+$b)*$c",
          "($a>1)&($b<2)",
          "($a**2)**3",
          "$a**2**$b",
          "$a**(-2)",
          "Quantile($a, 5, 0.25)",
          "Corr($a, $b, 10)",
          "Cut($a, None, -2)",
          "Select($a>0, Date($a))",
          "Greater(Ref($a, -3), 0.5)",
          "EMA($a, 0.1)",
          "Delta($a, 0)");

  @Test
  void readsItsOwnTextBack() {
    for (String text : CANONICAL) {
      Expression expression = Expression.parse(text);

      assertThat(expression.text()).isEqualTo(text);
      assertThat(Expression.parse(expression.text())).isEqualTo(expression);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "$a+$b*$c # $a+($b*$c)",
        "$a > 1 + 2 # $a > 3",
        "$a*2*240 # ($a*2)*240",
        "Ref($a, 2*240) # Ref($a, 480)",
        "Ref($a, -(1+2)) # Ref($a, -3)",
        "-$a**2 # ($a**2)*-1",
        "$a > 1+2*3 # $a > 7",
        "($a>1)|($b>1)&($c>1) # ($a>1)|(($b>1)&($c>1))",
        "Gt($a, 1) # $a > 1",
        "Power($a, 2) # $a ** 2",
        " $a\t/ $b # Div($a,$b)",
        "+$a # $a",
        "Cut($a, 3) # Cut($a, 3, None)",
        "DayCumsum($a) # DayCumsum($a, \"09:30\", '14:59', 1)",
        "$a+1e-3 # $a+.001"
      })
  void bindsAsPythonDoes(String text, String same) {
    assertThat(Expression.parse(text)).isEqualTo(Expression.parse(same));
  }

  @Test
  void buildsTheTree() {
    assertThat(Expression.parse("Ref($askV1,-2)/0.5"))
        .isEqualTo(
            new Binary(
                BinaryOperator.DIVIDE, new Ref(new Field("askV1"), -2), new Constant(0.5, false)));
    assertThat(Expression.parse("DayCumsum($v, '13:00', '13:30', 5)"))
        .isEqualTo(new DayCumsum(new Field("v"), 13 * 60, 13 * 60 + 30, 5));
    assertThat(Expression.parse("Cut($v, 2, -3)")).isEqualTo(new Cut(new Field("v"), 2, 3));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "Ref($close, 1 # expression 'Ref($close, 1' at 13: expected ')', was the end",
        "$close $open # expression '$close $open' at 7: expected an operator or the end, was '$'",
        "$ # expression '$' at 0: expected a field name after '$', was '$'",
        "$a < $b < $c # expression '$a < $b < $c' at 8: expected brackets around one of two comparisons, was '<'",
        "1 + 2 # expression '1 + 2' at 0: expected a field, such as $close, was '1 + 2'",
        "Ref($a) # expression 'Ref($a)' at 0: expected 2 arguments of Ref, was 1",
        "Ref($a, 0.5) # expression 'Ref($a, 0.5)' at 8: expected a whole number from -100000000 to 100000000, was 0.5",
        "Mean($a, $b) # expression 'Mean($a, $b)' at 9: expected a number, was $b",
        "Abs(1) # expression 'Abs(1)' at 4: expected a field, such as $close, was 1",
        "Cut($a, 0) # expression 'Cut($a, 0)' at 8: expected a whole number from 1 to 100000000, was 0",
        "DayCumsum($a, '12:00') # expression 'DayCumsum($a, '12:00')' at 14: expected a time such as '9:30' within 9:30-11:29 or 13:00-14:59, was '12:00'",
        "None # expression 'None' at 0: expected a field, such as $close, was 'None'",
        "$a + 'x' # expression '$a + 'x'' at 5: expected an expression, was a text in quotes",
        "Not($a) # expression 'Not($a)': expected conditions, such as comparisons, as arguments, was numbers",
        "($a>1)-($b>1) # expression '($a>1)-($b>1)': expected a number among the arguments, was conditions only",
        "Select($a, $b) # expression 'Select($a, $b)': expected a condition, such as a comparison, as first argument, was numbers",
        "$a/(1/0) # expression '$a/(1/0)' at 5: expected finite numbers, was '/'",
        "$a % 2 # expression '$a % 2' at 3: expected an operator or the end, was '%'"
      })
  void saysWhereAndWhatIsWrong(String text, String message) {
    assertThatThrownBy(() -> Expression.parse(text))
        .isInstanceOf(ConfigException.class)
        .hasMessage(message);
  }

  @Test
  void listsTheFunctionsWhenItDoesNotKnowOne() {
    assertThatThrownBy(() -> Expression.parse("Meen($a, 2)"))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(
            "expression 'Meen($a, 2)' at 0: expected one of the functions [Abs,")
        .hasMessageEndingWith("was 'Meen'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"(", "-", "Abs(", "$a+", "$a**", "2**"})
  void refusesTextThatIsTooDeep(String part) {
    String deep = part.repeat(ExpressionParser.LONGEST_TEXT / part.length() - 2) + "$a";

    assertThatThrownBy(() -> Expression.parse(deep)).isInstanceOf(ConfigException.class);
  }

  @Test
  void refusesTextThatIsTooLong() {
    assertThatThrownBy(() -> Expression.parse("$a+" + "1".repeat(ExpressionParser.LONGEST_TEXT)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("at most 20000 characters");
  }
}

package io.tranche.env.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PythonFormatTest {

  // What CPython 3.11 prints; | marks where the text begins and ends.
  @ParameterizedTest
  @CsvSource({
    ":.4f, 1.95624999999999982, |1.9562|",
    ":.4f, -0.00001, |-0.0000|",
    ":.4f, -0.0, |-0.0000|",
    ":.0f, 0.5, |0|",
    ":.0f, 1.5, |2|",
    ":.0f, 2.5, |2|",
    ":.2f, 2.675, |2.67|",
    ":.2f, 1e22, |10000000000000000000000.00|",
    ":f, 1.5, |1.500000|",
    ":.2e, 0.3635, |3.63e-01|",
    ":.2e, 0, |0.00e+00|",
    ":.0e, 15, |2e+01|",
    ":.3e, 9.9996e99, |1.000e+100|",
    ":g, 0.0001, |0.0001|",
    ":g, 0.00001, |1e-05|",
    ":g, 123456789, |1.23457e+08|",
    ":g, 100000, |100000|",
    ":g, 0, |0|",
    ":.3g, 1234.5, |1.23e+03|",
    ":.1%, 0.12345, |12.3%|",
    ":.1%, 1e307, |inf%|",
    ":8.2f, -1.5, |   -1.50|",
    ":08.2f, -1.5, |-0001.50|",
    ":<8.2f, 1.5, |1.50    |",
    ":^9.2f, 1.5, |  1.50   |",
    ":*>8.2f, 1.5, |****1.50|",
    ":+.1f, 1.5, |+1.5|",
    ": .1f, 1.5, | 1.5|",
    "':,.1f', 1234567.25, '|1,234,567.2|'",
    ":.4f, NaN, |nan|",
    ":8.2f, -Infinity, |    -inf|",
    ":, 1e16, |1e+16|"
  })
  void formatsNumbersAsPythonDoes(String format, double value, String text) {
    assertThat("|" + new PythonFormat(format).format(value) + "|").isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    ":4d, 7, |   7|",
    ":06d, 12, |000012|",
    ":d, -3, |-3|",
    "':,d', 1234567, '|1,234,567|'",
    ":, 5, |5|",
    ":.1f, 5, |5.0|"
  })
  void formatsCountsAsPythonDoes(String format, long value, String text) {
    assertThat("|" + new PythonFormat(format).format(value) + "|").isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {":x", ":.4q", "{}", ":.2d", ":99999f", ":.9999f", ":06,.2f", "f4"})
  void refusesWhatItDoesNotKnowByName(String format) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PythonFormat(format))
        .withMessageStartingWith("format must be ")
        .withMessageEndingWith("was " + format);
  }

  @Test
  void aFormatOfCountsTakesNoNumbers() {
    assertThatIllegalArgumentException().isThrownBy(() -> new PythonFormat(":d").format(0.5));
  }
}

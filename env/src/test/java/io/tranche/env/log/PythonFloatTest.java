package io.tranche.env.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Cases;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PythonFloatTest {

  // What CPython 3.11 prints.
  @ParameterizedTest
  @CsvSource({
    "0.0, 0.0",
    "-0.0, -0.0",
    "1.0, 1.0",
    "100.0, 100.0",
    "0.1, 0.1",
    "0.30000000000000004, 0.30000000000000004",
    "0.001, 0.001",
    "-1234.5, -1234.5",
    "9999999.5, 9999999.5",
    "1e7, 10000000.0",
    "1e-4, 0.0001",
    "0.00012345, 0.00012345",
    "1e-5, 1e-05",
    "1.5e-7, 1.5e-07",
    "123456789.125, 123456789.125",
    "1e15, 1000000000000000.0",
    "9999999999999998, 9999999999999998.0",
    "1e16, 1e+16",
    "1.2345e22, 1.2345e+22",
    "2e23, 2e+23",
    "-1e100, -1e+100",
    "4.9e-324, 5e-324",
    "1e-323, 1e-323",
    "2.2250738585072014e-308, 2.2250738585072014e-308",
    "1.7976931348623157e308, 1.7976931348623157e+308",
    "9.5367431640625e-07, 9.5367431640625e-07",
    "Infinity, inf",
    "-Infinity, -inf",
    "NaN, nan"
  })
  void printsAsPythonDoes(double value, String text) {
    assertThat(PythonFloat.repr(value)).isEqualTo(text);
  }

  @Test
  void readsBackAsTheSameNumberAndIsNeverLongerThanJavas() {
    Cases.forAll(
        Cases.count(20_000, 1_000_000),
        random -> {
          double value = Double.longBitsToDouble(random.nextLong());
          if (Double.isFinite(value)) {
            String text = PythonFloat.repr(value);

            assertThat(Double.parseDouble(text)).isEqualTo(value);
            assertThat(digits(text)).isLessThanOrEqualTo(digits(Double.toString(value)));
          }
        });
  }

  @Test
  void printsUsualNumbersWithoutAnExponent() {
    Cases.forAll(
        Cases.count(20_000, 1_000_000),
        random -> {
          double value = Math.pow(10, random.nextDouble(-3.9, 15.9));

          String text = PythonFloat.repr(value);

          assertThat(text).matches("\\d+\\.\\d+");
          assertThat(Double.parseDouble(text)).isEqualTo(value);
        });
  }

  private static int digits(String number) {
    return new BigDecimal(number).stripTrailingZeros().precision();
  }
}

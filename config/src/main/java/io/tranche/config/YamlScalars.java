package io.tranche.config;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Resolves plain, unquoted YAML scalars by YAML 1.2, like the loader that Qlib uses (ruamel.yaml).
///
/// So `yes` and `14:54` are texts, `010` is ten and `1e-3` is a number. Unlike in ruamel.yaml, a
/// date stays a text.
final class YamlScalars {

  private static final Pattern NULL = Pattern.compile("|~|null|Null|NULL");
  private static final Pattern BOOLEAN = Pattern.compile("true|True|TRUE|false|False|FALSE");
  private static final Pattern INTEGER =
      Pattern.compile(
          "[-+]?(?:0b[01][01_]*|0o[0-7][0-7_]*|0x[0-9a-fA-F][0-9a-fA-F_]*|[0-9][0-9_]*)");
  private static final Pattern FLOAT =
      Pattern.compile(
          "[-+]?[0-9][0-9_]*\\.[0-9_]*(?:[eE][-+]?[0-9]+)?"
              + "|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+"
              + "|[-+]?\\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?");
  private static final Pattern INFINITE = Pattern.compile("[-+]?\\.(?:inf|Inf|INF)");
  private static final Pattern NAN = Pattern.compile("\\.(?:nan|NaN|NAN)");

  private YamlScalars() {}

  /// Returns null, a Boolean, a Long, a Double or the text itself.
  static @Nullable Object resolve(String plain, Origin origin) {
    if (NULL.matcher(plain).matches()) {
      return null;
    }
    if (BOOLEAN.matcher(plain).matches()) {
      return Boolean.valueOf(plain);
    }
    if (INTEGER.matcher(plain).matches()) {
      return integer(plain, origin);
    }
    if (FLOAT.matcher(plain).matches()) {
      return Double.valueOf(plain.replace("_", ""));
    }
    if (INFINITE.matcher(plain).matches()) {
      return plain.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    return NAN.matcher(plain).matches() ? (Object) Double.NaN : plain;
  }

  /// Whether `text`, written without quotes, would be read as itself.
  static boolean staysText(String text) {
    return !(NULL.matcher(text).matches()
        || BOOLEAN.matcher(text).matches()
        || INTEGER.matcher(text).matches()
        || FLOAT.matcher(text).matches()
        || INFINITE.matcher(text).matches()
        || NAN.matcher(text).matches());
  }

  private static Long integer(String plain, Origin origin) {
    String digits = plain.replace("_", "");
    String sign = "";
    if (digits.startsWith("-") || digits.startsWith("+")) {
      sign = digits.substring(0, 1);
      digits = digits.substring(1);
    }
    int radix = 10;
    if (digits.length() > 1 && !Character.isDigit(digits.charAt(1))) {
      radix =
          switch (digits.charAt(1)) {
            case 'b' -> 2;
            case 'o' -> 8;
            default -> 16;
          };
      digits = digits.substring(2);
    }
    try {
      return Long.valueOf(sign + digits, radix);
    } catch (NumberFormatException e) {
      throw new ConfigException(origin.at(""), "an integer of 64 bits", Tree.quote(plain));
    }
  }
}

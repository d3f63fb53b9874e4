package io.tranche.serving.http;

/// Figures in Prometheus' text format, version 0.0.4.
public final class PrometheusText {

  static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final StringBuilder text = new StringBuilder();

  /// Begins a family of samples.
  ///
  /// @param type counter, gauge, histogram or summary
  public void family(String name, String type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  /// @param labels names and values, in turn
  public void sample(String name, double value, String... labels) {
    text.append(name);
    for (int i = 0; i < labels.length; i += 2) {
      text.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
      escape(labels[i + 1]);
      text.append('"');
    }
    text.append(labels.length > 0 ? "} " : " ");
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      text.append((long) value);
    } else {
      text.append(value);
    }
    text.append('\n');
  }

  private void escape(String value) {
    for (int i = 0; i < value.length(); i++) {
      char each = value.charAt(i);
      switch (each) {
        case '\\' -> text.append("\\\\");
        case '"' -> text.append("\\\"");
        case '\n' -> text.append("\\n");
        default -> text.append(each);
      }
    }
  }

  /// A family of one sample that only grows.
  public void counter(String name, String help, double value) {
    family(name, "counter", help);
    sample(name, value);
  }

  /// A family of one sample.
  public void gauge(String name, String help, double value) {
    family(name, "gauge", help);
    sample(name, value);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}

package io.tranche.analysis.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The metrics of a service, as its page `/metrics` has them.
public record ServiceFacts(List<Sample> samples) {

  private static final Pattern LINE =
      Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)\\})? (\\S+)(?: \\d+)?");
  private static final Pattern BOUND = Pattern.compile("le=\"([^\"]*)\"");

  private static final int FEWEST = 100;

  /// @param labels as they are written
  public record Sample(String name, String labels, double value) {}

  public ServiceFacts {
    samples = List.copyOf(samples);
  }

  public static ServiceFacts parse(String text) {
    var samples = new ArrayList<Sample>();
    for (String line : text.lines().toList()) {
      Matcher matcher = LINE.matcher(line);
      if (!line.startsWith("#") && matcher.matches()) {
        String labels = matcher.group(2) == null ? "" : matcher.group(2);
        samples.add(new Sample(matcher.group(1), labels, number(matcher.group(3))));
      }
    }
    return new ServiceFacts(samples);
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> text.matches("[-+.\\dEe]+") ? Double.parseDouble(text) : Double.NaN;
    };
  }

  /// Returns the sum of all samples of a name whose labels contain `label`; 0 if there are none.
  public double sum(String name, String label) {
    return samples.stream()
        .filter(each -> each.name.equals(name) && each.labels.contains(label))
        .mapToDouble(Sample::value)
        .sum();
  }

  public double sum(String name) {
    return sum(name, "");
  }

  /// Returns the upper bound in seconds of the bucket in which `share` of a histogram lies; 0 if it
  /// has too few values: the first ones are slow everywhere.
  public double quantile(String name, double share) {
    double total = sum(name + "_count");
    for (Sample each : samples) {
      Matcher bound = BOUND.matcher(each.labels);
      if (each.name.equals(name + "_bucket")
          && bound.find()
          && total >= FEWEST
          && each.value >= share * total) {
        return number(bound.group(1));
      }
    }
    return total >= FEWEST ? Double.POSITIVE_INFINITY : 0;
  }
}

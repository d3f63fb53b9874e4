package io.tranche.trainer;

/// The quirks of Qlib's trainer, with one switch each.
///
/// @param resetsEagerly whether environments are reset as by tianshou's collector, which wastes
///   initial states (Q14)
/// @param shufflesEvaluation whether validation and test go through their states in random order
///   (Q15)
/// @param dilutesMeans whether a metric that some episodes lack is averaged over all episodes (Q16)
/// @param countsAllEpisodes whether validation and test episodes count as episodes too (Q17)
/// @param limitsBuffer whether experience beyond the size of the buffer is dropped even if the
///   algorithm learns only from the current iteration (Q18)
/// @param forgetsReplay whether every iteration begins with an empty buffer even if the algorithm
///   learns from earlier ones
/// @param restartsData whether every iteration begins with a new shuffle of the training states
///   instead of continuing where the last one stopped
/// @param hidesUpdates whether the results of an update, such as losses, stay out of the metrics
public record QlibQuirks(
    boolean resetsEagerly,
    boolean shufflesEvaluation,
    boolean dilutesMeans,
    boolean countsAllEpisodes,
    boolean limitsBuffer,
    boolean forgetsReplay,
    boolean restartsData,
    boolean hidesUpdates) {

  public static final QlibQuirks NONE =
      new QlibQuirks(false, false, false, false, false, false, false, false);

  public static final QlibQuirks ALL =
      new QlibQuirks(true, true, true, true, true, true, true, true);
}

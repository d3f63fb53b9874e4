package io.tranche.trainer;

/// The quirks of Qlib's trainer, one switch for each.
///
/// @param resetsEagerly whether environments are reset as tianshou's collector does, which wastes
///   initial states (Q14)
/// @param shufflesEvaluation whether validation and test go through their states in random order
///   (Q15)
/// @param dilutesMeans whether a metric that some episodes lack is averaged over all (Q16)
/// @param countsAllEpisodes whether validation and test episodes count as episodes too (Q17)
/// @param limitsBuffer whether experience beyond the size of the buffer is dropped even if the
///   algorithm learns from one iteration only (Q18)
/// @param forgetsReplay whether every iteration begins with an empty buffer, even if the algorithm
///   learns from earlier ones
/// @param restartsData whether every iteration begins with a new shuffle of the training states
///   instead of continuing where the last one stopped
/// @param hidesUpdates whether what an update reports, such as losses, stays out of the metrics
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

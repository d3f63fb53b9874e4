package io.tranche.env;

/// An episode that ended in an exception, with what is needed to run it again.
///
/// @param env the environment it ran in
/// @param episode its number: how many episodes the vector began before it
/// @param initialState what it began with, as text
/// @param step the decision that failed, from 1 on; 0 if it could not even begin
public record EpisodeFailure(
    int env, long episode, String initialState, int step, RuntimeException cause) {

  @Override
  public String toString() {
    return "episode %d from %s failed in environment %d at step %d: %s"
        .formatted(episode, initialState, env, step, cause);
  }
}

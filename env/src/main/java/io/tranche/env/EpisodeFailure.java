package io.tranche.env;

/// An episode that ended in an exception, with the information needed to run it again.
///
/// @param env the environment it ran in
/// @param episode its number: the count of episodes that the vector began before it
/// @param initialState what it began with, as text
/// @param step the decision that failed, from 1; 0 if the episode could not begin
public record EpisodeFailure(
    int env, long episode, String initialState, int step, RuntimeException cause) {

  @Override
  public String toString() {
    return "episode %d from %s failed in environment %d at step %d: %s"
        .formatted(episode, initialState, env, step, cause);
  }
}

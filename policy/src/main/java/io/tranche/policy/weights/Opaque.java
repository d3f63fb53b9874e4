package io.tranche.policy.weights;

/// Something in a file of torch that is neither plain nor a tensor, such as a time in the logs of
/// Qlib's trainer: what it was, and no more.
public record Opaque(String description) {}

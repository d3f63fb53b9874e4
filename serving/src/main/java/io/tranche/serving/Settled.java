package io.tranche.serving;

/// An answer that may be given once an event is durable.
///
/// @param sequence the number of the event
record Settled(Answer answer, long sequence) {}

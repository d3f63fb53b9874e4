package io.tranche.serving.engine;

import io.tranche.serving.Answer;

/// An answer that may be given as soon as an event is durable.
///
/// @param sequence the number of the event
record AnswerWhenDurable(Answer answer, long sequence) {}

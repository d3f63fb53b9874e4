/// The decision service itself: takes requests, commits events, answers.
@NullMarked
package io.tranche.serving.engine;

import org.jspecify.annotations.NullMarked;

/// Loaded models, the threads that run them, and their health.
@NullMarked
package io.tranche.serving.model;

import org.jspecify.annotations.NullMarked;

/// Loaded models, the threads that run them, and how well they do.
@NullMarked
package io.tranche.serving.model;

import org.jspecify.annotations.NullMarked;

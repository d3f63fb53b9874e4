/// The decision service put together: engine, predictions and HTTP under one configuration.
@NullMarked
package io.tranche.serving.app;

import org.jspecify.annotations.NullMarked;

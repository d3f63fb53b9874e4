/// A client of the decision service.
@NullMarked
package io.tranche.serving.client;

import org.jspecify.annotations.NullMarked;

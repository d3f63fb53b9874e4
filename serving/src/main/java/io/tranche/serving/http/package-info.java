/// The HTTP interface of the decision service.
@NullMarked
package io.tranche.serving.http;

import org.jspecify.annotations.NullMarked;

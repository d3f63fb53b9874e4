@NullMarked
package io.tranche.serving.http;

import org.jspecify.annotations.NullMarked;

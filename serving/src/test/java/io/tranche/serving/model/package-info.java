@NullMarked
package io.tranche.serving.model;

import org.jspecify.annotations.NullMarked;

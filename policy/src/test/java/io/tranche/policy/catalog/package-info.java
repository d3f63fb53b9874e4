@NullMarked
package io.tranche.policy.catalog;

import org.jspecify.annotations.NullMarked;

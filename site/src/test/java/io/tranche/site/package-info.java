@NullMarked
package io.tranche.site;

import org.jspecify.annotations.NullMarked;

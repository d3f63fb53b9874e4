@NullMarked
package io.tranche.analysis.report;

import org.jspecify.annotations.NullMarked;

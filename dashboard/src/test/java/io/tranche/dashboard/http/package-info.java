@NullMarked
package io.tranche.dashboard.http;

import org.jspecify.annotations.NullMarked;

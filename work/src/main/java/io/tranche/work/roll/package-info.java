/// Walking forward over a calendar: training again on each window of days, judged on the next.
@NullMarked
package io.tranche.work.roll;

import org.jspecify.annotations.NullMarked;

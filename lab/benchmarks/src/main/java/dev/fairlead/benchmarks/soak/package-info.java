/**
 * A long run of clients and a server over a network that breaks again and again, which reports lost
 * and doubled messages and leaked resources. Run by {@link dev.fairlead.benchmarks.soak.Soak}.
 */
@NullMarked
package dev.fairlead.benchmarks.soak;

import org.jspecify.annotations.NullMarked;

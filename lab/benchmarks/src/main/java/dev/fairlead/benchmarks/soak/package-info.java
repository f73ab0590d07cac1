/**
 * Clients and a server for as long as one likes, over a network that breaks again and again: what
 * is lost, sent twice or left behind. Run by {@link dev.fairlead.benchmarks.soak.Soak}.
 */
@NullMarked
package dev.fairlead.benchmarks.soak;

import org.jspecify.annotations.NullMarked;

/** Several nodes of one server under faults, and the cost of forwarding. */
@NullMarked
package dev.fairlead.benchmarks.nodes;

import org.jspecify.annotations.NullMarked;

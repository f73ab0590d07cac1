@NullMarked
package dev.fairlead.benchmarks.servers;

import org.jspecify.annotations.NullMarked;

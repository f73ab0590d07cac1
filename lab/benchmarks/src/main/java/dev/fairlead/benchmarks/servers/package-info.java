/** Whole servers with one tool, measured beside each other over HTTP and over stdio. */
@NullMarked
package dev.fairlead.benchmarks.servers;

import org.jspecify.annotations.NullMarked;

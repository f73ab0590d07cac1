/** Whole servers with one tool, measured beside each other over HTTP. */
@NullMarked
package dev.fairlead.benchmarks.http;

import org.jspecify.annotations.NullMarked;

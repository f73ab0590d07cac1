/**
 * Traces and metrics of servers and clients: {@link dev.fairlead.opentelemetry.McpTelemetry} is an
 * interceptor of both.
 */
@NullMarked
package dev.fairlead.opentelemetry;

import org.jspecify.annotations.NullMarked;

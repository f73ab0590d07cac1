/**
 * Tasks.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks Tasks
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.tasks;

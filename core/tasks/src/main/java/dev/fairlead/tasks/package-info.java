/**
 * Durable tasks, independent of the wire: their store, their runs and their limits. Server and
 * client put a wire before them.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks Tasks
 */
@NullMarked
package dev.fairlead.tasks;

import org.jspecify.annotations.NullMarked;

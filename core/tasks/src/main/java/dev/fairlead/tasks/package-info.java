/**
 * Durable tasks without a wire: where they are kept, how they run, and what limits them. Server and
 * client put a wire before them.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks Tasks
 */
@NullMarked
package dev.fairlead.tasks;

import org.jspecify.annotations.NullMarked;

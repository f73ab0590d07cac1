/** MCP servers: tools, resources, prompts, completion, logging and sessions. */
@NullMarked
package dev.fairlead.server;

import org.jspecify.annotations.NullMarked;

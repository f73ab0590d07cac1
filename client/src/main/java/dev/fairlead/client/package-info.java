/** MCP clients: typed calls and handlers for what servers ask. */
@NullMarked
package dev.fairlead.client;

import org.jspecify.annotations.NullMarked;

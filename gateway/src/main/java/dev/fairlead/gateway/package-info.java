/** One MCP server that fronts several. */
@NullMarked
package dev.fairlead.gateway;

import org.jspecify.annotations.NullMarked;

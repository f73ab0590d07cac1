/** Serves MCP from a servlet container: {@link dev.fairlead.servlet.McpServlet}. */
@NullMarked
package dev.fairlead.servlet;

import org.jspecify.annotations.NullMarked;

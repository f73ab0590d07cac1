/** The files of hosts, such as Claude Desktop, and the servers that a user adds to them. */
@NullMarked
package dev.fairlead.cli.hosts;

import org.jspecify.annotations.NullMarked;

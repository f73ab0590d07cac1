/**
 * Which server is meant: a URL, a command, or a name from a {@link
 * dev.fairlead.cli.servers.ServersFile servers file}.
 */
@NullMarked
package dev.fairlead.cli.servers;

import org.jspecify.annotations.NullMarked;

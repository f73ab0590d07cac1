/**
 * The server of a command: a URL, a command line, or a name from a {@link
 * dev.fairlead.cli.servers.ServersFile servers file}.
 */
@NullMarked
package dev.fairlead.cli.servers;

import org.jspecify.annotations.NullMarked;

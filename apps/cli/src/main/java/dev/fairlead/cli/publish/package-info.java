/** Descriptions and bundles of a server for the registry and for hosts, from the running server. */
@NullMarked
package dev.fairlead.cli.publish;

import org.jspecify.annotations.NullMarked;

/**
 * The link to a server: how it is agreed on, kept and replaced, and how requests are sent by it.
 * Nothing above this package asks for the era of the server.
 */
@NullMarked
package dev.fairlead.client.link;

import org.jspecify.annotations.NullMarked;

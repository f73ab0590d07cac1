package dev.fairlead.client.internal;

import dev.fairlead.protocol.base.Implementation;

/**
 * A question for a person.
 *
 * @param server the server that asks
 */
public record Asked<P>(Implementation server, P request) {}

/**
 * What a server requests of a client: elicitation, sampling and roots, also as tasks of the client.
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.server.requests;

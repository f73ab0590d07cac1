/**
 * Requests of a server to a client: elicitation, sampling and roots, also as tasks of the client.
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.server.requests;

/**
 * Several servers under one roof, as a host needs them.
 *
 * <p>{@link dev.fairlead.client.group.McpClients#named} begins a group. It connects to all its
 * servers, keeps one list of everything they offer, sends each request to the server that it is
 * for, and brings servers back that were lost. {@link dev.fairlead.client.group.Naming} says how
 * names look that several servers use. The requests are those of {@link
 * dev.fairlead.client.McpRequests}.
 */
@NullMarked
package dev.fairlead.client.group;

import org.jspecify.annotations.NullMarked;

/**
 * Questions to a person.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation Elicitation
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.elicitation;

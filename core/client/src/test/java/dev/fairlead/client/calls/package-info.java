/** Tests of the parts of calls. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.client.calls;

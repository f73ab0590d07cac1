/** {@code prompts/list} and {@code prompts/get}. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.server.prompts;

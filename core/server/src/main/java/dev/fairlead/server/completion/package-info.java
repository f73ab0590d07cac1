/** {@code completion/complete}: proposals for arguments of prompts and variables of templates. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.server.completion;

package dev.fairlead.server.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method proposes values for an argument of a prompt, or for a variable of a resource template,
 * of the same class.
 *
 * <p>It returns a {@code List<String>}, best first, and may take a {@link
 * dev.fairlead.server.handler.Completion}, which has the text typed so far, and a {@link
 * dev.fairlead.server.handler.Call}.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/completion
 *     Completion Completion
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface McpComplete {
    /** The name of the prompt, or the URI template as it is declared. */
    String of();

    /** The name of the argument or variable. */
    String argument();
}

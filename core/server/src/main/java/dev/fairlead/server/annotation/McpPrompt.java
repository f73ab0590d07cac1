package dev.fairlead.server.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method is a prompt.
 *
 * <p>Its parameters are the arguments of the prompt, of types that are read from a string; it
 * returns a {@link dev.fairlead.protocol.prompts.GetPromptResult}. Values that cannot be converted
 * are refused with {@code -32602}; an enum completes by itself. See the package page for the rules
 * of all annotated methods.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/server/prompts Prompts
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface McpPrompt {
    /** The name of the prompt; by default that of the method. */
    String name() default "";

    /** The name that people see; none by default. */
    String title() default "";

    /**
     * The description of the prompt, for models; by default the Javadoc of the method. A prompt
     * needs one or the other.
     */
    String description() default "";

    /** Its icons. */
    McpIcon[] icons() default {};

    /**
     * The names of methods of the same class that decide which callers may see the prompt: each
     * takes a {@link dev.fairlead.protocol.Caller} and returns a {@code boolean}, and all must
     * return true. By default every caller may.
     */
    String[] visibleTo() default {};

    /**
     * The scopes that a caller must have to use the prompt, all of them; none by default. A caller
     * that lacks one sees the prompt; when it uses it, the error names the missing scopes.
     *
     * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
     *     Authorization
     */
    String[] requireScopes() default {};

    /**
     * Whether each use runs on a thread of its own, see {@link
     * dev.fairlead.server.PromptDeclaration#ownThread}: for methods that leave values in
     * thread-locals which a later request must not see.
     */
    boolean ownThread() default false;

    /** The metadata of the definition, beside the protocol: a JSON object; none by default. */
    String meta() default "";
}

package dev.fairlead.server.annotation;

import dev.fairlead.protocol.base.Role;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method reads a resource or, where its URI has variables in braces, the resources of a
 * template.
 *
 * <p>The parameters of the method are the variables of the template, one for each, of types that
 * are read from a string. The return type decides the form of the contents, as for {@link
 * dev.fairlead.server.Features#resource(String, String, Class)}. See the package page for the rules
 * of all annotated methods.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/server/resources Resources
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface McpResource {
    /** The URI, or a template of RFC 6570, levels 1 to 3. */
    String value();

    /** The name of the resource; by default that of the method. */
    String name() default "";

    /** The name that people see; none by default. */
    String title() default "";

    /** The description of the resource, for models; by default the Javadoc of the method. */
    String description() default "";

    /** Its icons. */
    McpIcon[] icons() default {};

    /**
     * The names of methods of the same class that decide which callers may see the resource: each
     * takes a {@link dev.fairlead.protocol.Caller} and returns a {@code boolean}, and all must
     * return true. By default every caller may.
     */
    String[] visibleTo() default {};

    /**
     * The scopes that a caller must have to use the resource, all of them; none by default. A
     * caller that lacks one sees the resource; when it uses it, the error names the missing scopes.
     *
     * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
     *     Authorization
     */
    String[] requireScopes() default {};

    /** The metadata of the definition, beside the protocol: a JSON object; none by default. */
    String meta() default "";

    /**
     * The type of the contents; by default none is declared; contents written as JSON get {@code
     * application/json}.
     */
    String mimeType() default "";

    /**
     * Whether each use runs on a thread of its own, see {@link
     * dev.fairlead.server.ResourceDeclaration#ownThread}: for methods that leave values in
     * thread-locals which a later request must not see.
     */
    boolean ownThread() default false;

    /**
     * How long clients of revision 2026-07-28 may keep the contents, in the form of {@link
     * java.time.Duration#parse}, such as {@code PT1H}; by default not at all. See {@link
     * dev.fairlead.server.ResourceDeclaration#cacheFor}.
     */
    String cacheFor() default "";

    /**
     * Whether caches may give the contents to every caller, whichever read them, see {@link
     * dev.fairlead.server.ResourceDeclaration#cachePublic}. Needs {@link #cacheFor}, and neither
     * {@link #visibleTo} nor {@link #requireScopes}.
     */
    boolean cachePublic() default false;

    /** How many bytes the contents have; not for templates; by default unknown. */
    long size() default -1;

    /** The audience of the resource; by default no role is named. */
    Role[] audience() default {};

    /** How important the resource is, from 0 to 1; by default none is sent. */
    double priority() default Double.NaN;

    /**
     * When the resource was last changed, such as {@code 2026-01-31T10:15:30Z}; by default unknown.
     */
    String lastModified() default "";

    /**
     * The name of a method of the same class that lists the present resources of a template, so
     * that {@code resources/list} has them too. It may take a {@link dev.fairlead.protocol.Caller}
     * and a {@link dev.fairlead.server.handler.Call}. It gives a collection: of the values of the
     * variable where there is one, of records with a component for each variable where there are
     * several.
     */
    String list() default "";
}

package dev.fairlead.server.annotation;

import dev.fairlead.protocol.tools.TaskSupport;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method is a tool.
 *
 * <p>Its parameters are the arguments of the tool. The return type decides the form of the result,
 * as for {@link dev.fairlead.server.Features#tool(String, String, Class, Class)}; {@code void} is
 * no content. See the package page for the rules of all annotated methods.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/server/tools Tools
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface McpTool {
    /**
     * The name of the tool, 1 to 128 of {@code A-Z a-z 0-9 _ - .}; by default that of the method.
     */
    String name() default "";

    /** The name that people see; none by default. */
    String title() default "";

    /**
     * The description of the tool, for models; by default the Javadoc of the method. A tool needs
     * one or the other.
     */
    String description() default "";

    /** Its icons. */
    McpIcon[] icons() default {};

    /**
     * The names of methods of the same class that decide which callers may see the tool: each takes
     * a {@link dev.fairlead.protocol.Caller} and returns a {@code boolean}, and all must return
     * true. By default every caller may.
     */
    String[] visibleTo() default {};

    /**
     * The scopes that a caller must have to use the tool, all of them; none by default. A caller
     * that lacks one sees the tool; when it uses it, the error names the missing scopes.
     *
     * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
     *     Authorization
     */
    String[] requireScopes() default {};

    /** The metadata of the definition, beside the protocol: a JSON object; none by default. */
    String meta() default "";

    /** Whether the tool changes nothing. */
    boolean readOnly() default false;

    /**
     * Whether the changes of the tool may destroy something, which clients also assume of a tool
     * without this hint.
     */
    boolean destructive() default false;

    /** Whether the tool only adds and never destroys; contradicts {@link #destructive}. */
    boolean additive() default false;

    /** Whether a repeated call with the same arguments changes nothing more. */
    boolean idempotent() default false;

    /**
     * Whether the tool deals with a closed world, such as a memory, and not with an open one, such
     * as the web.
     */
    boolean closedWorld() default false;

    /**
     * How long a call may take at most, in the form of {@link java.time.Duration#parse}, such as
     * {@code PT30S}; by default that of the server.
     */
    String timeout() default "";

    /**
     * Whether each call runs on a platform thread instead of a virtual one, see {@link
     * dev.fairlead.server.ToolDeclaration#blocking}: for tools that compute for long or call native
     * code.
     */
    boolean blocking() default false;

    /**
     * Whether arguments that the method does not have are ignored, where they are otherwise refused
     * by their name, see {@link dev.fairlead.server.ToolDeclaration#ignoreUnknownArguments}.
     */
    boolean ignoreUnknownArguments() default false;

    /**
     * Whether arguments may be strings that contain the value of another type, see {@link
     * dev.fairlead.server.ToolDeclaration#acceptTextArguments}.
     */
    boolean acceptTextArguments() default false;

    /**
     * Whether the method runs once for a call, also where it asks its client, and waits in this
     * process for the answers, see {@link dev.fairlead.server.ToolDeclaration#holdsWhileAsking}.
     */
    boolean holdsWhileAsking() default false;

    /**
     * Whether each use runs on a thread of its own, see {@link
     * dev.fairlead.server.ToolDeclaration#ownThread}: for methods that leave values in
     * thread-locals which a later request must not see.
     */
    boolean ownThread() default false;

    /** Whether the tool may or must be called as a task: never by default. */
    TaskSupport task() default TaskSupport.FORBIDDEN;

    /**
     * The name of a method of the same class that decides which calls become a task, see {@link
     * dev.fairlead.server.ToolDeclaration#taskWhen}: it takes any of the arguments of the tool, by
     * the names and types of its parameters, and a {@link dev.fairlead.protocol.Caller}, and gives
     * a {@code boolean}. By default all calls of clients that take tasks do. Only for tools whose
     * {@link #task} is {@link TaskSupport#OPTIONAL}.
     */
    String taskWhen() default "";

    /**
     * Whether a call becomes a task only when the method calls {@link
     * dev.fairlead.server.handler.Call#startTask}, see {@link
     * dev.fairlead.server.ToolDeclaration#taskLater}. Only for tools that may be called as a task.
     */
    boolean taskLater() default false;

    /**
     * Whether a task runs again from its start when the process that ran it has died; by default it
     * fails. Only for tools that may be called as a task.
     */
    boolean rerunAfterCrash() default false;

    /**
     * The text that the model receives as soon as a task was created; none by default. Only for
     * tools that may be called as a task.
     */
    String immediateResponse() default "";
}

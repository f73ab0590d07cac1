package dev.fairlead.server;

import dev.fairlead.json.TypeRef;
import dev.fairlead.peer.builder.InternalOptions;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.features.FeatureChange;
import dev.fairlead.server.features.FeatureKind;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Consumer;

/**
 * Where the features of a server are declared: its builder, and a change of a running server.
 *
 * <p>Each declaration is a chain of words that ends in {@code handle}, which leads back here. A
 * name that is declared twice is refused, and so is a declaration that is left without its {@code
 * handle}. Not thread-safe.
 *
 * @param <F> the builder or change itself
 */
public abstract class Features<F extends Features<F>> extends InternalOptions {
    final Chain<F> chain = new Chain<>(this::self);

    Features() {}

    abstract F self();

    // ---- tools

    /**
     * Declares a tool whose arguments are a record.
     *
     * <p>The output class decides the form of the result: {@link String} is a text block; {@link
     * dev.fairlead.protocol.content.Content}, a list of it and {@link CallToolResult} stand as they
     * are; {@link Void} is no content; anything else is structured content with a schema, and its
     * JSON as text. A structured output that is not an object is wrapped as {@code {"result": …}}.
     *
     * @param name 1 to 128 of {@code A-Z a-z 0-9 _ - .}; others work but are warned about
     * @param description the purpose of the tool, for the model that chooses
     * @param input a record with a component for each argument, or {@link NoInput}
     * @throws IllegalArgumentException if the description is empty, a class has no JSON form, the
     *     input is not an object, or an argument has a {@link dev.fairlead.protocol.tools.Header}
     *     that breaks the rules of the specification
     */
    public <I, O extends @Nullable Object> ToolDeclaration<F, I, O> tool(
            String name, String description, Class<I> input, Class<O> output) {
        return tool(name, description, TypeRef.of(input), TypeRef.of(output));
    }

    /**
     * Declares a tool like {@link #tool(String, String, Class, Class)}, for an output with type
     * arguments.
     */
    public <I, O extends @Nullable Object> ToolDeclaration<F, I, O> tool(
            String name, String description, Class<I> input, TypeRef<O> output) {
        return tool(name, description, TypeRef.of(input), output);
    }

    /**
     * Declares a tool like {@link #tool(String, String, Class, Class)}, for input and output with
     * type arguments.
     */
    public <I, O extends @Nullable Object> ToolDeclaration<F, I, O> tool(
            String name, String description, TypeRef<I> input, TypeRef<O> output) {
        return ToolDeclaration.typed(chain, name, description, input, output);
    }

    /**
     * Declares a tool by its definition. Arguments are checked against its schema, and so is
     * structured content if it declares an {@code outputSchema}. No member of the definition is
     * lost.
     *
     * @throws dev.fairlead.json.JsonSchemaException if a schema cannot be used
     * @throws IllegalArgumentException if the input is not an object, or an {@code x-mcp-header} in
     *     it breaks the rules of the specification
     */
    public ToolDeclaration<F, CallToolRequest, CallToolResult> tool(Tool definition) {
        return ToolDeclaration.raw(chain, definition);
    }

    /**
     * Declares tools that a source lists when it is asked: those of another server, those that each
     * caller has of their own, or more than can be held. A call goes to the source with the longest
     * prefix that its name begins with, after the tools that are declared by themselves.
     *
     * @param prefix how the names of these tools begin, such as {@code files.}; may be empty
     */
    public SourceDeclaration<F, Tool, CallToolRequest, CallToolResult> toolSource(String prefix) {
        return new SourceDeclaration<>(chain, FeatureKind.TOOL_SOURCE, prefix, Tool::name);
    }

    // ---- resources

    /**
     * Declares one resource. The output class decides the form of its contents: {@link String} is
     * text, {@code byte[]} is a blob, {@link ReadResourceResult} stands as it is, anything else is
     * JSON as text.
     *
     * @throws IllegalArgumentException if the URI is invalid (RFC 3986, with a scheme), or the
     *     class has no JSON form
     */
    public <O> ResourceDeclaration<F, O> resource(String uri, String name, Class<O> type) {
        return resource(uri, name, TypeRef.of(type));
    }

    /**
     * Declares a resource like {@link #resource(String, String, Class)}, for a type with type
     * arguments.
     */
    public <O> ResourceDeclaration<F, O> resource(String uri, String name, TypeRef<O> type) {
        return ResourceDeclaration.of(chain, new Resource(uri, name), type);
    }

    /** Declares one resource by its definition. No member of it is lost. */
    public ResourceDeclaration<F, ReadResourceResult> resource(Resource definition) {
        return ResourceDeclaration.of(chain, definition, TypeRef.of(ReadResourceResult.class));
    }

    /**
     * Declares resources whose URIs follow a template of RFC 6570, levels 1 to 3.
     *
     * <p>The variables bind to a record, with a component for each variable; a URI whose variables
     * do not fit the record is a URI without resource. The output class is as for {@link
     * #resource(String, String, Class)}.
     *
     * @throws IllegalArgumentException if the template cannot be read, or variables and components
     *     differ
     */
    public <I, O> ResourceTemplateDeclaration<F, I, O> resourceTemplate(
            String uriTemplate, String name, Class<I> variables, Class<O> type) {
        return resourceTemplate(uriTemplate, name, TypeRef.of(variables), TypeRef.of(type));
    }

    /**
     * Declares a template like {@link #resourceTemplate(String, String, Class, Class)}, for types
     * with type arguments.
     */
    public <I, O> ResourceTemplateDeclaration<F, I, O> resourceTemplate(
            String uriTemplate, String name, TypeRef<I> variables, TypeRef<O> type) {
        return ResourceTemplateDeclaration.typed(
                chain, new ResourceTemplate(uriTemplate, name), variables, type);
    }

    /**
     * Declares a template by its definition; the handler gets the URI. No member of the definition
     * is lost.
     */
    public ResourceTemplateDeclaration<F, ReadResourceRequest, ReadResourceResult> resourceTemplate(
            ResourceTemplate definition) {
        return ResourceTemplateDeclaration.raw(chain, definition);
    }

    /**
     * Declares resources that a source lists when it is asked, page by page: more than can be held,
     * or those that each caller has of their own. A URI goes to the source with the longest prefix
     * that it begins with, after the resources and templates that are declared by themselves.
     *
     * @param prefix how the URIs of these resources begin, such as {@code db://rows/}
     */
    public SourceDeclaration<F, Resource, ReadResourceRequest, ReadResourceResult> resourceSource(
            String prefix) {
        return new SourceDeclaration<>(chain, FeatureKind.RESOURCE_SOURCE, prefix, Resource::uri);
    }

    // ---- prompts

    /**
     * Declares a prompt whose arguments are a record. On the wire they are strings; values that
     * cannot be converted are refused with {@code -32602}. An enum component completes by itself.
     *
     * @param description the purpose of the prompt, for the person who chooses
     * @param arguments a record with a component for each argument, or {@link NoInput}
     * @throws IllegalArgumentException if the description is empty
     */
    public <I> PromptDeclaration<F, I> prompt(String name, String description, Class<I> arguments) {
        return prompt(name, description, TypeRef.of(arguments));
    }

    /**
     * Declares a prompt like {@link #prompt(String, String, Class)}, for arguments with type
     * arguments.
     */
    public <I> PromptDeclaration<F, I> prompt(
            String name, String description, TypeRef<I> arguments) {
        return PromptDeclaration.typed(chain, name, description, arguments);
    }

    /** Declares a prompt by its definition. No member of it is lost. */
    public PromptDeclaration<F, GetPromptRequest> prompt(Prompt definition) {
        return PromptDeclaration.raw(chain, definition);
    }

    // ---- beyond the protocol

    /**
     * Declares a method of your own.
     *
     * @param name no method of the protocol; best with a prefix, such as {@code
     *     com.example/reindex}
     * @param params the class of the parameters, an object
     * @param result the class of the result, an object
     */
    public <I, O> MethodDeclaration<F, I, O> method(String name, Class<I> params, Class<O> result) {
        return new MethodDeclaration<>(chain, name, params, result);
    }

    /**
     * Declares a notification that the server listens to: one of your own, or {@code
     * notifications/initialized} and {@code notifications/roots/list_changed}.
     *
     * @param params the class of the parameters, an object
     */
    public <I> NotificationDeclaration<F, I> notification(String name, Class<I> params) {
        return new NotificationDeclaration<>(chain, name, params);
    }

    /** Takes in the features that a method declares, such as {@code Shop::billing}. */
    public F features(Consumer<? super Features<F>> module) {
        module.accept(this);
        return self();
    }

    /** Returns all changes, in order. */
    final List<FeatureChange<?>> changes() {
        return chain.changes();
    }
}

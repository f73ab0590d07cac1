package dev.fairlead.server;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.base.Annotations;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.protocol.uri.UriTemplate;
import dev.fairlead.server.completion.Completions;
import dev.fairlead.server.completion.Variables;
import dev.fairlead.server.features.FeatureKind;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Completer;
import dev.fairlead.server.handler.Handler;
import dev.fairlead.server.handler.Lister;
import dev.fairlead.server.resources.ResourceOutput;
import dev.fairlead.server.resources.ServerResourceTemplate;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * A resource template between its URI template and its {@link #handle}. Not thread-safe.
 *
 * @param <F> the features that {@link #handle} returns to continue the chain
 * @param <I> the record of the variables, or a {@link ReadResourceRequest}
 * @param <O> the output of the handler
 */
public final class ResourceTemplateDeclaration<F, I, O>
        extends ContentsDeclaration<
                F, ServerResourceTemplate, ResourceTemplateDeclaration<F, I, O>> {
    private final UriTemplate template;
    private final @Nullable Variables<I> variables; // null: the handler gets the request
    private final TypeRef<O> type;
    private final Completions.Builder completions = new Completions.Builder();
    private ResourceTemplate definition;
    private @Nullable Lister<I> lister;

    private ResourceTemplateDeclaration(
            Chain<F> chain,
            ResourceTemplate definition,
            UriTemplate template,
            @Nullable Variables<I> variables,
            TypeRef<O> type) {
        super(chain, FeatureKind.TEMPLATE, definition.uriTemplate());
        this.definition = definition;
        this.template = template;
        this.variables = variables;
        this.type = type;
    }

    static <F, I, O> ResourceTemplateDeclaration<F, I, O> typed(
            Chain<F> chain, ResourceTemplate definition, TypeRef<I> input, TypeRef<O> type) {
        UriTemplate template = new UriTemplate(definition.uriTemplate());
        Variables<I> variables = new Variables<>(input);
        if (!variables.names().equals(template.variables())) {
            throw new IllegalArgumentException(
                    "the template "
                            + template
                            + " has the variables "
                            + template.variables()
                            + " but "
                            + input
                            + " has the components "
                            + variables.names());
        }
        ResourceTemplate known =
                ResourceOutput.isJson(type)
                        ? definition.withMimeType(ResourceOutput.JSON)
                        : definition;
        return new ResourceTemplateDeclaration<>(chain, known, template, variables, type);
    }

    static <F> ResourceTemplateDeclaration<F, ReadResourceRequest, ReadResourceResult> raw(
            Chain<F> chain, ResourceTemplate definition) {
        return new ResourceTemplateDeclaration<>(
                chain,
                definition,
                new UriTemplate(definition.uriTemplate()),
                null,
                TypeRef.of(ReadResourceResult.class));
    }

    /** The name that people see. */
    public ResourceTemplateDeclaration<F, I, O> title(String title) {
        definition = definition.withTitle(Objects.requireNonNull(title, "title"));
        return this;
    }

    /**
     * Describes the resources, for models.
     *
     * @throws IllegalArgumentException if it is empty
     */
    public ResourceTemplateDeclaration<F, I, O> description(String description) {
        definition = definition.withDescription(descriptionIfAny(description));
        return this;
    }

    /**
     * The type that the contents of all these resources have; contents written as JSON get {@code
     * application/json} without it.
     */
    public ResourceTemplateDeclaration<F, I, O> mimeType(String mimeType) {
        definition = definition.withMimeType(Objects.requireNonNull(mimeType, "mimeType"));
        return this;
    }

    /** Sets the audience and importance of the resources. */
    public ResourceTemplateDeclaration<F, I, O> annotations(Annotations annotations) {
        definition = definition.withAnnotations(Objects.requireNonNull(annotations, "annotations"));
        return this;
    }

    /** Attaches metadata to the definition, beside the protocol. */
    public ResourceTemplateDeclaration<F, I, O> meta(JsonObject meta) {
        definition = definition.withMeta(Objects.requireNonNull(meta, "meta"));
        return this;
    }

    /**
     * Proposes values for a variable.
     *
     * @throws IllegalArgumentException if the template has no such variable
     */
    public ResourceTemplateDeclaration<F, I, O> complete(String variable, Completer completer) {
        completions.add(variable, completer, template.variables(), "the template " + template);
        return this;
    }

    /**
     * Lists the resources that the template stands for, so that {@code resources/list} has them
     * too; without it a template adds nothing there.
     *
     * @throws IllegalStateException if the handler of this template gets the bare URI
     */
    public ResourceTemplateDeclaration<F, I, O> list(Lister<I> resources) {
        if (variables == null) {
            throw new IllegalStateException(
                    "a template declared by its definition has no record to list");
        }
        lister = Objects.requireNonNull(resources, "resources");
        return this;
    }

    /** Gives the resources their body, which reads their contents, and ends the declaration. */
    public F handle(Handler<I, O> handler) {
        Objects.requireNonNull(handler, "handler");
        if (variables != null) {
            completions.addConstants(variables);
        }
        ResourceTemplate done = definition.withIcons(icons(definition.icons()));
        ServerResourceTemplate entry =
                new ServerResourceTemplate(
                        done,
                        template,
                        access(),
                        pace(),
                        completions.build(template.variables()),
                        reader(handler, done.mimeType()),
                        lister == null || variables == null
                                ? null
                                : expander(done, variables, lister));
        return add(entry);
    }

    private ServerResourceTemplate.Reader reader(Handler<I, O> handler, @Nullable String mimeType) {
        ResourceOutput<O> output = ResourceOutput.of(type);
        UnaryOperator<ReadResourceResult> hinting = hinting();
        Variables<I> record = variables;
        return (uri, values, call) -> {
            I input;
            try {
                input = record == null ? bare(uri) : record.read(values);
            } catch (JsonBindingException e) {
                return Optional.empty();
            }
            return Optional.of(
                    hinting.apply(output.contents(uri, mimeType, handler.handle(input, call))));
        };
    }

    /** Without a record, {@code I} is the request: see {@link #raw}. */
    @SuppressWarnings("unchecked")
    private I bare(String uri) {
        return (I) new ReadResourceRequest(uri);
    }

    private ServerResourceTemplate.Expander expander(
            ResourceTemplate done, Variables<I> record, Lister<I> source) {
        return (Caller caller, Call call) -> {
            Map<String, Resource> byUri = new TreeMap<>();
            for (I one : source.list(caller, call)) {
                Map<String, String> values = record.write(one);
                String uri = template.expand(values);
                byUri.put(uri, resource(done, uri, values));
            }
            return List.copyOf(byUri.values());
        };
    }

    /**
     * A listed resource is named like its variables, since it shares everything else with its
     * siblings.
     */
    private static Resource resource(
            ResourceTemplate template, String uri, Map<String, String> values) {
        String name = template.name() + " " + String.join(" ", values.values());
        return new Resource(uri, name.strip())
                .withDescription(template.description())
                .withMimeType(template.mimeType())
                .withAnnotations(template.annotations())
                .withIcons(template.icons());
    }
}

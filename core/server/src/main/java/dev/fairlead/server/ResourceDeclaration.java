package dev.fairlead.server;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.base.Annotations;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.server.features.FeatureKind;
import dev.fairlead.server.handler.Handler;
import dev.fairlead.server.resources.ResourceOutput;
import dev.fairlead.server.resources.ServerResource;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * A resource between its URI and its {@link #handle}. Not thread-safe.
 *
 * @param <F> the features that {@link #handle} returns to continue the chain
 * @param <O> the output of the handler
 */
public final class ResourceDeclaration<F, O>
        extends ContentsDeclaration<F, ServerResource, ResourceDeclaration<F, O>> {
    private final ResourceOutput<O> output;
    private Resource resource;

    private ResourceDeclaration(Chain<F> chain, Resource resource, ResourceOutput<O> output) {
        super(chain, FeatureKind.RESOURCE, resource.uri());
        this.resource = resource;
        this.output = output;
    }

    static <F, O> ResourceDeclaration<F, O> of(Chain<F> chain, Resource resource, TypeRef<O> type) {
        requireUri(resource.uri());
        boolean json = ResourceOutput.isJson(type) && resource.mimeType() == null;
        return new ResourceDeclaration<>(
                chain,
                json ? resource.withMimeType(ResourceOutput.JSON) : resource,
                ResourceOutput.of(type));
    }

    /** Resources have URIs with a scheme. Many clients would ask for the encoded form alone. */
    static void requireUri(String uri) {
        try {
            URI parsed = new URI(uri);
            if (!parsed.isAbsolute()) {
                throw new IllegalArgumentException(
                        "the URI of a resource must have a scheme but was " + uri);
            }
            if (!parsed.toASCIIString().equals(uri)) {
                throw new IllegalArgumentException(
                        "the URI of a resource must be percent-encoded, as "
                                + parsed.toASCIIString()
                                + ", but was "
                                + uri);
            }
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "the URI of a resource must follow RFC 3986 but was " + uri, e);
        }
    }

    /** The name that people see. */
    public ResourceDeclaration<F, O> title(String title) {
        resource = resource.withTitle(Objects.requireNonNull(title, "title"));
        return this;
    }

    /**
     * Describes the resource, for models.
     *
     * @throws IllegalArgumentException if it is empty
     */
    public ResourceDeclaration<F, O> description(String description) {
        resource = resource.withDescription(descriptionIfAny(description));
        return this;
    }

    /**
     * The type of the contents; contents written as JSON get {@code application/json} without it.
     */
    public ResourceDeclaration<F, O> mimeType(String mimeType) {
        resource = resource.withMimeType(Objects.requireNonNull(mimeType, "mimeType"));
        return this;
    }

    /** How many bytes the contents have. */
    public ResourceDeclaration<F, O> size(long bytes) {
        resource = resource.withSize(bytes);
        return this;
    }

    /** Sets the audience and importance of the resource, and when it was changed. */
    public ResourceDeclaration<F, O> annotations(Annotations annotations) {
        resource = resource.withAnnotations(Objects.requireNonNull(annotations, "annotations"));
        return this;
    }

    /** Attaches metadata to the definition, beside the protocol. */
    public ResourceDeclaration<F, O> meta(JsonObject meta) {
        resource = resource.withMeta(Objects.requireNonNull(meta, "meta"));
        return this;
    }

    /** Gives the resource its body, which reads the contents, and ends the declaration. */
    public F handle(Handler<ReadResourceRequest, O> handler) {
        Objects.requireNonNull(handler, "handler");
        UnaryOperator<ReadResourceResult> hinting = hinting();
        Resource definition = resource.withIcons(icons(resource.icons()));
        Handler<ReadResourceRequest, ReadResourceResult> body =
                (request, call) ->
                        hinting.apply(
                                output.contents(
                                        definition.uri(),
                                        definition.mimeType(),
                                        handler.handle(request, call)));
        return add(new ServerResource(definition, access(), pace(), body));
    }
}

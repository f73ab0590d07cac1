package dev.fairlead.processor;

import com.palantir.javapoet.CodeBlock;

import dev.fairlead.protocol.base.Annotations;
import dev.fairlead.protocol.base.Role;
import dev.fairlead.protocol.uri.UriTemplate;
import dev.fairlead.server.annotation.McpResource;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import javax.lang.model.element.ExecutableElement;

/** Reads methods with {@link McpResource}. */
final class ResourceReader {
    private final Methods methods;
    private final HandlerReader handlers;

    ResourceReader(Methods methods, HandlerReader handlers) {
        this.methods = methods;
        this.handlers = handlers;
    }

    static String subject(String uri) {
        return isTemplate(uri) ? "the template " + uri : "the resource " + uri;
    }

    private static boolean isTemplate(String uri) {
        return uri.indexOf('{') >= 0 || uri.indexOf('}') >= 0;
    }

    Feature read(ExecutableElement method, McpResource resource) throws Problem {
        var common = new CommonWords(methods, method, McpResource.class);
        if (HandlerReader.isVoid(method)) {
            throw Problem.at(
                    method,
                    subject(resource.value())
                            + " has no contents: the method "
                            + method.getSimpleName()
                            + " must return String, byte[], ReadResourceResult, or a type that"
                            + " becomes JSON");
        }
        Feature feature =
                isTemplate(resource.value())
                        ? template(method, resource, common)
                        : single(method, resource, common);
        common.title(feature, resource.title());
        String description = common.description(resource.description());
        if (!description.isEmpty()) {
            feature.word("description($S)", description);
        }
        if (!resource.mimeType().isEmpty()) {
            feature.word("mimeType($S)", resource.mimeType());
        }
        size(feature, resource, common);
        caching(feature, resource, common);
        annotations(feature, resource, common);
        common.icons(feature, resource.icons());
        common.visibleTo(feature, resource.visibleTo());
        common.requireScopes(feature, resource.requireScopes());
        common.ownThread(feature, resource.ownThread());
        common.meta(feature, resource.meta());
        return feature;
    }

    // ---- one resource

    private Feature single(ExecutableElement method, McpResource resource, CommonWords common)
            throws Problem {
        requireUri(resource.value(), common);
        if (!resource.list().isEmpty()) {
            throw common.problem(
                    "list",
                    "only a template lists resources, and " + resource.value() + " is none");
        }
        HandlerMethod handler = handlers.read(method, "Variables", true);
        if (!handler.components().isEmpty()) {
            throw Problem.at(
                    handler.components().get(0).declared(),
                    "the resource "
                            + resource.value()
                            + " has no variables, so its method takes nothing but a Call");
        }
        return new Feature(
                subject(resource.value()),
                handler,
                CodeBlock.of(
                        "resource(\n$>$>$S,\n$S,\n$L)$<$<",
                        resource.value(),
                        common.name(resource.name()),
                        handlers.returned(method)));
    }

    private static void requireUri(String uri, CommonWords common) throws Problem {
        URI parsed;
        try {
            parsed = new URI(uri);
        } catch (URISyntaxException e) {
            throw common.problem(
                    "value", "the URI of a resource must follow RFC 3986 but was " + uri);
        }
        if (!parsed.isAbsolute()) {
            throw common.problem(
                    "value", "the URI of a resource must have a scheme but was " + uri);
        }
        String encoded = parsed.toASCIIString();
        if (!encoded.equals(uri)) {
            throw common.problem(
                    "value",
                    "the URI of a resource must be percent-encoded, as "
                            + encoded
                            + ", but was "
                            + uri);
        }
    }

    // ---- a template

    private Feature template(ExecutableElement method, McpResource resource, CommonWords common)
            throws Problem {
        HandlerMethod handler = handlers.read(method, "Variables", true);
        Set<String> variables = variables(resource.value(), common);
        requireVariables(variables, handler, resource.value());
        requireParameters(variables, handler, common);
        var feature =
                new Feature(
                        subject(resource.value()),
                        handler,
                        CodeBlock.of(
                                "resourceTemplate(\n$>$>$S,\n$S,\n$L,\n$L)$<$<",
                                resource.value(),
                                common.name(resource.name()),
                                handlers.input(handler),
                                handlers.returned(method)));
        if (!resource.list().isEmpty()) {
            new ListReader(methods, common).read(feature, resource.list());
        }
        return feature;
    }

    private static Set<String> variables(String template, CommonWords common) throws Problem {
        try {
            return new UriTemplate(template).variables();
        } catch (IllegalArgumentException e) {
            throw common.problem("value", String.valueOf(e.getMessage()));
        }
    }

    private static void requireVariables(
            Set<String> variables, HandlerMethod handler, String template) throws Problem {
        for (Component component : handler.components()) {
            if (!variables.contains(component.name())) {
                throw Problem.at(
                        component.declared(),
                        "the template "
                                + template
                                + " has no variable "
                                + component.name()
                                + " but "
                                + variables);
            }
        }
    }

    private static void requireParameters(
            Set<String> variables, HandlerMethod handler, CommonWords common) throws Problem {
        for (String variable : variables) {
            boolean known =
                    handler.components().stream().anyMatch(one -> one.name().equals(variable));
            if (!known && handler.isComplete()) {
                throw common.problem(
                        "value",
                        "the variable "
                                + variable
                                + " has no parameter; the method "
                                + handler.method().getSimpleName()
                                + " has "
                                + CommonWords.names(handler));
            }
        }
    }

    // ---- options

    private static void size(Feature feature, McpResource resource, CommonWords common)
            throws Problem {
        if (resource.size() == -1) {
            return;
        }
        if (resource.size() < 0 || isTemplate(resource.value())) {
            throw common.problem(
                    "size", "a size is for one resource, not for a template, and not negative");
        }
        feature.word("size($LL)", resource.size());
    }

    private static void caching(Feature feature, McpResource resource, CommonWords common)
            throws Problem {
        String text = resource.cacheFor();
        if (!text.isEmpty()) {
            if (common.duration("cacheFor", text, "a time to keep contents", "PT1H").isNegative()) {
                throw common.problem(
                        "cacheFor", "a time to keep contents must not be negative but was " + text);
            }
            feature.word("cacheFor($T.parse($S))", Duration.class, text);
        }
        if (resource.cachePublic()) {
            requirePublic(resource, common);
            feature.word("cachePublic()");
        }
    }

    private static void requirePublic(McpResource resource, CommonWords common) throws Problem {
        if (resource.cacheFor().isEmpty()) {
            throw common.problem(
                    "cachePublic", "contents that nothing keeps need no scope; give cacheFor = …");
        }
        if (resource.visibleTo().length > 0 || resource.requireScopes().length > 0) {
            throw common.problem(
                    "cachePublic",
                    "contents that are kept for every caller cannot be kept from some, by"
                            + " visibleTo or requireScopes");
        }
    }

    private static void annotations(Feature feature, McpResource resource, CommonWords common)
            throws Problem {
        CodeBlock.Builder code = CodeBlock.builder();
        Role[] audience = resource.audience();
        if (audience.length > 0) {
            CodeBlock roles =
                    Arrays.stream(audience)
                            .map(role -> CodeBlock.of("$T.$L", Role.class, role))
                            .collect(CodeBlock.joining(", "));
            code.add(".withAudience($T.of($L))", List.class, roles);
        }
        double priority = resource.priority();
        if (!Double.isNaN(priority)) {
            if (!(priority >= 0 && priority <= 1)) {
                throw common.problem(
                        "priority", "a priority must be from 0 to 1 but was " + priority);
            }
            code.add(".withPriority($L)", priority);
        }
        String modified = resource.lastModified();
        if (!modified.isEmpty()) {
            requireTime(modified, common);
            code.add(".withLastModified($S)", modified);
        }
        if (!code.isEmpty()) {
            feature.word("annotations($T.NONE$L)", Annotations.class, code.build());
        }
    }

    private static void requireTime(String text, CommonWords common) throws Problem {
        try {
            OffsetDateTime.parse(text);
        } catch (DateTimeException e) {
            throw common.problem(
                    "lastModified",
                    "lastModified must be a date-time such as 2026-01-31T10:15:30Z but was "
                            + text);
        }
    }
}

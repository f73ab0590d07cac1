package dev.fairlead.server.resources;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.base.EmptyResult;
import dev.fairlead.protocol.base.PaginatedRequest;
import dev.fairlead.protocol.resources.ListResourceTemplatesResult;
import dev.fairlead.protocol.resources.ListResourcesResult;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceNotFoundException;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.protocol.resources.SubscribeRequest;
import dev.fairlead.protocol.resources.UnsubscribeRequest;
import dev.fairlead.server.call.Access;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.completion.Completions;
import dev.fairlead.server.pagination.Catalog;
import dev.fairlead.server.pagination.PageUnderWay;
import dev.fairlead.server.pagination.Paging;
import dev.fairlead.server.pagination.ServerSource;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** {@code resources/…}. */
public final class ResourceMethods {
    private final ResourceSet resources;
    private final Paging paging;

    public ResourceMethods(ResourceSet resources, Paging paging) {
        this.resources = resources;
        this.paging = paging;
    }

    public ListResourceTemplatesResult listTemplates(PaginatedRequest request, ServerCall call)
            throws Exception {
        Catalog<ServerResourceTemplate> templates = resources.templates();
        PageUnderWay<ResourceTemplate> page =
                paging.begin("templates", request.cursor(), call.caller(), templates);
        Paging.fill(
                page,
                Paging.each(page, templates, call.caller(), ServerResourceTemplate::definition));
        return new ListResourceTemplatesResult(page.items(), page.nextCursor());
    }

    public ListResourcesResult list(PaginatedRequest request, ServerCall call) throws Exception {
        PageUnderWay<Resource> page =
                paging.begin(
                        "resources",
                        request.cursor(),
                        call.caller(),
                        resources.resources(),
                        resources.templates(),
                        resources.sources());
        List<Paging.Listed<Resource>> listed =
                Paging.each(page, resources.resources(), call.caller(), ServerResource::definition);
        for (var entry : page.due(resources.templates())) {
            ServerResourceTemplate.Expander lister = entry.feature().lister();
            if (lister != null && entry.feature().isVisibleTo(call.caller())) {
                listed.add(
                        new Paging.Listed<>(entry.number(), to -> addAll(to, entry, lister, call)));
            }
        }
        listed.addAll(Paging.sources(page, resources.sources(), call.call()));
        Paging.fill(page, listed);
        return new ListResourcesResult(page.items(), page.nextCursor());
    }

    /** Adds the resources that a template lists, but for those that are declared by themselves. */
    private void addAll(
            PageUnderWay<Resource> page,
            Catalog.Entry<ServerResourceTemplate> template,
            ServerResourceTemplate.Expander lister,
            ServerCall call)
            throws Exception {
        String after = page.within(template);
        for (Resource resource : lister.list(call.caller(), call.call())) {
            boolean due = resource.uri().compareTo(after) > 0;
            if (due && resources.resources().find(resource.uri()) == null) {
                page.add(template, resource.uri(), resource);
            }
        }
    }

    // ---- resources/read

    public ReadResourceResult read(ReadResourceRequest request, ServerCall call) throws Exception {
        ServerResource resource = resources.resources().find(request.uri(), call.caller());
        if (resource != null) {
            resource.access().admit(call.caller());
            return resource.handler().handle(request, call.call());
        }
        for (Match match : matches(request.uri(), call.caller())) {
            match.template().access().admit(call.caller());
            Optional<ReadResourceResult> result =
                    match.template().reader().read(request.uri(), match.variables(), call.call());
            if (result.isPresent()) {
                return result.get();
            }
        }
        var source = ServerSource.find(resources.sources(), request.uri(), call.caller());
        if (source == null) {
            throw new ResourceNotFoundException(request.uri());
        }
        return source.handler().handle(request, call.call());
    }

    private record Match(ServerResourceTemplate template, Map<String, String> variables) {}

    /** The templates that match, those with the most fixed text first. */
    private List<Match> matches(String uri, Caller caller) {
        List<Match> matches = new ArrayList<>();
        for (var entry : resources.templates().entries()) {
            ServerResourceTemplate template = entry.feature();
            if (template.isVisibleTo(caller)) {
                template.template()
                        .match(uri)
                        .ifPresent(values -> matches.add(new Match(template, values)));
            }
        }
        matches.sort(
                Comparator.comparingInt(
                                (Match match) -> match.template().template().literalLength())
                        .reversed());
        return matches;
    }

    // ---- subscriptions

    public EmptyResult subscribe(SubscribeRequest request, ServerCall call) {
        Access access = access(request.uri(), call.caller());
        if (access == null) {
            throw new ResourceNotFoundException(request.uri());
        }
        access.admit(call.caller());
        call.requireSession().announcements().subscribe(request.uri());
        return EmptyResult.EMPTY;
    }

    public EmptyResult unsubscribe(UnsubscribeRequest request, ServerCall call) {
        call.requireSession().announcements().unsubscribe(request.uri());
        return EmptyResult.EMPTY;
    }

    /** Returns whether there is such a resource, judged by its URI alone, that a caller may use. */
    public boolean isVisible(String uri, Caller caller) {
        Access access = access(uri, caller);
        return access != null && access.admits(caller);
    }

    /** Returns which callers may use a resource, judged by its URI alone; null if it is unknown. */
    private @Nullable Access access(String uri, Caller caller) {
        ServerResource resource = resources.resources().find(uri, caller);
        if (resource != null) {
            return resource.access();
        }
        List<Match> matches = matches(uri, caller);
        if (!matches.isEmpty()) {
            return matches.getFirst().template().access();
        }
        var source = ServerSource.find(resources.sources(), uri, caller);
        return source == null ? null : source.access();
    }

    // ---- completion/complete

    /** Returns the completions of a template, by its text, or of a plain resource: none. */
    public Completions completions(String uri, ServerCall call) {
        ServerResourceTemplate template = resources.templates().find(uri, call.caller());
        if (template != null) {
            template.access().admit(call.caller());
            return template.completions();
        }
        ServerResource resource = resources.resources().find(uri, call.caller());
        if (resource != null) {
            resource.access().admit(call.caller());
            return new Completions(Set.of(), Map.of());
        }
        throw JsonRpcException.invalidParams("Unknown resource template: " + uri);
    }
}

package dev.fairlead.server;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.EmptyResult;
import dev.fairlead.protocol.ListResourceTemplatesRequest;
import dev.fairlead.protocol.ListResourceTemplatesResult;
import dev.fairlead.protocol.ListResourcesRequest;
import dev.fairlead.protocol.ListResourcesResult;
import dev.fairlead.protocol.McpErrorCode;
import dev.fairlead.protocol.ReadResourceRequest;
import dev.fairlead.protocol.ReadResourceResult;
import dev.fairlead.protocol.Resource;
import dev.fairlead.protocol.ResourceTemplate;
import dev.fairlead.protocol.SubscribeRequest;
import dev.fairlead.protocol.UnsubscribeRequest;
import dev.fairlead.server.internal.Cursor;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code resources/…}. */
final class ResourceMethods {
    private final Paging paging;

    ResourceMethods(Paging paging) {
        this.paging = paging;
    }

    ListResourceTemplatesResult listTemplates(
            ListResourceTemplatesRequest request, ServerCall call) {
        Paging.Page<ResourceTemplate> page =
                paging.page(
                        "templates",
                        request.cursor(),
                        call.session().features().templates(),
                        template ->
                                template.isVisibleTo(call.caller()) ? template.definition() : null);
        return new ListResourceTemplatesResult(page.items()).withNextCursor(page.nextCursor());
    }

    // ---- resources/list

    /** Something in the order of the list: a resource, or a template that lists its own. */
    private sealed interface Listed {
        long number();

        record One(long number, ServerResource resource) implements Listed {}

        record Many(
                long number,
                ServerResourceTemplate template,
                ServerResourceTemplate.Expander lister)
                implements Listed {}
    }

    ListResourcesResult list(ListResourcesRequest request, ServerCall call) throws Exception {
        Cursor start =
                request.cursor() == null
                        ? new Cursor("resources", 0, "")
                        : Cursor.decode("resources", request.cursor());
        FeatureSet features = call.session().features();
        PageUnderWay page = new PageUnderWay(start);
        for (Listed listed : listedFrom(features, start, call)) {
            switch (listed) {
                case Listed.One one -> page.add(one.number(), "", one.resource().definition());
                case Listed.Many many -> {
                    String after = many.number() == start.feature() ? start.within() : "";
                    for (Resource resource : many.lister().list(call.caller(), call)) {
                        boolean due = resource.uri().compareTo(after) > 0;
                        if (due && features.resources().find(resource.uri()) == null) {
                            page.add(many.number(), resource.uri(), resource);
                        }
                    }
                }
            }
            if (page.isFull()) {
                break;
            }
        }
        return page.result();
    }

    /**
     * What the caller may see from the cursor on, by number; a template that the last page ended
     * within comes first.
     */
    private static List<Listed> listedFrom(FeatureSet features, Cursor start, ServerCall call) {
        List<Listed> listed = new ArrayList<>();
        for (var entry : features.resources().after(start.feature())) {
            if (entry.feature().isVisibleTo(call.caller())) {
                listed.add(new Listed.One(entry.number(), entry.feature()));
            }
        }
        long before = start.within().isEmpty() ? start.feature() : start.feature() - 1;
        for (var entry : features.templates().after(before)) {
            ServerResourceTemplate.Expander lister = entry.feature().lister();
            if (lister != null && entry.feature().isVisibleTo(call.caller())) {
                listed.add(new Listed.Many(entry.number(), entry.feature(), lister));
            }
        }
        listed.sort(Comparator.comparingLong(Listed::number));
        return listed;
    }

    /** A page that fills up, and finds out whether there is another one. */
    private final class PageUnderWay {
        private final List<Resource> items = new ArrayList<>();
        private Cursor last;
        private boolean more;

        PageUnderWay(Cursor start) {
            last = start;
        }

        boolean isFull() {
            return more;
        }

        void add(long number, String within, Resource resource) {
            if (items.size() == paging.size()) {
                more = true;
            } else {
                items.add(resource);
                last = new Cursor("resources", number, within);
            }
        }

        ListResourcesResult result() {
            return new ListResourcesResult(items).withNextCursor(more ? last.encode() : null);
        }
    }

    // ---- resources/read

    ReadResourceResult read(ReadResourceRequest request, ServerCall call) throws Exception {
        ServerResource resource = call.session().features().resources().find(request.uri());
        if (resource != null && resource.isVisibleTo(call.caller())) {
            return resource.handler().handle(request, call);
        }
        for (Match match : matches(request.uri(), call)) {
            Optional<ReadResourceResult> result =
                    match.template().reader().read(request.uri(), match.variables(), call);
            if (result.isPresent()) {
                return result.get();
            }
        }
        throw notFound(request.uri());
    }

    private record Match(ServerResourceTemplate template, Map<String, String> variables) {}

    /** The templates that match, those with the most fixed text first. */
    private static List<Match> matches(String uri, ServerCall call) {
        List<Match> matches = new ArrayList<>();
        for (var entry : call.session().features().templates().entries()) {
            ServerResourceTemplate template = entry.feature();
            if (template.isVisibleTo(call.caller())) {
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

    private static JsonRpcException notFound(String uri) {
        return new JsonRpcException(
                McpErrorCode.RESOURCE_NOT_FOUND, "Resource not found", JsonObject.of("uri", uri));
    }

    // ---- subscriptions

    EmptyResult subscribe(SubscribeRequest request, ServerCall call) {
        if (!exists(request.uri(), call)) {
            throw notFound(request.uri());
        }
        call.session().subscribe(request.uri());
        return EmptyResult.EMPTY;
    }

    EmptyResult unsubscribe(UnsubscribeRequest request, ServerCall call) {
        call.session().unsubscribe(request.uri());
        return EmptyResult.EMPTY;
    }

    /** Whether there is such a resource, as far as its URI tells. */
    private static boolean exists(String uri, ServerCall call) {
        @Nullable ServerResource resource = call.session().features().resources().find(uri);
        return (resource != null && resource.isVisibleTo(call.caller()))
                || !matches(uri, call).isEmpty();
    }
}

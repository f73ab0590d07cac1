package dev.fairlead.client.group;

import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.protocol.uri.UriTemplate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which server a URI leads to. Immutable. */
final class Routes {
    /** The most templates of one server that a URI is matched with. */
    static final int MAX_TEMPLATES = 1_000;

    /** The most variables of these together, which decide on the time that it takes. */
    static final int MAX_VARIABLES = 4_000;

    private final Map<String, String> serverByUri = new HashMap<>();
    private final Map<String, String> serverByTemplate = new HashMap<>();
    private final List<Pattern> patterns = new ArrayList<>();

    /** A template that a URI can match. */
    private record Pattern(UriTemplate template, String server) {}

    Routes(List<GroupItem<Resource>> resources, List<GroupItem<ResourceTemplate>> templates) {
        resources.forEach(resource -> serverByUri.put(resource.name(), resource.server()));
        Map<String, Integer> counts = new HashMap<>();
        Map<String, Integer> variables = new HashMap<>();
        for (GroupItem<ResourceTemplate> template : templates) {
            serverByTemplate.put(template.name(), template.server());
            if (counts.merge(template.server(), 1, Integer::sum) <= MAX_TEMPLATES) {
                readable(template.name())
                        .filter(
                                read ->
                                        variables.merge(
                                                        template.server(),
                                                        read.variables().size(),
                                                        Integer::sum)
                                                <= MAX_VARIABLES)
                        .ifPresent(read -> patterns.add(new Pattern(read, template.server())));
            }
        }
        patterns.sort(
                Comparator.comparingInt((Pattern each) -> each.template().literalLength())
                        .reversed());
    }

    /** Returns a template that this library can read; a URI of another is tried at each server. */
    private static Optional<UriTemplate> readable(String template) {
        try {
            return Optional.of(new UriTemplate(template));
        } catch (RuntimeException | StackOverflowError e) { // must not harm the other servers
            return Optional.empty();
        }
    }

    /** The server that has a resource, if a route matches it. */
    Optional<String> serverOf(String uri) {
        String listed = serverByUri.get(uri);
        if (listed != null) {
            return Optional.of(listed);
        }
        return patterns.stream()
                .filter(pattern -> pattern.template().match(uri).isPresent())
                .map(Pattern::server)
                .findFirst();
    }

    /** The server that a template is of, or a resource. */
    Optional<String> serverOfTemplate(String template) {
        return Optional.ofNullable(serverByTemplate.get(template))
                .or(() -> Optional.ofNullable(serverByUri.get(template)));
    }
}

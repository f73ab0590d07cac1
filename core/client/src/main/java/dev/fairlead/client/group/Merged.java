package dev.fairlead.client.group;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.lifecycle.ListCapability;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.protocol.tools.Tool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/** The features of all servers of a group together. Immutable. */
final class Merged {
    static final Merged NONE =
            new Merged(List.of(), List.of(), List.of(), List.of(), List.of(), Map.of());

    private final List<GroupItem<Tool>> tools;
    private final List<GroupItem<Resource>> resources;
    private final List<GroupItem<ResourceTemplate>> templates;
    private final List<GroupItem<Prompt>> prompts;
    private final ServerCapabilities capabilities;
    private final Routes listed;
    private final Routes notListed; // of servers that have been gone for too long

    private Merged(
            List<GroupItem<Tool>> tools,
            List<GroupItem<Resource>> resources,
            List<GroupItem<ResourceTemplate>> templates,
            List<GroupItem<Prompt>> prompts,
            List<ServerCapabilities> capabilities,
            Map<String, Lists> known) {
        this.tools = tools;
        this.resources = resources;
        this.templates = templates;
        this.prompts = prompts;
        this.capabilities = joined(capabilities);
        this.listed = new Routes(resources, templates);
        this.notListed =
                new Routes(
                        unique(known, Lists::resources, Resource::uri),
                        unique(known, Lists::templates, ResourceTemplate::uriTemplate));
    }

    /** Joins the lists of these servers, in their order. */
    static Merged of(Collection<Member> members, Names toolNames, Names promptNames) {
        Map<String, Lists> shown = new LinkedHashMap<>();
        Map<String, Lists> known = new LinkedHashMap<>();
        for (Member member : members) {
            shown.put(member.name(), member.lists().shown());
            known.put(member.name(), member.lists().known());
        }
        return new Merged(
                named(members, Lists::tools, Tool::name, Tool::withName, toolNames),
                unique(shown, Lists::resources, Resource::uri),
                unique(shown, Lists::templates, ResourceTemplate::uriTemplate),
                named(members, Lists::prompts, Prompt::name, Prompt::withName, promptNames),
                members.stream().map(member -> member.lists().shown().capabilities()).toList(),
                known);
    }

    private static <T> List<GroupItem<T>> named(
            Collection<Member> members,
            Function<Lists, List<T>> list,
            Function<T, String> nameOf,
            BiFunction<T, String, T> renamed,
            Names names) {
        Map<Names.Item, T> items = new LinkedHashMap<>();
        for (Member member : members) {
            for (T item : list.apply(member.lists().shown())) {
                items.putIfAbsent(new Names.Item(member.name(), nameOf.apply(item)), item);
            }
        }
        Map<Names.Item, String> given =
                names.name(items.keySet(), members.stream().map(Member::name).toList());
        List<GroupItem<T>> listed = new ArrayList<>(items.size());
        given.forEach(
                (item, name) -> {
                    T definition = items.get(item);
                    if (definition != null) {
                        listed.add(
                                new GroupItem<>(
                                        item.server(),
                                        item.name(),
                                        name.equals(item.name())
                                                ? definition
                                                : renamed.apply(definition, name)));
                    }
                });
        return List.copyOf(listed);
    }

    private static <T> List<GroupItem<T>> unique(
            Map<String, Lists> servers, Function<Lists, List<T>> list, Function<T, String> uriOf) {
        Map<String, GroupItem<T>> items = new LinkedHashMap<>();
        servers.forEach(
                (server, lists) -> {
                    for (T item : list.apply(lists)) {
                        String uri = uriOf.apply(item);
                        items.putIfAbsent(uri, new GroupItem<>(server, uri, item));
                    }
                });
        return List.copyOf(items.values());
    }

    /**
     * Joins capabilities: a group can do all that one of its servers can, and always reports
     * changes.
     */
    private static ServerCapabilities joined(List<ServerCapabilities> all) {
        ListCapability changing = new ListCapability(true);
        boolean subscribe = any(all, ServerCapabilities::resourcesSubscribe);
        return new ServerCapabilities(
                any(all, ServerCapabilities::tools) ? changing : null,
                any(all, ServerCapabilities::resources)
                        ? new ServerCapabilities.Resources(subscribe, true)
                        : null,
                any(all, ServerCapabilities::prompts) ? changing : null,
                any(all, ServerCapabilities::completions) ? JsonObject.EMPTY : null,
                any(all, ServerCapabilities::logging) ? JsonObject.EMPTY : null,
                null,
                null,
                null,
                JsonObject.EMPTY);
    }

    private static boolean any(
            List<ServerCapabilities> all, Predicate<ServerCapabilities> capability) {
        return all.stream().anyMatch(capability);
    }

    List<GroupItem<Tool>> tools() {
        return tools;
    }

    List<GroupItem<Resource>> resources() {
        return resources;
    }

    List<GroupItem<ResourceTemplate>> templates() {
        return templates;
    }

    List<GroupItem<Prompt>> prompts() {
        return prompts;
    }

    ServerCapabilities capabilities() {
        return capabilities;
    }

    /** The server that has a resource, if lists or templates contain it. */
    Optional<String> serverOf(String uri) {
        return listed.serverOf(uri).or(() -> notListed.serverOf(uri));
    }

    /** The server that a template is of, or a resource. */
    Optional<String> serverOfTemplate(String template) {
        return listed.serverOfTemplate(template).or(() -> notListed.serverOfTemplate(template));
    }
}

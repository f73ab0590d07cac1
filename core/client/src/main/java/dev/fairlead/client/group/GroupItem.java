package dev.fairlead.client.group;

import java.util.Objects;

/**
 * An item of a list of the group, and whose it is.
 *
 * @param server the name of its server in the group
 * @param name its name at the server; for resources and templates the URI
 * @param definition as the server gave it, with no member lost, but under the name it has in the
 *     group
 * @param <T> a tool, resource, resource template or prompt
 */
public record GroupItem<T>(String server, String name, T definition) {
    public GroupItem {
        Objects.requireNonNull(server, "server");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(definition, "definition");
    }
}

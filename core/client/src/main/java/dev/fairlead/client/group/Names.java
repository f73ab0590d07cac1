package dev.fairlead.client.group;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The names that the items of a group have, and have had. A name that was given is never given to
 * another item as long as its server is in the group, and a name over which servers have once
 * collided stays prefixed: so names change as seldom as can be, and what was called by an old name
 * is still found.
 *
 * <p>The group's lock guards it.
 */
final class Names {
    /** How many names are remembered, those of items that are gone included. */
    static final int LIMIT = 200_000;

    /** An item, by its own name. */
    record Item(String server, String name) {}

    private final Naming naming;
    private final Map<Item, String> given = new HashMap<>();
    private final Map<String, Item> owners = new HashMap<>();
    private final Map<String, String> serverOf = new HashMap<>(); // the first one, by own name
    private final Set<String> collided = new HashSet<>();

    Names(Naming naming) {
        this.naming = naming;
    }

    /**
     * Gives names to these items, in their order.
     *
     * @param servers all of the group, also those without items
     */
    Map<Item, String> name(Collection<Item> items, Collection<String> servers) {
        Set<Item> present = new LinkedHashSet<>(items);
        if (owners.size() + present.size() > LIMIT) {
            forgetAllBut(present);
        }
        for (Item item : present) {
            String first = serverOf.putIfAbsent(item.name(), item.server());
            if (first != null && !first.equals(item.server())) {
                collided.add(item.name());
            }
        }
        Map<Item, String> names = new LinkedHashMap<>();
        Map<String, String> prefixes = new HashMap<>();
        servers.forEach(server -> prefixes.put(server, naming.prefix(server)));
        present.forEach(item -> names.put(item, name(item, prefixes)));
        return names;
    }

    private String name(Item item, Map<String, String> prefixes) {
        String known = given.get(item);
        String plain = naming.plain(item.name());
        boolean prefixed =
                naming.always()
                        || collided.contains(item.name())
                        || looksLikeOneOfAnother(item.server(), plain, prefixes);
        if (known != null && !(prefixed && known.equals(plain))) {
            return known;
        }
        if (!prefixed && take(plain, item)) {
            return plain;
        }
        String name = naming.prefixed(item.server(), item.name());
        for (int attempt = 1; !take(name, item); attempt++) {
            name = naming.distinct(item.server(), item.name(), attempt);
        }
        return name;
    }

    /**
     * Whether a name starts with the prefix of another server, and so looks like one of its tools.
     */
    private static boolean looksLikeOneOfAnother(
            String own, String name, Map<String, String> prefixes) {
        return prefixes.entrySet().stream()
                .anyMatch(
                        other -> !other.getKey().equals(own) && name.startsWith(other.getValue()));
    }

    private boolean take(String name, Item item) {
        Item owner = owners.putIfAbsent(name, item);
        if (owner != null && !owner.equals(item)) {
            return false;
        }
        given.put(item, name);
        return true;
    }

    /** Whose name this is or was. */
    Optional<Item> find(String name) {
        return Optional.ofNullable(owners.get(name));
    }

    /** A server left the group. */
    void forget(String server) {
        given.keySet().removeIf(item -> item.server().equals(server));
        owners.values().removeIf(item -> item.server().equals(server));
        serverOf.values().removeIf(server::equals);
    }

    private void forgetAllBut(Set<Item> present) {
        given.keySet().retainAll(present);
        owners.values().retainAll(present);
        Set<String> names = new HashSet<>();
        present.forEach(item -> names.add(item.name()));
        serverOf.keySet().retainAll(names);
        collided.retainAll(names);
    }
}

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
 * collided stays prefixed: so names change as seldom as possible, and an item is still found by its
 * old name.
 *
 * <p>Names collide as they are shown, in which several own names may look the same. No server gets
 * a name that another would have: of several that look the same none is shown plainly, and a name
 * that begins with the prefix of another server ends in a digest.
 *
 * <p>The group's lock guards it.
 */
final class Names {
    /** How many names are remembered, those of items that are gone included. */
    static final int LIMIT = 200_000;

    /**
     * How many characters these names may have as their servers send them, the present ones counted
     * twice: a name has no limit of its own, and a server can change its list at any time. Honest
     * names are far shorter on average than the 50 characters that this leaves to each.
     */
    static final int MAX_CHARACTERS = 10_000_000;

    /**
     * An item, by its own name. Items have an order, by which a table finds them in little time
     * among many that a server has chosen to have the same hash.
     */
    record Item(String server, String name) implements Comparable<Item> {
        @Override
        public int compareTo(Item other) {
            int byName = name.compareTo(other.name);
            return byName == 0 ? server.compareTo(other.server) : byName;
        }
    }

    private final Naming naming;
    private final Map<Item, String> given = new HashMap<>();
    private final Map<String, Item> owners = new HashMap<>();
    private final Map<String, Item> firsts = new HashMap<>(); // by the name that is shown
    private final Set<String> collided = new HashSet<>(); // names that are shown

    /** Items whose name is shown as that of another item of their server. */
    private final Set<Item> alike = new HashSet<>();

    private long characters; // of the own names of all given items

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
        if (owners.size() + present.size() > LIMIT
                || characters + characters(present) > MAX_CHARACTERS) {
            forgetAllBut(present);
        }
        present.forEach(this::compare);
        Map<Item, String> names = new LinkedHashMap<>();
        Map<String, String> prefixes = new HashMap<>();
        servers.forEach(server -> prefixes.put(server, naming.prefix(server)));
        present.forEach(item -> names.put(item, name(item, prefixes)));
        return names;
    }

    private static long characters(Collection<Item> items) {
        return items.stream().mapToLong(item -> item.name().length()).sum();
    }

    /** Compares an item with the first one whose name looks the same. */
    private void compare(Item item) {
        String shown = naming.plain(item.name());
        Item first = firsts.putIfAbsent(shown, item);
        if (first == null || first.equals(item)) {
            return;
        }
        if (!first.server().equals(item.server())) {
            collided.add(shown);
        }
        alike.add(item);
        alike.add(first);
    }

    private String name(Item item, Map<String, String> prefixes) {
        String known = given.get(item);
        String plain = naming.plain(item.name());
        boolean prefixed =
                naming.always()
                        || collided.contains(plain)
                        || looksLikeOneOfAnother(item.server(), plain, prefixes);
        if (known != null && !(prefixed && known.equals(plain))) {
            return known;
        }
        boolean isAltered = alike.contains(item) && !plain.equals(item.name());
        if (!prefixed && !isAltered && take(plain, item)) {
            return plain;
        }
        String name = naming.prefixed(item.server(), item.name());
        boolean isFree = !isAltered && !isOfAnother(item.server(), name, prefixes);
        for (int attempt = 1; !isFree || !take(name, item); attempt++) {
            name = naming.distinct(item.server(), item.name(), attempt);
            isFree = true;
        }
        return name;
    }

    /**
     * Whether a prefixed name may be that of an item of another server, whose own prefix is longer
     * or the same.
     */
    private static boolean isOfAnother(String own, String name, Map<String, String> prefixes) {
        int length = prefixes.getOrDefault(own, "").length();
        return prefixes.entrySet().stream()
                .anyMatch(
                        other ->
                                !other.getKey().equals(own)
                                        && other.getValue().length() >= length
                                        && name.startsWith(other.getValue()));
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
        if (given.put(item, name) == null) {
            characters += item.name().length();
        }
        return true;
    }

    /** Whose name this is or was. */
    Optional<Item> find(String name) {
        return Optional.ofNullable(owners.get(name));
    }

    /** A server left the group. */
    void forget(String server) {
        given.keySet().removeIf(item -> item.server().equals(server));
        characters = characters(given.keySet());
        owners.values().removeIf(item -> item.server().equals(server));
        firsts.values().removeIf(item -> item.server().equals(server));
        alike.removeIf(item -> item.server().equals(server));
    }

    private void forgetAllBut(Set<Item> present) {
        given.keySet().retainAll(present);
        characters = characters(given.keySet());
        owners.values().retainAll(present);
        Set<String> names = new HashSet<>();
        present.forEach(item -> names.add(naming.plain(item.name())));
        firsts.values().retainAll(present);
        collided.retainAll(names);
        alike.retainAll(present);
    }
}

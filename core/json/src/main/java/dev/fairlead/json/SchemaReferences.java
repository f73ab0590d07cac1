package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the parts of a schema to which its references lead, by pointers, anchors and identifiers.
 */
final class SchemaReferences {
    /** The address of a schema that has no identifier. */
    private static final URI NOWHERE = URI.create("schema:/");

    private static final int MAX_ADDRESS = 2000;

    private final Map<JsonValue, URI> bases = new IdentityHashMap<>();
    private final Map<String, JsonValue> addresses = new HashMap<>(); // with and without anchors
    private final Map<String, List<JsonValue>> dynamic = new HashMap<>();

    /** A schema for each name of dynamic references, which leads to all their targets. */
    private final Map<String, JsonObject> dynamicTargets = new HashMap<>();

    private final JsonObject root;
    private final URI rootBase;

    SchemaReferences(JsonObject root) {
        this.root = root;
        addresses.put(NOWHERE.toString(), root);
        collect(root, NOWHERE);
        rootBase = bases.getOrDefault(root, NOWHERE);
    }

    private void collect(JsonObject schema, URI outer) {
        URI base = outer;
        if (schema.get("$id") instanceof JsonString id) {
            if (id.value().startsWith("#")) { // an anchor of draft 7
                anchor(outer, id.value().substring(1), schema);
            } else {
                base = withoutFragment(resolve(outer, id.value()));
                checkLength(base.toString());
                addresses.put(base.toString(), schema);
            }
        }
        if (bases.put(schema, base) != null) {
            return; // the same object stands twice
        }
        if (schema.get("$anchor") instanceof JsonString name) {
            anchor(base, name.value(), schema);
        }
        if (schema.get("$dynamicAnchor") instanceof JsonString name) {
            anchor(base, name.value(), schema);
            dynamic(name.value(), schema);
        }
        if (schema.has("$recursiveAnchor")) {
            dynamic("", schema);
        }
        URI inner = base;
        SchemaParts.all(schema, part -> collect(part, inner));
    }

    /** Each part may add to the address of the one around it. */
    private static void checkLength(String address) {
        if (address.length() > MAX_ADDRESS) {
            throw new JsonSchemaException(
                    "the schema has an $id whose address has more than "
                            + MAX_ADDRESS
                            + " characters");
        }
    }

    private void anchor(URI base, String name, JsonObject schema) {
        addresses.put(base + "#" + name, schema);
    }

    private void dynamic(String name, JsonObject schema) {
        dynamic.computeIfAbsent(name, added -> new ArrayList<>()).add(schema);
    }

    /** All schemas that may be applied to a value or a part of it, each once. */
    Set<JsonObject> reachable() {
        Set<JsonObject> reached = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<JsonObject> left = new ArrayDeque<>(List.of(root));
        while (!left.isEmpty()) {
            JsonObject schema = left.pop();
            if (reached.add(schema)) {
                SchemaParts.all(schema, left::push);
                from(schema).forEach(left::push);
            }
        }
        return reached;
    }

    /** All parts to which the references of a schema may lead. */
    List<JsonObject> from(JsonObject schema) {
        List<JsonObject> targets = new ArrayList<>();
        for (String keyword : List.of("$ref", "$dynamicRef", "$recursiveRef")) {
            if (!(schema.get(keyword) instanceof JsonString reference)) {
                continue;
            }
            add(target(schema, reference.value()), targets);
            if (!keyword.equals("$ref")) {
                String name = reference.value();
                name = name.substring(name.lastIndexOf('#') + 1);
                targets.add(dynamicTargets.computeIfAbsent(name, this::dynamicTargets));
            }
        }
        return targets;
    }

    private JsonObject dynamicTargets(String name) {
        return JsonObject.of("anyOf", dynamic.getOrDefault(name, List.of()));
    }

    private static void add(@Nullable JsonValue target, List<JsonObject> targets) {
        if (target instanceof JsonObject object) {
            targets.add(object);
        }
    }

    private @Nullable JsonValue target(JsonObject schema, String reference) {
        URI address = resolve(bases.getOrDefault(schema, rootBase), reference);
        JsonValue resource = addresses.get(withoutFragment(address).toString());
        String fragment = address.getRawFragment();
        if (fragment == null || fragment.isEmpty()) {
            return resource;
        }
        if (!fragment.startsWith("/")) {
            return addresses.get(withoutFragment(address) + "#" + decoded(fragment));
        }
        JsonValue target = resource;
        for (String step : fragment.substring(1).split("/", -1)) {
            target = step(target, decoded(step).replace("~1", "/").replace("~0", "~"));
        }
        return target;
    }

    private static @Nullable JsonValue step(@Nullable JsonValue from, String name) {
        try {
            return from instanceof JsonObject object
                    ? object.get(name)
                    : from instanceof JsonArray array
                            ? array.elements().get(Integer.parseInt(name))
                            : null;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return null; // a reference to nothing
        }
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    /** The address of a reference; one that cannot be read leads nowhere that is known. */
    private static URI resolve(URI base, String reference) {
        if (reference.isEmpty()) {
            return base;
        }
        try {
            return base.resolve(escaped(reference));
        } catch (IllegalArgumentException e) {
            return URI.create("unreadable:/");
        }
    }

    /** Pointers in schemas often have characters that a URI has not. */
    private static String escaped(String reference) {
        int hash = reference.indexOf('#');
        if (hash < 0) {
            return reference;
        }
        StringBuilder text = new StringBuilder(reference.substring(0, hash + 1));
        for (char c : reference.substring(hash + 1).toCharArray()) {
            boolean plain = c > ' ' && c < 127 && "\"<>[]\\^`{|}#".indexOf(c) < 0;
            text.append(
                    plain || c >= 160
                            ? c
                            : "%" + HexFormat.of().withUpperCase().toHexDigits((byte) c));
        }
        return text.toString();
    }

    private static URI withoutFragment(URI address) {
        String text = address.toString();
        int hash = text.indexOf('#');
        return hash < 0 ? address : URI.create(text.substring(0, hash));
    }
}

package dev.fairlead.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Searches a schema for parts that refer to themselves without a step into the value, so that no
 * value can be checked. Parts that nothing uses as a schema are not searched.
 */
final class SchemaCycles {
    private final SchemaReferences references;
    private final boolean referencesStandAlone;
    private final Set<JsonValue> path = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<JsonValue> searched = Collections.newSetFromMap(new IdentityHashMap<>());

    private SchemaCycles(JsonObject root, SchemaReferences references) {
        this.references = references;
        this.referencesStandAlone = SchemaDialect.of(root) == SchemaDialect.DRAFT_07;
    }

    /** Returns whether there is such a part. */
    static boolean isIn(JsonObject root, SchemaReferences references) {
        SchemaCycles search = new SchemaCycles(root, references);
        return references.reachable().stream().anyMatch(search::isAt);
    }

    private boolean isAt(JsonObject schema) {
        if (!path.add(schema)) {
            return true;
        }
        boolean found = searched.add(schema) && same(schema).stream().anyMatch(this::isAt);
        path.remove(schema);
        return found;
    }

    /** The schemas that are applied to the same value together with a schema. */
    private List<JsonObject> same(JsonObject schema) {
        List<JsonObject> same = new ArrayList<>(references.from(schema));
        if (!referencesStandAlone || !schema.has("$ref")) { // draft 7 ignores what stands beside
            SchemaParts.same(schema, same::add);
        }
        return same;
    }
}

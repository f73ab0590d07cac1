package dev.fairlead.gateway;

import dev.fairlead.client.group.GroupItem;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonSchemaException;
import dev.fairlead.protocol.tools.Tool;

import org.jspecify.annotations.Nullable;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The output schemas of listed tools, each checked once as long as the list of its server is kept.
 * They are compared by identity: to compare the content of large ones costs time as well.
 */
final class OutputSchemas {
    private final Predicate<JsonObject> check;
    private Map<JsonObject, Boolean> checked = new IdentityHashMap<>();

    OutputSchemas(Predicate<JsonObject> check) {
        this.check = check;
    }

    /** Returns whether a schema can be used. */
    static boolean isValid(JsonObject schema) {
        try {
            JsonSchema.of(schema).check();
            return true;
        } catch (JsonSchemaException e) {
            return false; // a call says so in a warning
        }
    }

    /** Forgets all schemas but those of these tools. */
    synchronized void retain(List<GroupItem<Tool>> tools) {
        Map<JsonObject, Boolean> kept = new IdentityHashMap<>();
        for (GroupItem<Tool> tool : tools) {
            JsonObject schema = tool.definition().outputSchema();
            Boolean isUsable = schema == null ? null : checked.get(schema);
            if (schema != null && isUsable != null) {
                kept.put(schema, isUsable);
            }
        }
        checked = kept;
    }

    /** Returns whether a schema can be used; true for none. */
    boolean isUsable(@Nullable JsonObject schema) {
        if (schema == null) {
            return true;
        }
        Boolean isUsable = known(schema);
        if (isUsable == null) {
            isUsable = check.test(schema);
            keep(schema, isUsable);
        }
        return isUsable;
    }

    private synchronized @Nullable Boolean known(JsonObject schema) {
        return checked.get(schema);
    }

    private synchronized void keep(JsonObject schema, boolean isUsable) {
        checked.put(schema, isUsable);
    }
}

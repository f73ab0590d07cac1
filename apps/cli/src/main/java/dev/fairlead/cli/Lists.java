package dev.fairlead.cli;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.InvalidResultException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads all pages of a list as they came over the wire, so that nothing of them is lost: no member
 * that this library does not know, no digit of a number.
 */
final class Lists {
    private static final System.Logger LOGGER = System.getLogger(Lists.class.getName());
    private static final int MAX_PAGES = 1_000;
    private static final int MAX_ITEMS = 100_000;
    private static final long MAX_BYTES = 16 << 20;
    private static final String CURSOR = "nextCursor";

    private Lists() {}

    /**
     * The result with the items of all pages; members beside the items are those of the last page
     * that has them. A cursor that comes again ends the list, and so does an empty one that the
     * server refuses.
     *
     * @param method such as {@code tools/list}
     * @param member where the items are, such as {@code tools}
     * @throws InvalidResultException if the list is none or does not end
     */
    static JsonObject all(ClientRequests server, String method, String member)
            throws InterruptedException {
        JsonObject result = JsonObject.EMPTY;
        List<JsonValue> items = new ArrayList<>();
        Set<String> cursors = new HashSet<>();
        String cursor = null;
        long bytes = 0;
        do {
            JsonObject page = page(server, method, cursor);
            if (page == null) {
                break;
            }
            bytes += RawJson.of(page).size();
            if (bytes > MAX_BYTES) {
                throw new InvalidResultException(
                        method + " has more than " + MAX_BYTES + " bytes", null);
            }
            items.addAll(items(page, method, member).elements());
            result = result.with(page);
            cursor = cursor(page, method);
            if (cursor != null && !cursors.add(cursor)) {
                warn(method + " repeats a cursor, which ends the list");
                items = once(items);
                cursor = null;
            }
            check(items.size(), cursors, method);
        } while (cursor != null);
        return result.with(member, new JsonArray(List.copyOf(items))).without(CURSOR);
    }

    /** Returns each item once; texts with the same hash have an order, unlike items. */
    private static List<JsonValue> once(List<JsonValue> items) {
        Map<String, JsonValue> once = new LinkedHashMap<>();
        items.forEach(item -> once.putIfAbsent(item.toJson(), item));
        return List.copyOf(once.values());
    }

    /** Reads a page; null if its cursor is empty and refused. */
    private static @Nullable JsonObject page(
            ClientRequests server, String method, @Nullable String cursor)
            throws InterruptedException {
        try {
            return server.request(method, parameters(cursor));
        } catch (JsonRpcException e) {
            if (cursor == null || !cursor.isEmpty()) {
                throw e;
            }
            warn(method + " names an empty cursor and refuses it, which ends the list");
            return null;
        }
    }

    private static void warn(String fault) {
        LOGGER.log(Level.WARNING, "The server: {0}", fault);
    }

    private static JsonObject parameters(@Nullable String cursor) {
        return cursor == null ? JsonObject.EMPTY : JsonObject.of("cursor", cursor);
    }

    private static JsonArray items(JsonObject page, String method, String member) {
        return switch (page.get(member)) {
            case JsonArray array -> array;
            case JsonNull none -> new JsonArray(List.of());
            case null, default ->
                    throw new InvalidResultException(
                            "The result of " + method + " lacks the array " + member, null);
        };
    }

    private static @Nullable String cursor(JsonObject page, String method) {
        JsonValue cursor = page.get(CURSOR);
        if (cursor == null || cursor instanceof JsonNull || cursor instanceof JsonString) {
            return cursor instanceof JsonString text ? text.value() : null;
        }
        warn(method + " has a nextCursor that is no text, which ends the list");
        return null;
    }

    /** The pages must come to an end. */
    private static void check(int items, Set<String> cursors, String method) {
        if (items > MAX_ITEMS || cursors.size() >= MAX_PAGES) {
            throw new InvalidResultException(
                    method + " has more than " + MAX_PAGES + " pages or " + MAX_ITEMS + " items",
                    null);
        }
    }
}

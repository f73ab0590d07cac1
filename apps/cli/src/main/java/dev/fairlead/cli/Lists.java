package dev.fairlead.cli;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.InvalidResultException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads all pages of a list as they came over the wire, so that nothing of them is lost: no member
 * that this library does not know, no digit of a number.
 */
final class Lists {
    private static final int MAX_PAGES = 1_000;
    private static final int MAX_ITEMS = 100_000;
    private static final long MAX_BYTES = 16 << 20;
    private static final String CURSOR = "nextCursor";

    private Lists() {}

    /**
     * The result with the items of all pages; members beside the items are those of the last page
     * that has them.
     *
     * @param method such as {@code tools/list}
     * @param member where the items are, such as {@code tools}
     * @throws InvalidResultException if the list is none, goes in a circle or does not end
     */
    static JsonObject all(ClientRequests server, String method, String member)
            throws InterruptedException {
        JsonObject result = JsonObject.EMPTY;
        List<JsonValue> items = new ArrayList<>();
        Set<String> cursors = new HashSet<>();
        String cursor = null;
        long bytes = 0;
        do {
            JsonObject page = server.request(method, parameters(cursor));
            bytes += RawJson.of(page).size();
            if (bytes > MAX_BYTES) {
                throw new InvalidResultException(
                        method + " has more than " + MAX_BYTES + " bytes", null);
            }
            items.addAll(items(page, method, member).elements());
            result = result.with(page);
            cursor = cursor(page, method);
            check(items.size(), cursor, cursors, method);
        } while (cursor != null);
        return result.with(member, new JsonArray(items)).without(CURSOR);
    }

    private static JsonObject parameters(@Nullable String cursor) {
        return cursor == null ? JsonObject.EMPTY : JsonObject.of("cursor", cursor);
    }

    private static JsonArray items(JsonObject page, String method, String member) {
        if (page.get(member) instanceof JsonArray array) {
            return array;
        }
        throw new InvalidResultException(
                "The result of " + method + " lacks the array " + member, null);
    }

    private static @Nullable String cursor(JsonObject page, String method) {
        JsonValue cursor = page.get(CURSOR);
        if (cursor == null || cursor instanceof JsonNull || cursor instanceof JsonString) {
            return cursor instanceof JsonString text ? text.value() : null;
        }
        throw new InvalidResultException(
                "The nextCursor of " + method + " must be a string but was " + cursor, null);
    }

    /** The pages must come to an end. */
    private static void check(
            int items, @Nullable String cursor, Set<String> cursors, String method) {
        if (cursor != null && !cursors.add(cursor)) {
            throw new InvalidResultException(
                    "The pages of " + method + " form a cycle: the server repeated a cursor", null);
        }
        if (items > MAX_ITEMS || cursors.size() >= MAX_PAGES) {
            throw new InvalidResultException(
                    method + " has more than " + MAX_PAGES + " pages or " + MAX_ITEMS + " items",
                    null);
        }
    }
}

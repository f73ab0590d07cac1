package dev.fairlead.server.requeststate;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonWriter;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Caller;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.TreeMap;

/**
 * What a state belongs to. The arguments count by what they mean: the order of members and the
 * spelling of numbers do not matter.
 *
 * @param audience the server
 * @param caller the principal; for an anonymous one nothing is bound
 * @param method such as {@code tools/call}
 * @param target the name of the tool or prompt, or the URI of the resource
 * @param arguments an object
 */
public record StateBinding(
        String audience, Caller caller, String method, String target, RawJson arguments) {
    /** The SHA-256 of all of it. */
    byte[] digest() {
        JsonWriter writer = new JsonWriter().beginArray();
        writer.string(audience);
        boolean anonymous = caller.isAnonymous();
        writer.string(anonymous ? "" : caller.issuer());
        writer.string(anonymous ? "" : caller.subject());
        writer.string(anonymous ? "" : caller.client().orElse(""));
        writer.string(method).string(target);
        write(writer, arguments.value());
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(writer.endArray().finish().toBytes());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static void write(JsonWriter writer, JsonValue value) {
        switch (value) {
            case JsonObject object -> {
                writer.beginObject();
                new TreeMap<>(object.members())
                        .forEach(
                                (name, member) -> {
                                    writer.name(name);
                                    write(writer, member);
                                });
                writer.endObject();
            }
            case JsonArray array -> {
                writer.beginArray();
                array.forEach(element -> write(writer, element));
                writer.endArray();
            }
            case JsonNumber number -> writer.number(number.value().stripTrailingZeros());
            default -> writer.value(value);
        }
    }
}

package dev.fairlead.protocol.face;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notification;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.base.NotificationParams;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * One message of the files in {@code golden}: parameters or a result of a method, or the parameters
 * of a notification.
 *
 * @param about a description of its content
 * @param json the parameters or the result as they stand on the wire of the newest revision
 */
record Golden(String about, Kind kind, String name, JsonObject json) {
    enum Kind {
        PARAMS,
        RESULT,
        NOTIFICATION
    }

    private static final List<String> FILES =
            List.of(
                    "lifecycle",
                    "tools",
                    "resources",
                    "prompts",
                    "utilities",
                    "sampling",
                    "elicitation",
                    "tasks");

    static Stream<Golden> all() {
        return FILES.stream().flatMap(Golden::of);
    }

    /** The messages of one file. */
    static Stream<Golden> of(String file) {
        JsonArray messages =
                (JsonArray)
                        JsonValue.parse(text("/dev/fairlead/protocol/golden/" + file + ".json"));
        return messages.elements().stream().map(message -> of((JsonObject) message));
    }

    private static Golden of(JsonObject message) {
        String about = message.string("about");
        if (message.has("notification")) {
            return new Golden(
                    about,
                    Kind.NOTIFICATION,
                    message.string("notification"),
                    message.object("params"));
        }
        return message.has("result")
                ? new Golden(about, Kind.RESULT, message.string("method"), message.object("result"))
                : new Golden(
                        about, Kind.PARAMS, message.string("method"), message.object("params"));
    }

    private static String text(String resource) {
        try (InputStream in = Golden.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("no " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Golden with(JsonObject json) {
        return new Golden(about, kind, name, json);
    }

    Method<?, ?> method() {
        return Methods.ALL.stream()
                .filter(method -> method.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    Notification<?> notification() {
        return Notifications.ALL.stream()
                .filter(notification -> notification.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Returns whether a revision has the method or notification. */
    boolean isIn(WireFace face) {
        return kind == Kind.NOTIFICATION ? face.has(notification()) : face.has(method());
    }

    /** Returns the message as a face of the newest revision reads and the given face writes it. */
    JsonObject through(WireFace face) {
        RawJson written =
                switch (kind) {
                    case PARAMS -> params(method(), face);
                    case RESULT -> result(method(), face);
                    case NOTIFICATION -> notification(notification(), face);
                };
        return written == null ? JsonObject.EMPTY : (JsonObject) written.value();
    }

    private static final WireFace NEWEST =
            HandshakeFace.of(dev.fairlead.protocol.Revision.NEWEST_WITH_HANDSHAKE);

    private <P extends RequestParams> @Nullable RawJson params(Method<P, ?> method, WireFace face) {
        Received<P> received = NEWEST.readParams(method, RawJson.of(json));
        return face.writeParams(method, received.params(), received.progressToken());
    }

    private <R extends Result> RawJson result(Method<?, R> method, WireFace face) {
        return face.writeResult(method, NEWEST.readResult(method, RawJson.of(json)));
    }

    private <P extends NotificationParams> @Nullable RawJson notification(
            Notification<P> notification, WireFace face) {
        P params = NEWEST.readNotification(notification, RawJson.of(json)).orElseThrow();
        return face.writeNotification(notification, params);
    }

    /**
     * The same message with a member that nobody knows in every object, except where members are
     * fields of a form.
     */
    Golden withUnknownMembers() {
        return with((JsonObject) unknownIn("", json));
    }

    private static JsonValue unknownIn(String name, JsonValue value) {
        return switch (value) {
            case JsonObject object when name.equals("requestedSchema") ->
                    object.with("x-later", "kept");
            case JsonObject object -> {
                JsonObject copy = object;
                for (String member : object.names()) {
                    copy = copy.with(member, unknownIn(member, object.members().get(member)));
                }
                yield copy.with("x-later", new JsonString("kept"));
            }
            case JsonArray array ->
                    new JsonArray(
                            array.elements().stream()
                                    .map(element -> unknownIn("", element))
                                    .toList());
            default -> value;
        };
    }

    @Override
    public String toString() {
        return name + ": " + about;
    }
}

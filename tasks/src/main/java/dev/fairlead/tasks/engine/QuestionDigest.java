package dev.fairlead.tasks.engine;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonWriter;
import dev.fairlead.json.RawJson;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * Identifies a question across runs: the SHA-256 of what identifies it. That depends neither on the
 * order in which the members of objects were written nor on {@code _meta}, where interceptors leave
 * what is new for each run, such as the context of a trace.
 */
public final class QuestionDigest {
    private static final MessageDigest SHA256 = platform();

    private QuestionDigest() {}

    /** The digest of a question. */
    public static String of(String method, RawJson params) {
        return of(method, params.value());
    }

    /** The digest of a question. */
    public static String of(String method, JsonValue params) {
        JsonWriter writer = new JsonWriter().canonical(asked(params));
        MessageDigest sha256 = sha256();
        sha256.update((method + " ").getBytes(StandardCharsets.UTF_8));
        return text(sha256.digest(writer.toBytes()));
    }

    /** What a question asks: its parameters without {@code _meta}. */
    public static JsonValue asked(JsonValue params) {
        return params instanceof JsonObject object ? object.without("_meta") : params;
    }

    /** The digest of a text, as text. */
    static String of(String text) {
        return text(sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String text(byte[] hash) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    }

    /** A copy: {@code getInstance} would leave something behind in every thread that calls it. */
    private static MessageDigest sha256() {
        try {
            return (MessageDigest) SHA256.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("SHA-256 of this Java platform cannot be copied", e);
        }
    }

    private static MessageDigest platform() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}

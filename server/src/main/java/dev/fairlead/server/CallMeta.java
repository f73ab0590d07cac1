package dev.fairlead.server;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.MetaKey;
import dev.fairlead.protocol.ProgressToken;

import org.jspecify.annotations.Nullable;

/**
 * The {@code _meta} of a request, taken apart.
 *
 * @param rest all but the token
 */
record CallMeta(@Nullable ProgressToken progressToken, JsonObject rest) {
    private static final CallMeta NONE = new CallMeta(null, JsonObject.EMPTY);
    private static final JsonCodec<Params> CODEC = JsonCodec.of(Params.class);

    /** Any parameters. */
    record Params(@JsonName("_meta") @Nullable JsonObject meta) {}

    static CallMeta of(@Nullable RawJson params) {
        try {
            JsonObject meta = params == null ? null : CODEC.read(params).meta();
            return meta == null
                    ? NONE
                    : new CallMeta(token(meta), meta.without(MetaKey.PROGRESS_TOKEN));
        } catch (JsonBindingException | JsonException e) {
            return NONE; // a method of the author's own may have other members of that name
        }
    }

    private static @Nullable ProgressToken token(JsonObject meta) {
        JsonValue token = meta.get(MetaKey.PROGRESS_TOKEN);
        try {
            return token == null ? null : new ProgressToken(token);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}

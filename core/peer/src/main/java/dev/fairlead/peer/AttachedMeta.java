package dev.fairlead.peer;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.base.ProgressToken;

import org.jspecify.annotations.Nullable;

/**
 * The {@code _meta} of a request, taken apart.
 *
 * @param progressToken under which progress is wanted; null for none, or for one that is not a
 *     token
 * @param rest all but the token
 */
public record AttachedMeta(@Nullable ProgressToken progressToken, JsonObject rest) {
    private static final AttachedMeta NONE = new AttachedMeta(null, JsonObject.EMPTY);
    private static final JsonCodec<Params> CODEC = JsonCodec.of(Params.class);

    /** Any parameters. */
    record Params(@JsonName("_meta") @Nullable JsonObject meta) {}

    /**
     * Takes the parameters of a request apart; nothing is found where there are none, or where a
     * method that is not of the protocol has other members of that name.
     */
    public static AttachedMeta of(@Nullable RawJson params) {
        try {
            JsonObject meta = params == null ? null : CODEC.read(params).meta();
            return meta == null
                    ? NONE
                    : new AttachedMeta(token(meta), meta.without(MetaKey.PROGRESS_TOKEN));
        } catch (JsonBindingException | JsonException e) {
            return NONE;
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

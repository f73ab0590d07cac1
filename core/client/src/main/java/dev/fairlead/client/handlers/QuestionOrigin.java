package dev.fairlead.client.handlers;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.base.Implementation;

/**
 * The data of a question of the server that became a task, the same in every run, also in another
 * process.
 *
 * @param params of its request
 * @param server the server that asks
 */
public record QuestionOrigin(RawJson params, Implementation server) {
    private static final JsonCodec<QuestionOrigin> CODEC = JsonCodec.of(QuestionOrigin.class);

    public static QuestionOrigin read(RawJson origin) {
        return CODEC.read(origin);
    }

    public RawJson write() {
        return CODEC.write(this);
    }
}
